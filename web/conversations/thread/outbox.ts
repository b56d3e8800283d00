import type { MediaItem } from '../../../contract/media.ts';

/**
 * A text on its way to the server.
 *   sending → (gone)    the server has it: from now on it is a message of the thread
 *   sending → waiting   the server could not be reached; it is sent when it can be
 *   waiting → sending   the connection is back
 *   waiting → failed    the connection came back too late: somebody has to press "Try again"
 *   sending → failed    it was refused, or failed on the server; it stays with its reason
 *   sending → overtaken somebody else here has answered since; it stays until its writer has decided
 *   failed → sending    somebody pressed "Try again"
 *   overtaken → sending somebody pressed "Send anyway"
 *   waiting, failed, overtaken → (gone)  somebody took it back into the composer, or it had arrived after all
 */
export interface OutboxEntry {
  key: string;
  conversationId: number;
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
   * guarantees that nothing was sent, gets a new key.
   */
  idempotencyKey: string;
}

/** The result of a try. `unreachable`, `unsure`: it may have arrived. `refused`, `overtaken`: it had no effect. */
export type Posted =
  | { result: 'sent' }
  | { result: 'unreachable' | 'unsure' | 'refused' | 'overtaken'; reason: string };

/** A text that waited longer isn't sent automatically, because it may be out of date. */
export const SENT_BY_ITSELF_MS = 10 * 60_000;
const waitedTooLong = 'There was no connection for too long.';

type WrittenText = Pick<
  OutboxEntry,
  | 'conversationId'
  | 'text'
  | 'pictures'
  | 'keepsCharacters'
  | 'hasSignature'
  | 'at'
  | 'newestKnownId'
  | 'seenId'
>;

interface OutboxParts {
  /** Storage that survives a reload. */
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  storageKey: string;
  post: (entry: OutboxEntry) => Promise<Posted>;
  newKey: () => string;
}

export type Outbox = ReturnType<typeof createOutbox>;

/** Holds texts until the server has them. Sends those of one conversation in order. */
export function createOutbox({ storage, storageKey, post, newKey }: OutboxParts) {
  let entries = recall();
  const listeners = new Set<() => void>();
  const lines = new Map<number, Promise<boolean>>();

  function recall(): OutboxEntry[] {
    try {
      const kept: OutboxEntry[] = JSON.parse(storage.getItem(storageKey) ?? '[]');
      // The page closed while these were being sent. Their status is unknown, so the user has to decide.
      return kept.map((entry) =>
        entry.state === 'sending' ? { ...entry, state: 'failed', isUnsure: true, reason: '' } : entry,
      );
    } catch {
      return [];
    }
  }

  function publish(next: OutboxEntry[]): void {
    entries = next;
    try {
      if (next.length === 0) storage.removeItem(storageKey);
      else storage.setItem(storageKey, JSON.stringify(next));
    } catch {
      // Without storage, texts last as long as the page.
    }
    for (const listener of listeners) listener();
  }

  function change(key: string, by: Partial<OutboxEntry>): void {
    publish(entries.map((entry) => (entry.key === key ? { ...entry, ...by } : entry)));
  }

  function enqueue(key: string, conversationId: number): Promise<boolean> {
    const before = lines.get(conversationId) ?? Promise.resolve(true);
    const line = before.then(() => tryPost(key));
    lines.set(conversationId, line);
    return line;
  }

  /** Resolves to whether the server has it. */
  async function tryPost(key: string): Promise<boolean> {
    const entry = entries.find((candidate) => candidate.key === key);
    if (!entry) return false;
    if (isBehindWaiting(entry)) {
      change(key, { state: 'waiting' });
      return false;
    }
    const posted = await post(entry).catch((): Posted => ({ result: 'unsure', reason: '' }));
    if (posted.result === 'sent') {
      remove(key);
      return true;
    }
    const isUnsure = posted.result === 'unsure' || posted.result === 'unreachable';
    change(key, {
      state: states[posted.result],
      isUnsure,
      reason: posted.reason,
      idempotencyKey: isUnsure ? entry.idempotencyKey : newKey(),
    });
    return false;
  }

  /** First written, first sent. */
  function isBehindWaiting({ key, conversationId }: OutboxEntry): boolean {
    const own = entries.filter((entry) => entry.conversationId === conversationId);
    const at = own.findIndex((entry) => entry.key === key);
    return own.slice(0, at).some(({ state }) => state === 'waiting');
  }

  function remove(key: string): void {
    publish(entries.filter((entry) => entry.key !== key));
  }

  return {
    entries: () => entries,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Resolves to whether the server has it. One that waits or failed is sent again later. */
    send(text: WrittenText): Promise<boolean> {
      const key = newKey();
      publish([
        ...entries,
        { ...text, key, state: 'sending', isUnsure: false, reason: '', idempotencyKey: newKey() },
      ]);
      return enqueue(key, text.conversationId);
    },
    /** Tries again. For an overtaken text this sends it whoever has replied. */
    async tryAgain(key: string): Promise<void> {
      const entry = entries.find((candidate) => candidate.key === key);
      if (!entry || entry.state === 'sending') return;
      const anyway = entry.state === 'overtaken' ? { seenId: undefined } : {};
      change(key, { state: 'sending', reason: '', ...anyway });
      await enqueue(key, entry.conversationId);
    },
    /**
     * Call when the server is reachable again. Sends waiting texts, each with its original key. Returns the keys of
     * those that waited too long, which the user has to decide about.
     */
    resume(nowMs: number): string[] {
      const waiting = entries.filter(({ state }) => state === 'waiting');
      const isLate = ({ at }: OutboxEntry) => nowMs - Date.parse(at) > SENT_BY_ITSELF_MS;
      for (const { key } of waiting.filter(isLate)) change(key, { state: 'failed', reason: waitedTooLong });
      const inTime = waiting.filter((entry) => !isLate(entry));
      for (const { key } of inTime) change(key, { state: 'sending' });
      for (const { key, conversationId } of inTime) void enqueue(key, conversationId);
      return waiting.filter(isLate).map(({ key }) => key);
    },
    remove,
  };
}

const states = {
  unreachable: 'waiting',
  unsure: 'failed',
  refused: 'failed',
  overtaken: 'overtaken',
} as const satisfies Record<Exclude<Posted['result'], 'sent'>, OutboxEntry['state']>;
