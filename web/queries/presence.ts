import { useEffect, useSyncExternalStore } from 'react';
import type { Presence } from '../../contract/events.ts';
import { timing } from '../../contract/reference/limits.ts';
import { presenceEndsMs, presenceNames, viewingMs } from '../../contract/socket.ts';
import { useUser } from './current-user.ts';

export interface PresentPerson {
  UserID: number;
  Name: string;
  isTyping: boolean;
}

interface Heard {
  Name: string;
  viewingUntil: number;
  typingUntil: number;
}

type People = Readonly<Record<number, readonly PresentPerson[]>>;

/**
 * Knows from the socket who else is viewing which conversation. Entries expire after presenceEndsMs unless repeated;
 * `later` schedules that check.
 */
export function createPresence(parts: { now: () => number; later: (look: () => void, ms: number) => void }) {
  const { now, later } = parts;
  const heard = new Map<number, Map<number, Heard>>();
  const listeners = new Set<() => void>();
  let people: People = {};

  function publish(): void {
    const at = now();
    let nextEnd = Number.POSITIVE_INFINITY;
    const next: Record<number, PresentPerson[]> = {};
    for (const [conversationId, those] of heard) {
      for (const [UserID, { Name, viewingUntil, typingUntil }] of those) {
        const until = Math.max(viewingUntil, typingUntil);
        if (until <= at) {
          those.delete(UserID);
          continue;
        }
        const isTyping = typingUntil > at;
        nextEnd = Math.min(nextEnd, isTyping ? typingUntil : until);
        next[conversationId] = [...(next[conversationId] ?? []), { UserID, Name, isTyping }];
      }
      if (those.size === 0) heard.delete(conversationId);
    }
    if (JSON.stringify(next) !== JSON.stringify(people)) {
      people = next;
      for (const listener of listeners) listener();
    }
    if (Number.isFinite(nextEnd)) later(publish, nextEnd - at);
  }

  return {
    people: () => people,
    hear({ ConversationID, UserID, Name, Kind }: Presence): void {
      const those = heard.get(ConversationID) ?? new Map<number, Heard>();
      heard.set(ConversationID, those);
      const known = those.get(UserID) ?? { Name, viewingUntil: 0, typingUntil: 0 };
      if (Kind === 'left') those.delete(UserID);
      else {
        those.set(UserID, {
          Name,
          viewingUntil: now() + presenceEndsMs.viewing,
          // "viewing" repeats regularly and says nothing about typing.
          typingUntil: Kind === 'typing' ? now() + presenceEndsMs.typing : known.typingUntil,
        });
      }
      publish();
    },
    /** They sent the text, so they are no longer typing it. */
    stopTyping(conversationId: number, userId: number): void {
      const known = heard.get(conversationId)?.get(userId);
      if (!known || known.typingUntil === 0) return;
      known.typingUntil = 0;
      publish();
    },
    /** Without a socket, nobody can report leaving. */
    forget(): void {
      heard.clear();
      publish();
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

let look: ReturnType<typeof setTimeout> | undefined;
const others = createPresence({
  now: () => Date.now(),
  later: (publish, ms) => {
    clearTimeout(look);
    look = setTimeout(publish, ms + 1);
  },
});

type Say = (name: string, said: { ConversationID: number | null }) => void;

/** Tells the others which conversation the user views and types in, as long as there is a socket to say it to. */
export function createTeller(now: () => number) {
  let say: Say | undefined;
  let viewed: number | null = null;
  let lastTyped = { conversationId: 0, at: Number.NEGATIVE_INFINITY };
  return {
    connect(next: Say | undefined): void {
      say = next;
      if (viewed !== null) say?.(presenceNames.viewing, { ConversationID: viewed });
    },
    view(conversationId: number | null): void {
      if (viewed === null && conversationId === null) return;
      viewed = conversationId;
      say?.(presenceNames.viewing, { ConversationID: conversationId });
    },
    /** At most every five seconds in one conversation. */
    type(conversationId: number): void {
      const isRecent = now() - lastTyped.at < timing.typingEventMs;
      if (!say || (isRecent && lastTyped.conversationId === conversationId)) return;
      lastTyped = { conversationId, at: now() };
      say(presenceNames.typing, { ConversationID: conversationId });
    },
  };
}

const own = createTeller(() => Date.now());

/** Connects or disconnects the socket that reports what the user is viewing. */
export function connectPresence(next: Say | undefined): void {
  if (!next) others.forget();
  own.connect(next);
}

export function hearPresence(said: Presence | undefined): void {
  if (said) others.hear(said);
}

/** Tells the others that the user is typing. */
export function sayTyping(conversationId: number): void {
  own.type(conversationId);
}

/** Their text has arrived, so they are no longer typing it. */
export function hasWritten(conversationId: number, userId: number): void {
  others.stopTyping(conversationId, userId);
}

/** Tells the others that the user is viewing the conversation, while it is visible. */
export function useSayViewing(conversationId: number): void {
  useEffect(() => {
    const tell = () => own.view(document.visibilityState === 'visible' ? conversationId : null);
    tell();
    const again = setInterval(tell, viewingMs);
    document.addEventListener('visibilitychange', tell);
    return () => {
      clearInterval(again);
      document.removeEventListener('visibilitychange', tell);
      own.view(null);
    };
  }, [conversationId]);
}

const nobody: readonly PresentPerson[] = [];

/** The other people who are viewing this conversation. */
export function usePresent(conversationId: number): readonly PresentPerson[] {
  const ownId = useUser()?.UserID;
  const present = useSyncExternalStore(others.subscribe, () => others.people()[conversationId] ?? nobody);
  return present.some(({ UserID }) => UserID === ownId)
    ? present.filter(({ UserID }) => UserID !== ownId)
    : present;
}

/** "Marcus Bell is typing", "Marcus Bell and Joanne Pruitt are viewing this conversation". Typing wins. */
export function presenceLine(people: readonly PresentPerson[]): string {
  const typing = people.filter(({ isTyping }) => isTyping);
  const shown = typing.length > 0 ? typing : people;
  if (shown.length === 0) return '';
  const [first, second] = shown.map(({ Name }) => Name);
  const names =
    shown.length === 1
      ? first
      : shown.length === 2
        ? `${first} and ${second}`
        : `${first} and ${shown.length - 1} others`;
  if (shown.length === 1)
    return typing.length > 0 ? `${names} is typing` : `${names} is viewing this conversation`;
  return typing.length > 0 ? `${names} are typing` : `${names} are viewing this conversation`;
}
