import type { MediaItem } from '../../../contract/media.ts';

/**
 * A text on its way to the server.
 *   sending → (gone)    the server has it: from now on it is a message of the thread
 *   sending → failed    it could not be posted, or was refused; it stays with its reason
 *   sending → overtaken somebody else here has answered since; it stays until its writer has decided
 *   failed → sending    somebody pressed "Try again"
 *   overtaken → sending somebody pressed "Send anyway"
 *   failed, overtaken → (gone)  somebody took it back into the composer, or it had arrived after all
 */
export interface OutboxEntry {
  key: string;
  conversationId: number;
  text: string;
  pictures: MediaItem[];
  hasSignature: boolean;
  at: string;
  state: 'sending' | 'failed' | 'overtaken';
  /** It failed, but may have arrived: should it turn up in the thread, it is taken out here. */
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

/** What became of a try. `unsure`: it may have arrived. `refused`, `overtaken`: it certainly had no effect. */
export type Posted = { result: 'sent' } | { result: 'unsure' | 'refused' | 'overtaken'; reason: string };

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
  const lines = new Map<number, Promise<void>>();

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

  function enqueue(key: string, conversationId: number): Promise<void> {
    const before = lines.get(conversationId) ?? Promise.resolve();
    const line = before.then(() => tryPost(key));
    lines.set(conversationId, line);
    return line;
  }

  async function tryPost(key: string): Promise<void> {
    const entry = entries.find((candidate) => candidate.key === key);
    if (!entry) return;
    const posted = await post(entry).catch((): Posted => ({ result: 'unsure', reason: '' }));
    if (posted.result === 'sent') remove(key);
    else {
      const isUnsure = posted.result === 'unsure';
      change(key, {
        state: posted.result === 'overtaken' ? 'overtaken' : 'failed',
        isUnsure,
        reason: posted.reason,
        idempotencyKey: isUnsure ? entry.idempotencyKey : newKey(),
      });
    }
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
    send(text: WrittenText): Promise<void> {
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
    remove,
  };
}
