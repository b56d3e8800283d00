import { describe, expect, it } from 'vitest';
import {
  canBeTriedAgain,
  createOutbox,
  type OutboxEntry,
  type Posted,
  SENT_BY_ITSELF_MS,
  type TextStore,
} from './outbox.ts';

/** A store that several pages share, like the browser's database. */
function memory() {
  const kept = new Map<string, OutboxEntry>();
  const listeners: (() => void)[] = [];
  let line: Promise<unknown> = Promise.resolve();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  const store: TextStore = {
    list: async () => [...kept.values()],
    get: async (key) => kept.get(key),
    put: async (entry) => {
      kept.set(entry.key, entry);
      tell();
    },
    delete: async (key) => {
      kept.delete(key);
      tell();
    },
    alone: (_, work) => {
      const own = line.then(work);
      line = own.catch(() => undefined);
      return own;
    },
    hear: (listener) => void listeners.push(listener),
  };
  return { kept, ...store };
}

/** A server whose answers the test gives one by one. */
function desk() {
  const tries: { entry: OutboxEntry; answer: (posted: Posted) => void; fail: () => void }[] = [];
  const post = (entry: OutboxEntry) =>
    new Promise<Posted>((answer, reject) =>
      tries.push({ entry, answer, fail: () => reject(new Error('network')) }),
    );
  return { tries, post };
}

function counter() {
  let last = 0;
  return () => {
    last += 1;
    return `key-${last}`;
  };
}

const at = new Date().toISOString();
const written = Date.parse(at);

const text = (words: string, conversationId = 5) => ({
  conversationId,
  text: words,
  pictures: [],
  hasSignature: false,
  at,
  newestKnownId: 0,
});

/** Lets what has been promised so far happen. */
const settle = () => new Promise((done) => setImmediate(done));

function outboxWith(store = memory(), newKey = counter()) {
  const { tries, post } = desk();
  return { outbox: createOutbox({ store, post, newKey }), tries, store };
}

describe('outbox', () => {
  it('keeps a text until the server has it', async () => {
    const { outbox, tries, store } = outboxWith();
    const sent = outbox.send(text('Hello'));
    await settle();
    expect(outbox.entries()).toMatchObject([{ text: 'Hello', state: 'sending' }]);
    tries[0]?.answer({ result: 'sent' });
    await sent;
    expect(outbox.entries()).toEqual([]);
    expect(store.kept.size).toBe(0);
  });

  it('sends the texts of a conversation one after the other', async () => {
    const { outbox, tries } = outboxWith();
    void outbox.send(text('one'));
    void outbox.send(text('two'));
    await settle();
    expect(tries.map(({ entry }) => entry.text)).toEqual(['one']);
    tries[0]?.answer({ result: 'sent' });
    await settle();
    expect(tries.map(({ entry }) => entry.text)).toEqual(['one', 'two']);
  });

  it('tries again with the same key when the text may have arrived', async () => {
    const { outbox, tries } = outboxWith();
    void outbox.send(text('Hello'));
    await settle();
    tries[0]?.fail();
    await settle();
    const [failed] = outbox.entries();
    expect(failed).toMatchObject({ state: 'failed', isUnsure: true, text: 'Hello' });
    void outbox.tryAgain(failed?.key ?? '');
    await settle();
    expect(tries[1]?.entry.idempotencyKey).toBe(tries[0]?.entry.idempotencyKey);
  });

  it('uses a new key after a refusal and shows its reason', async () => {
    const { outbox, tries } = outboxWith();
    void outbox.send(text('Hello'));
    await settle();
    tries[0]?.answer({ result: 'refused', reason: 'This number has opted out of receiving texts.' });
    await settle();
    const [failed] = outbox.entries();
    expect(failed).toMatchObject({
      isUnsure: false,
      reason: 'This number has opted out of receiving texts.',
    });
    void outbox.tryAgain(failed?.key ?? '');
    await settle();
    expect(tries[1]?.entry.idempotencyKey).not.toBe(tries[0]?.entry.idempotencyKey);
  });

  it('waits when somebody else has answered, and goes out on “Send anyway”, with a new key', async () => {
    const { outbox, tries } = outboxWith();
    void outbox.send({ ...text('Hello'), seenId: 4 });
    await settle();
    tries[0]?.answer({ result: 'overtaken', reason: '' });
    await settle();
    const [overtaken] = outbox.entries();
    expect(overtaken).toMatchObject({ state: 'overtaken', isUnsure: false, seenId: 4 });
    void outbox.tryAgain(overtaken?.key ?? '');
    await settle();
    expect(tries[1]?.entry).toMatchObject({ text: 'Hello', seenId: undefined });
    expect(tries[1]?.entry.idempotencyKey).not.toBe(tries[0]?.entry.idempotencyKey);
  });

  it('continues with the next text when one fails', async () => {
    const { outbox, tries } = outboxWith();
    void outbox.send(text('one'));
    void outbox.send(text('two'));
    await settle();
    tries[0]?.fail();
    await settle();
    expect(tries[1]?.entry.text).toBe('two');
  });

  it('survives a reload and a restart: a text that was being sent is sent again with its key', async () => {
    const { outbox, tries, store } = outboxWith();
    void outbox.send(text('Hello'));
    await settle();
    // The page is gone, and with it the callers that were waiting.
    const after = outboxWith({ ...store, alone: (_, work) => work() });
    await after.outbox.ready;
    expect(after.outbox.entries()).toMatchObject([{ text: 'Hello', state: 'waiting', isUnsure: true }]);
    after.outbox.resume(written);
    await settle();
    expect(after.tries.map(({ entry }) => entry.idempotencyKey)).toEqual([tries[0]?.entry.idempotencyKey]);
  });

  it('is sent by one of two pages, and leaves the other', async () => {
    const store = memory();
    const newKey = counter();
    const one = outboxWith(store, newKey);
    const two = outboxWith(store, newKey);
    void one.outbox.send(text('Hello'));
    await settle();
    one.tries[0]?.answer({ result: 'unreachable', reason: '' });
    await settle();
    expect(two.outbox.entries()).toMatchObject([{ text: 'Hello', state: 'waiting' }]);
    one.outbox.resume(written);
    two.outbox.resume(written);
    await settle();
    one.tries[1]?.answer({ result: 'sent' });
    await settle();
    expect([one.tries.length, two.tries.length]).toEqual([2, 0]);
    expect(one.outbox.entries()).toEqual([]);
    expect(two.outbox.entries()).toEqual([]);
  });

  it('can’t be withdrawn once another page has sent it', async () => {
    const store = memory();
    const { outbox, tries } = outboxWith(store);
    void outbox.send(text('Hello'));
    await settle();
    tries[0]?.answer({ result: 'unreachable', reason: '' });
    await settle();
    const [{ key = '' } = {}] = outbox.entries();
    store.kept.delete(key);
    expect(await outbox.withdraw(key)).toBe(false);
    expect(outbox.entries()).toEqual([]);
  });

  it('keeps its key when a try that may have arrived is followed by a refusal', async () => {
    const { outbox, tries } = outboxWith();
    void outbox.send(text('Hello'));
    await settle();
    tries[0]?.answer({ result: 'unreachable', reason: '' });
    await settle();
    outbox.resume(written);
    await settle();
    tries[1]?.answer({ result: 'refused', reason: 'Your session ended before this text was sent.' });
    await settle();
    const [failed] = outbox.entries();
    expect(failed).toMatchObject({ state: 'failed', isUnsure: true });
    void outbox.tryAgain(failed?.key ?? '');
    await settle();
    expect(tries[2]?.entry.idempotencyKey).toBe(tries[0]?.entry.idempotencyKey);
  });

  it('keeps its key when it was repeated within a try, or by the service worker, before a refusal', async () => {
    const { outbox, tries, store } = outboxWith();
    const refused: Posted = { result: 'refused', reason: 'Your session ended before this text was sent.' };
    void outbox.send(text('Hello'));
    await settle();
    tries[0]?.answer({ ...refused, wasUnsure: true });
    await settle();
    const [hello] = outbox.entries();
    expect(hello).toMatchObject({ state: 'failed', isUnsure: true });
    void outbox.tryAgain(hello?.key ?? '');
    await settle();
    expect(tries[1]?.entry.idempotencyKey).toBe(tries[0]?.entry.idempotencyKey);

    // The service worker tries one that no page has tried yet: it waited behind another one.
    tries[1]?.answer({ result: 'unreachable', reason: '' });
    void outbox.send(text('Bye'));
    await settle();
    const bye = outbox.entries().find((entry) => entry.text === 'Bye');
    expect(bye).toMatchObject({ state: 'waiting', isUnsure: false });
    if (bye) await store.put({ ...bye, isUnsure: true });
    await settle();
    outbox.resume(written);
    await settle();
    tries[2]?.answer({ result: 'sent' });
    await settle();
    tries[3]?.answer(refused);
    await settle();
    expect(outbox.entries()).toMatchObject([
      { text: 'Bye', isUnsure: true, idempotencyKey: bye?.idempotencyKey },
    ]);
  });

  it('is not tried again when the server may have forgotten its key', async () => {
    const { outbox, tries } = outboxWith();
    void outbox.send({ ...text('Hello'), at: '2026-03-11T15:00:00.000Z' });
    await settle();
    tries[0]?.answer({ result: 'unreachable', reason: '' });
    await settle();
    const [key = ''] = outbox.resume(Date.now());
    const [old] = outbox.entries();
    expect(old).toMatchObject({ state: 'failed', reason: expect.stringContaining('may have been sent') });
    expect(old && canBeTriedAgain(old, Date.now())).toBe(false);
    await outbox.tryAgain(key);
    expect(tries).toHaveLength(1);
  });

  it('waits without a connection, and is sent once with its first key when it is back', async () => {
    const { outbox, tries, store } = outboxWith();
    const sending = outbox.send(text('Hello'));
    await settle();
    tries[0]?.answer({ result: 'unreachable', reason: '' });
    expect(await sending).toBe(false);
    expect(outbox.entries()).toMatchObject([{ state: 'waiting', isUnsure: true }]);

    // Also after a reload.
    const after = outboxWith(store);
    await after.outbox.ready;
    expect(after.outbox.resume(written + 60_000)).toEqual([]);
    expect(after.outbox.resume(written + 60_000)).toEqual([]);
    await settle();
    expect(after.tries.map(({ entry }) => entry.idempotencyKey)).toEqual([tries[0]?.entry.idempotencyKey]);
    after.tries[0]?.answer({ result: 'sent' });
    await settle();
    expect(after.outbox.entries()).toEqual([]);
  });

  it('keeps the order of a conversation while its first text waits', async () => {
    const { outbox, tries } = outboxWith();
    void outbox.send(text('one'));
    void outbox.send(text('two'));
    await settle();
    tries[0]?.answer({ result: 'unreachable', reason: '' });
    await settle();
    expect(tries).toHaveLength(1);
    expect(outbox.entries().map(({ state }) => state)).toEqual(['waiting', 'waiting']);
    outbox.resume(written);
    await settle();
    expect(tries.map(({ entry }) => entry.text)).toEqual(['one', 'one']);
    tries[1]?.answer({ result: 'sent' });
    await settle();
    expect(tries.map(({ entry }) => entry.text)).toEqual(['one', 'one', 'two']);
  });

  it('leaves a text that has waited too long to its writer', async () => {
    const { outbox, tries } = outboxWith();
    void outbox.send(text('We open at eight'));
    await settle();
    tries[0]?.answer({ result: 'unreachable', reason: '' });
    await settle();
    const late = outbox.resume(written + SENT_BY_ITSELF_MS + 1);
    await settle();
    expect(late).toEqual(outbox.entries().map(({ key }) => key));
    expect(outbox.entries()).toMatchObject([{ state: 'failed', isUnsure: true }]);
    expect(tries).toHaveLength(1);
    void outbox.tryAgain(late[0] ?? '');
    await settle();
    expect(tries[1]?.entry.idempotencyKey).toBe(tries[0]?.entry.idempotencyKey);
  });

  const people = [
    { name: 'Ana Bell', phone: '4235550142', hasOptedOut: false },
    { name: '', phone: '4235550143', hasOptedOut: false },
  ];
  const beginning = (words: string) => ({
    text: words,
    pictures: [],
    hasSignature: false,
    at,
    begins: { textNumberId: 7, recipients: people },
  });

  it('keeps a text to somebody new over a tunnel and a restart, and sends it once with its first key', async () => {
    const { outbox, tries, store } = outboxWith();
    const { posted } = outbox.begin(beginning('Hello'));
    await settle();
    tries[0]?.answer({ result: 'unreachable', reason: '' });
    expect(await posted).toMatchObject({ result: 'unreachable' });

    const after = outboxWith(store);
    await after.outbox.ready;
    expect(after.outbox.entries()).toMatchObject([{ state: 'waiting', begins: { recipients: people } }]);
    after.outbox.resume(written + 60_000);
    after.outbox.resume(written + 60_000);
    await settle();
    expect(after.tries.map(({ entry }) => entry.idempotencyKey)).toEqual([tries[0]?.entry.idempotencyKey]);
    after.tries[0]?.answer({ result: 'sent' });
    await settle();
    expect(store.kept.size).toBe(0);
  });

  it('leaves those who didn’t get it, and doesn’t send to the others again', async () => {
    const { outbox, tries } = outboxWith();
    const { key } = outbox.begin(beginning('Hello'));
    await settle();
    const begins = { textNumberId: 7, recipients: people.slice(1) };
    tries[0]?.answer({ result: 'partly', reason: 'This number has opted out.', begins });
    await settle();
    expect(outbox.entries()).toMatchObject([{ state: 'failed', isUnsure: false, begins }]);
    void outbox.tryAgain(key);
    await settle();
    expect(tries[1]?.entry).toMatchObject({ begins });
    expect(tries[1]?.entry.idempotencyKey).not.toBe(tries[0]?.entry.idempotencyKey);
  });
});
