import { describe, expect, it } from 'vitest';
import { createOutbox, type OutboxEntry, type Posted, SENT_BY_ITSELF_MS } from './outbox.ts';

function memory() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
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

const written = Date.parse('2026-03-11T15:00:00.000Z');

const text = (words: string, conversationId = 5) => ({
  conversationId,
  text: words,
  pictures: [],
  hasSignature: false,
  at: '2026-03-11T15:00:00.000Z',
  newestKnownId: 0,
});

/** Lets what has been promised so far happen. */
const settle = () => new Promise((done) => setImmediate(done));

function outboxWith(storage = memory()) {
  const { tries, post } = desk();
  return { outbox: createOutbox({ storage, storageKey: 'box', post, newKey: counter() }), tries, storage };
}

describe('outbox', () => {
  it('keeps a text until the server has it', async () => {
    const { outbox, tries, storage } = outboxWith();
    const sent = outbox.send(text('Hello'));
    await settle();
    expect(outbox.entries()).toMatchObject([{ text: 'Hello', state: 'sending' }]);
    tries[0]?.answer({ result: 'sent' });
    await sent;
    expect(outbox.entries()).toEqual([]);
    expect(storage.kept.size).toBe(0);
  });

  it('sends the texts of a conversation one after the other, those of others at once', async () => {
    const { outbox, tries } = outboxWith();
    void outbox.send(text('one'));
    void outbox.send(text('two'));
    void outbox.send(text('elsewhere', 6));
    await settle();
    expect(tries.map(({ entry }) => entry.text)).toEqual(['one', 'elsewhere']);
    tries[0]?.answer({ result: 'sent' });
    await settle();
    expect(tries.map(({ entry }) => entry.text)).toEqual(['one', 'elsewhere', 'two']);
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

  it('takes a new key after a refusal and shows its reason', async () => {
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

  it('waits when somebody else has answered, and goes out anyway when told so, with a new key', async () => {
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

  it('goes on with the next text when one fails', async () => {
    const { outbox, tries } = outboxWith();
    void outbox.send(text('one'));
    void outbox.send(text('two'));
    await settle();
    tries[0]?.fail();
    await settle();
    expect(tries[1]?.entry.text).toBe('two');
  });

  it('outlives a reload: what was under way waits for somebody, with its key', async () => {
    const { outbox, tries, storage } = outboxWith();
    void outbox.send(text('Hello'));
    await settle();
    const after = outboxWith(storage);
    expect(after.outbox.entries()).toMatchObject([
      { text: 'Hello', state: 'failed', idempotencyKey: tries[0]?.entry.idempotencyKey },
    ]);
  });

  it('waits without a connection, and is sent once with its first key when it is back', async () => {
    const { outbox, tries, storage } = outboxWith();
    const sending = outbox.send(text('Hello'));
    await settle();
    tries[0]?.answer({ result: 'unreachable', reason: '' });
    expect(await sending).toBe(false);
    expect(outbox.entries()).toMatchObject([{ state: 'waiting', isUnsure: true }]);

    // Also after a reload.
    const after = outboxWith(storage);
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

  it('begins empty when what was kept can’t be read', () => {
    const storage = memory();
    storage.kept.set('box', '{not json');
    expect(outboxWith(storage).outbox.entries()).toEqual([]);
  });
});
