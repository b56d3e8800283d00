import type { OutboxEntry, TextStore } from './outbox.ts';

/**
 * The data that the service worker needs to send a text while no page can. Pages and worker use the same
 * names.
 */
interface KeptText extends OutboxEntry {
  userId: number;
  /** The body of the call, the same at every try: the server compares it with that of the first try. */
  body: object;
}

const name = 'muster-outbox';
const table = 'texts';

/** Texts in the browser's database, separate for each user. */
export function openTextStore(userId: number, bodyOf: (entry: OutboxEntry) => object): TextStore {
  /** If the browser's database can't be used, as in some private windows, texts last as long as the page. */
  const unsaved = new Map<string, OutboxEntry>();
  const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(name);
  let opening: Promise<IDBDatabase> | undefined;

  const open = () => {
    opening ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(table, { keyPath: 'key' });
      request.onsuccess = () => {
        // The browser may close it, as when site data are cleared. The next use opens it again.
        request.result.onclose = () => {
          opening = undefined;
        };
        resolve(request.result);
      };
      request.onerror = () => reject(request.error);
    });
    return opening;
  };

  async function run<T>(mode: IDBTransactionMode, act: (texts: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    const database = await open();
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(table, mode);
      const request = act(transaction.objectStore(table));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  }

  const read = (act: (texts: IDBObjectStore) => IDBRequest<KeptText[]>) =>
    run('readonly', act).catch(() => []);
  const tell = () => channel?.postMessage(userId);

  return {
    async list() {
      const kept = await read((texts) => texts.getAll());
      return [...kept.filter((entry) => entry.userId === userId), ...unsaved.values()];
    },
    async get(key) {
      return unsaved.get(key) ?? (await read((texts) => texts.getAll(key)))[0];
    },
    async put(entry) {
      const kept: KeptText = { ...entry, userId, body: bodyOf(entry) };
      try {
        await run('readwrite', (texts) => texts.put(kept));
        unsaved.delete(entry.key);
        tell();
      } catch {
        unsaved.set(entry.key, entry);
      }
    },
    async delete(key) {
      unsaved.delete(key);
      await run('readwrite', (texts) => texts.delete(key)).catch(() => undefined);
      tell();
    },
    alone: async (conversationId, work) =>
      // Plain http has no locks; there the idempotency key alone keeps a text from being sent twice.
      navigator.locks ? navigator.locks.request(`${name}-${userId}-${conversationId}`, work) : work(),
    hear(listener) {
      channel?.addEventListener('message', ({ data }) => {
        if (data === userId) listener();
      });
    },
  };
}
