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
  hasSignature: boolean;
  at: string;
  state: 'sending' | 'waiting' | 'failed' | 'overtaken';
  /** It waits or failed, but may have arrived: should it turn up in the thread, it is taken out here. */
  isUnsure: boolean;
  /** Why it failed, as it is shown. */
  reason: string;
  /** The newest text of the thread when this one was sent; what is newer may be this one. */
  newestKnownId: number;
  /** The newest text that its writer had read; undefined when it is to be sent whoever has answered. */
  seenId?: number | undefined;
  /**
   * Sent with every try of this text, so that one that arrived although we never heard so isn't sent
   * twice. Only a refusal, after which nothing can have happened, gets a new one.
   */
  idempotencyKey: string;
}

/**
 * What became of a try. `unreachable`, `unsure`: it may have arrived. `refused`, `overtaken`: it certainly had no
 * effect.
 */
export type Posted =
  | { result: 'sent' }
  | { result: 'unreachable' | 'unsure' | 'refused' | 'overtaken'; reason: string };

/** A text that has waited longer is no longer sent by itself: what it says may not be true any more. */
export const SENT_BY_ITSELF_MS = 10 * 60_000;
const waitedTooLong = 'There was no connection for too long.';

type WrittenText = Pick<
  OutboxEntry,
  'conversationId' | 'text' | 'pictures' | 'hasSignature' | 'at' | 'newestKnownId' | 'seenId'
>;

interface OutboxParts {
  /** Where texts outlive a reload. */
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  storageKey: string;
  post: (entry: OutboxEntry) => Promise<Posted>;
  newKey: () => string;
}

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Holds texts until the server has them. Those of one conversation go one after the other, so that
 * they arrive in the order in which they were written.
 */
export function createOutbox({ storage, storageKey, post, newKey }: OutboxParts) {
  let entries = recall();
  const listeners = new Set<() => void>();
  const lines = new Map<number, Promise<boolean>>();

  function recall(): OutboxEntry[] {
    try {
      const kept: OutboxEntry[] = JSON.parse(storage.getItem(storageKey) ?? '[]');
      // The page went away while these were under way: nobody knows, so somebody has to press again.
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
      // Storage is full or refused: the texts live as long as the page.
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

  /** Answers whether the server has it. */
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

  /** What was written first is sent first. */
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
    /** Answers whether the server has it; one that waits or failed is sent again later. */
    send(text: WrittenText): Promise<boolean> {
      const key = newKey();
      publish([
        ...entries,
        { ...text, key, state: 'sending', isUnsure: false, reason: '', idempotencyKey: newKey() },
      ]);
      return enqueue(key, text.conversationId);
    },
    /** Once more; of one that was overtaken this means: whoever has answered. */
    async tryAgain(key: string): Promise<void> {
      const entry = entries.find((candidate) => candidate.key === key);
      if (!entry || entry.state === 'sending') return;
      const anyway = entry.state === 'overtaken' ? { seenId: undefined } : {};
      change(key, { state: 'sending', reason: '', ...anyway });
      await enqueue(key, entry.conversationId);
    },
    /**
     * The server can be reached again: sends what waits, each with the key of its first try. Answers the keys of
     * those that have waited too long, and are left for somebody to decide.
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
