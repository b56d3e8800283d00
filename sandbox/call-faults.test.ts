// Providers of calls that lose, repeat, refuse and are late.
import { describe, expect, it } from 'vitest';
import { basic, twilioBase } from './testing.ts';
import { callSandboxForEachTest, client, isLast, isStatus, muster, place, until } from './testing-calls.ts';

callSandboxForEachTest();

describe('faults of calls', () => {
  const faults = (change: Record<string, unknown>) =>
    client.call('POST', '/faults', { Channel: 'calls', ...change });
  const send = (signal: AbortSignal | null = null) =>
    fetch(`${client.sandbox.url}${twilioBase}/Calls.json`, {
      method: 'POST',
      headers: { authorization: basic },
      body: new URLSearchParams({ To: '+14235550143', From: '+14235550120', Url: `${muster.url}/doc` }),
      signal,
    });
  /** The call is placed, the answer doesn't come, and whoever waits for it gives up. */
  const sendInVain = async (placed: number) => {
    const patience = new AbortController();
    const sent = expect(send(patience.signal)).rejects.toThrow();
    await expect
      .poll(async () => (await client.call('GET', '/stats')).json, { timeout: 120_000 })
      .toMatchObject({ CallsPlaced: placed });
    patience.abort();
    await sent;
  };

  it('lose answers, refuse, and are late; texts are untouched', async () => {
    await faults({ TimeoutAfterAccept: 1 });
    await sendInVain(1);
    await faults({ TimeoutAfterAccept: 0, ResetAfterAccept: 1 });
    await expect(send()).rejects.toThrow();
    expect((await client.call('GET', '/stats')).json).toMatchObject({ CallsPlaced: 2, CallsRepeated: 1 });
    await faults({ ResetAfterAccept: 0, TooManyRequests: 1 });
    const busy = await send();
    expect(busy.status).toBe(429);
    expect(await busy.json()).toMatchObject({ code: 20429 });
    await faults({ TooManyRequests: 0, ServerError: 1 });
    expect((await send()).status).toBe(500);
    const text = await client.form(`${twilioBase}/Messages.json`, {
      To: '+14235550143',
      From: '+14235550120',
      Body: 'Hi',
    });
    expect(text.status).toBe(201);
    await faults({ ServerError: 0, AnswerDelayMs: 60_000 });
    await sendInVain(3);
    expect((await faults({ Channel: 'letters' })).status).toBe(400);
  });

  it('lose webhooks, or send them twice', async () => {
    await faults({ ReceiptLost: 1 });
    const lost = await place('0146');
    await until('0146', 'Ended');
    await faults({ ReceiptLost: 0, ReceiptDuplicate: 1 });
    const doubled = await place('0148');
    const twice = await muster.waitFor(2, isLast(doubled.sid));
    expect(new Set(twice.map(({ headers }) => headers['i-twilio-idempotency-token'])).size).toBe(1);
    expect(muster.hooks.filter(({ body }) => body.includes(lost.sid))).toEqual([]);
  });

  it('repeat a webhook only as its address asks', async () => {
    let refusals = 0;
    muster.answer = (hook) => (isStatus('failed')(hook) && refusals++ < 2 ? 503 : 200);
    const { sid } = await place('0148', { StatusCallback: `${muster.url}/status#rc=5&rp=all` });
    expect(await muster.waitFor(3, isLast(sid))).toHaveLength(3);
    refusals = 0;
    const once = await place('0149');
    await muster.waitFor(1, isLast(once.sid));
    const another = await place('0146');
    await muster.waitFor(1, isLast(another.sid));
    expect(muster.hooks.filter(isLast(once.sid))).toHaveLength(1);
  });
});
