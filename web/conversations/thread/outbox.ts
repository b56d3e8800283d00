import type { MediaItem } from '../../../contract/media.ts';
import type { BegunReply, Recipient } from '../../queries/new-conversation.ts';

/**
 * A text on its way to the server.
 *   sending → (gone)    the server has it: from now on it is a message of the thread
 *   sending → waiting   the server could not be reached; it is sent when it can be
 *   waiting → sending   the connection is back
 *   waiting → failed    the connection came back too late: somebody has to press "Try again"
 *   sending → failed    it was refused, or failed on the server; it stays with its reason
 *   sending → failed    some of several new people didn't get it: it stays for them
 *   sending → overtaken somebody else here has answered since; it stays until its writer has decided
 *   failed → sending    somebody pressed "Try again"
 *   overtaken → sending somebody pressed "Send anyway"
 *   waiting, failed, overtaken → (gone)  somebody moved it to the composer, or it had arrived after all
 * The user's other pages and the service worker send from the same store. Whoever sends a conversation's texts does so
 * alone, and looks first whether the text is still there.
 */
export interface OutboxEntry {
  key: string;
  /** BEGINNING for a text to somebody new. */
  conversationId: number;
  /** Only for a text to somebody new. */
  begins?: { textNumberId: number; recipients: readonly Recipient[] } | undefined;
  text: string;
  pictures: MediaItem[];
  keepsCharacters?: boolean | undefined;
  hasSignature: boolean;
  at: string;
  state: 'sending' | 'waiting' | 'failed' | 'overtaken';
  /** It waits or failed, but may have arrived. If it shows up in the thread, it leaves the outbox. */
  isUnsure: boolean;
  /** The reason for the failure, as shown. */
  reason: string;
  /** The newest text of the thread when this one was sent. Newer ones may be this one. */
  newestKnownId: number;
  /** The newest text that its writer had read; undefined if it should be sent whoever has replied. */
  seenId?: number | undefined;
  /**
   * Sent with every try, so that a text that arrived without our knowing isn't sent twice. Only a refusal, which
   * guarantees that nothing was sent, gets a new key. If an earlier try may have arrived, nothing guarantees it.
   */
  idempotencyKey: string;
}

/** Texts that begin conversations are sent one after the other, as if they were in one. */
const BEGINNING = 0;

/**
 * The result of a try. `unreachable`, `unsure`: it may have arrived. `refused`, `overtaken`: it had no effect, unless
 * `wasUnsure`: it was repeated, and one before may have arrived.
 */
export type Posted =
  | { result: 'sent'; reply?: BegunReply }
  /** Some of several new people got it. `begins` are the others. */
  | { result: 'partly'; reason: string; begins: OutboxEntry['begins']; reply?: BegunReply }
  | {
      result: 'unreachable' | 'unsure' | 'refused' | 'overtaken';
      reason: string;
      wasUnsure?: boolean;
      error?: unknown;
    };

/**
 * A text that waited longer isn't sent automatically, because it may be out of date. Trains need less for the longest
 * tunnels there are. The service worker has the same limit.
 */
export const SENT_BY_ITSELF_MS = 30 * 60_000;
const waitedTooLong = 'There was no connection for too long.';

/** The server forgets keys after three days. After that, a text that may have arrived could arrive twice. */
const KEY_LASTS_MS = 2 * 24 * 3_600_000;
const maybeSent = 'It may have been sent. Read the conversation before you write it again.';

type WrittenText = Pick<
  OutboxEntry,
  | 'conversationId'
  | 'begins'
  | 'text'
  | 'pictures'
  | 'keepsCharacters'
  | 'hasSignature'
  | 'at'
  | 'newestKnownId'
  | 'seenId'
>;

/** Keeps one user's texts over a reload and a restart of the browser, for all their pages. */
export interface TextStore {
  list: () => Promise<OutboxEntry[]>;
  get: (key: string) => Promise<OutboxEntry | undefined>;
  put: (entry: OutboxEntry) => Promise<void>;
  delete: (key: string) => Promise<void>;
  /** Only one of the user's pages at a time works on a conversation's texts. */
  alone: <T>(conversationId: number, work: () => Promise<T>) => Promise<T>;
  /** Called when another page or the service worker has changed something. */
  hear: (listener: () => void) => void;
}

interface OutboxParts {
  store: TextStore;
  post: (entry: OutboxEntry) => Promise<Posted>;
  newKey: () => string;
}

export type Outbox = ReturnType<typeof createOutbox>;

/** True if a failed text may be tried again without the risk of a second one. */
export function canBeTriedAgain({ isUnsure, at }: OutboxEntry, nowMs: number): boolean {
  return !isUnsure || nowMs - Date.parse(at) < KEY_LASTS_MS;
}

/** Holds texts until the server has them. Sends those of one conversation in order. */
export function createOutbox({ store, post, newKey }: OutboxParts) {
  let entries: OutboxEntry[] = [];
  let version = 0;
  const listeners = new Set<() => void>();
  const lines = new Map<number, Promise<Posted | undefined>>();
  /** Texts that this page is sending: what the store says about them is older. */
  const ours = new Set<string>();

  function publish(next: OutboxEntry[]): void {
    entries = next;
    version += 1;
    for (const listener of listeners) listener();
  }

  async function reload(): Promise<void> {
    const before = version;
    const kept = await store.list();
    if (before !== version) return reload();
    const own = entries.filter(({ key }) => ours.has(key));
    const others = kept.filter(({ key }) => !ours.has(key)).map(asFound);
    publish([...others, ...own].sort((a, b) => a.at.localeCompare(b.at)));
  }

  function change(key: string, by: Partial<OutboxEntry>): Promise<void> {
    publish(entries.map((entry) => (entry.key === key ? { ...entry, ...by } : entry)));
    const changed = find(key);
    return changed ? store.put(changed) : Promise.resolve();
  }

  const find = (key: string) => entries.find((candidate) => candidate.key === key);

  function enqueue(key: string, conversationId: number, saved: Promise<void>): Promise<Posted | undefined> {
    ours.add(key);
    const before = lines.get(conversationId) ?? Promise.resolve(undefined);
    const line = before
      .then(() => saved)
      .then(() => store.alone(conversationId, () => tryPost(key)))
      .finally(() => ours.delete(key));
    lines.set(conversationId, line);
    return line;
  }

  /** Resolves to nothing if it wasn't tried. */
  async function tryPost(key: string): Promise<Posted | undefined> {
    const kept = await store.get(key);
    const entry = find(key);
    if (!entry) return undefined;
    // Another page or the service worker has sent it, or its writer withdrew it there.
    if (!kept) {
      forget(key);
      return undefined;
    }
    if (isDecided(kept)) {
      await change(key, kept);
      return undefined;
    }
    if (isBehindWaiting(entry)) {
      await change(key, { state: 'waiting' });
      return undefined;
    }
    const posted = await post(entry).catch((): Posted => ({ result: 'unsure', reason: '' }));
    if (posted.result === 'sent') {
      await remove(key);
      return posted;
    }
    if (posted.result === 'partly') {
      const { begins, reason } = posted;
      await change(key, { state: 'failed', begins, reason, isUnsure: false, idempotencyKey: newKey() });
      return posted;
    }
    const mayHaveArrived = posted.result === 'unsure' || posted.result === 'unreachable';
    // The service worker may have tried it, which only the store knows.
    const isUnsure = entry.isUnsure || kept.isUnsure || posted.wasUnsure === true || mayHaveArrived;
    await change(key, {
      state: states[posted.result],
      isUnsure,
      reason: posted.reason,
      idempotencyKey: isUnsure ? entry.idempotencyKey : newKey(),
    });
    return posted;
  }

  /** First written, first sent. */
  function isBehindWaiting({ key, conversationId }: OutboxEntry): boolean {
    const own = entries.filter((entry) => entry.conversationId === conversationId);
    const at = own.findIndex((entry) => entry.key === key);
    return own.slice(0, at).some(({ state }) => state === 'waiting');
  }

  const forget = (key: string) => publish(entries.filter((entry) => entry.key !== key));

  function remove(key: string): Promise<void> {
    forget(key);
    return store.delete(key);
  }

  function sendNew(text: WrittenText): { key: string; posted: Promise<Posted | undefined> } {
    const key = newKey();
    const entry: OutboxEntry = {
      ...text,
      key,
      state: 'sending',
      isUnsure: false,
      reason: '',
      idempotencyKey: newKey(),
    };
    ours.add(key);
    publish([...entries, entry]);
    return { key, posted: enqueue(key, text.conversationId, store.put(entry)) };
  }

  const ready = reload();
  store.hear(() => void reload());

  return {
    /** Resolves when the texts that were kept are known. */
    ready,
    entries: () => entries,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Resolves to whether the server has it. One that waits or failed is sent again later. */
    async send(text: WrittenText): Promise<boolean> {
      const { posted } = sendNew(text);
      return (await posted)?.result === 'sent';
    },
    /** A text to somebody new. */
    begin(text: Omit<WrittenText, 'conversationId' | 'newestKnownId'>): ReturnType<typeof sendNew> {
      return sendNew({ ...text, conversationId: BEGINNING, newestKnownId: 0 });
    },
    /** Tries again. For an overtaken text this sends it whoever has replied. */
    async tryAgain(key: string): Promise<void> {
      const entry = find(key);
      if (!entry || entry.state === 'sending' || !canBeTriedAgain(entry, Date.now())) return;
      const anyway = entry.state === 'overtaken' ? { seenId: undefined } : {};
      ours.add(key);
      await enqueue(key, entry.conversationId, change(key, { state: 'sending', reason: '', ...anyway }));
    },
    /**
     * Call when the server is reachable again. Sends waiting texts, each with its original key. Returns the keys of
     * those that waited too long, which the user has to decide about.
     */
    resume(nowMs: number): string[] {
      const waiting = entries.filter(({ state }) => state === 'waiting');
      const isLate = ({ at }: OutboxEntry) => nowMs - Date.parse(at) > SENT_BY_ITSELF_MS;
      const late = waiting.filter(isLate);
      for (const entry of late) {
        const reason = canBeTriedAgain(entry, nowMs) ? waitedTooLong : maybeSent;
        void change(entry.key, { state: 'failed', reason });
      }
      const inTime = waiting.filter((entry) => !isLate(entry));
      for (const { key } of inTime) ours.add(key);
      const saved = inTime.map(({ key }) => change(key, { state: 'sending' }));
      inTime.forEach(({ key, conversationId }, index) => {
        void enqueue(key, conversationId, saved[index] ?? Promise.resolve());
      });
      return late.map(({ key }) => key);
    },
    /** Takes a text out, unless it has been sent meanwhile; resolves to whether it was still there. */
    withdraw(key: string): Promise<boolean> {
      const entry = find(key);
      if (!entry) return Promise.resolve(false);
      return store.alone(entry.conversationId, async () => {
        const kept = await store.get(key);
        await remove(key);
        return kept !== undefined;
      });
    },
    remove: (key: string) => void remove(key),
  };
}

/** Whoever was sending it is gone, or will have ended when this page gets its turn. The key makes a second try safe. */
function asFound(entry: OutboxEntry): OutboxEntry {
  return entry.state === 'sending' ? { ...entry, state: 'waiting', isUnsure: true } : entry;
}

function isDecided({ state }: OutboxEntry): boolean {
  return state === 'failed' || state === 'overtaken';
}

const states = {
  unreachable: 'waiting',
  unsure: 'failed',
  refused: 'failed',
  overtaken: 'overtaken',
} as const satisfies Record<Exclude<Posted['result'], 'sent' | 'partly'>, OutboxEntry['state']>;
