/**
 * Calls over a real Asterisk to people that SIPp plays: 50 at once, each hears the whole message, and the key that each
 * presses arrives. Beside them 5 calls, in the same run.
 *
 *   node bench/asterisk.ts [calls]
 *
 * It needs Asterisk and SIPp (Debian: asterisk from testing, sip-tester). ASTERISK_BIN, SIPP_BIN and ASTERISK_ROOT name
 * them where they are not installed in their own places.
 */
import { anyFlow } from '../server/outside/testing/asterisk-ear.ts';
import { isAsteriskHere, startAsterisk } from '../server/outside/testing/real-asterisk.ts';

const count = Number(process.argv[2] ?? 50);
const seconds = 20;

if (!isAsteriskHere) {
  console.log('Asterisk and SIPp are not installed: nothing was measured.');
  process.exit(0);
}
const real = await startAsterisk(
  { sip: 25_060, people: 25_070, ari: 25_088, rtp: 26_000 },
  {
    seconds,
    answer: ({ at }) => {
      if (at === 'answered') {
        // The message first, then the question: a key during the question ends nothing of the message.
        return [
          { do: 'say', text: 'The message' },
          { do: 'go', next: 'heard' },
        ];
      }
      if (at === 'heard') return [{ do: 'ask', first: [], mostKeys: 1, waitSeconds: 6, next: 'keys' }];
      return [{ do: 'hangUp' }];
    },
  },
);
let isHeld = true;
try {
  for (const size of [5, count]) {
    real.news.length = 0;
    const started = Date.now();
    for (let index = 0; index < size; index += 1) {
      const order = {
        ...{ key: `c1-${size}-1-${index}`, from: '14235550100', to: `1423555${5100 + index}` },
        ...{ ringSeconds: 25, detectMachine: false, flow: anyFlow },
      };
      while ((await real.provider.place(order)).outcome === 'later')
        await new Promise((done) => setTimeout(done, 50));
      // 25 starts a second.
      await new Promise((done) => setTimeout(done, 40));
    }
    await real.until(
      () => (real.news.filter(({ kind }) => kind === 'ended').length === size ? true : undefined),
      120,
    );
    const ended = real.news.filter((each) => each.kind === 'ended');
    const keys = real.news.filter(
      (each) => each.kind === 'step' && each.at === 'keys' && each.keys === '1',
    ).length;
    const whole = ended.filter((each) => each.kind === 'ended' && (each.seconds ?? 0) >= seconds).length;
    isHeld &&= keys === size && whole === size;
    console.log(
      `${size} calls at once: ${whole} heard the whole message of ${seconds} s, ${keys} keys arrived, ${Math.round((Date.now() - started) / 1000)} s`,
    );
  }
} finally {
  await real.stop();
}
console.log(
  isHeld ? 'It holds: every call hears the whole message, and every key arrives.' : 'It does NOT hold.',
);
process.exitCode = isHeld ? 0 : 1;
