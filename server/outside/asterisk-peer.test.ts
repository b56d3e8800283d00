/** Tests with a real Asterisk. Skipped where Asterisk and SIPp are not installed. */
import { expect, it } from 'vitest';
import { closeAtEnd } from '../testing/closers.ts';
import { freePort } from '../testing/test-sandbox.ts';
import type { CallNews } from './calls.ts';
import { anyFlow } from './testing/asterisk-ear.ts';
import { isAsteriskHere, startAsterisk } from './testing/real-asterisk.ts';

if (!isAsteriskHere)
  console.info('Asterisk and SIPp are not installed: calls are only tried against the sandbox.');

it.skipIf(!isAsteriskHere)(
  'calls people over SIP: keys arrive, refusals are distinguished, and another process takes over',
  { timeout: 90_000 },
  async () => {
    const ports = { sip: await freePort(), people: await freePort(), ari: await freePort(), rtp: 24_000 };
    const real = await startAsterisk(ports, {
      seconds: 4,
      answer: ({ at }) =>
        at === 'keys'
          ? [{ do: 'hangUp' }]
          : [{ do: 'ask', first: [{ do: 'say', text: 'Hello' }], mostKeys: 1, waitSeconds: 4, next: 'keys' }],
    });
    closeAtEnd(() => real.stop());
    const place = (to: string, detectMachine: boolean) =>
      real.provider.place({
        ...{ key: `c1-2-3-${to}`, from: '14235550100', to: `1423555${to}`, ringSeconds: 3, detectMachine },
        flow: anyFlow,
      });
    const endOf = (to: string) =>
      real.until(() =>
        real.news.find(
          (each): each is Extract<CallNews, { kind: 'ended' }> =>
            each.kind === 'ended' && each.key === `c1-2-3-${to}`,
        ),
      );
    while ((await place('0146', true)).outcome === 'later') await new Promise((done) => setTimeout(done, 50));
    for (const to of ['0147', '0148', '0149', '0158']) await place(to, true);
    expect(await place('0151', false)).toEqual({ outcome: 'placed', sid: 'c1-2-3-0151' });
    expect(await place('0151', false)).toEqual({ outcome: 'placed', sid: 'c1-2-3-0151' });
    expect((await endOf('0146')).end).toBe('busy');
    expect((await endOf('0147')).end).toBe('no_answer');
    expect((await endOf('0148')).end).toBe('invalid');
    expect((await endOf('0149')).end).toBe('message_rejected');
    expect((await endOf('0158')).end).toBe('call_failed');
    expect((await endOf('0151')).end).toBe('completed');
    const keys = real.news.filter((each) => each.kind === 'step' && each.at === 'keys');
    expect(keys).toMatchObject([{ key: 'c1-2-3-0151', keys: '1' }]);
    // One process dies while the message plays; the next one continues where it is.
    real.news.length = 0;
    await place('0101', false);
    await real.until(() => real.news.find(({ kind }) => kind === 'step'));
    await real.provider.close();
    real.restart();
    expect((await endOf('0101')).end).toBe('completed');
    expect(real.news.filter(({ kind }) => kind === 'step')).toHaveLength(2);
  },
);
