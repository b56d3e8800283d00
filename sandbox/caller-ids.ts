// Twilio's OutgoingCallerIds: numbers that may be shown to whoever is called, each proven by a call in which somebody
// types a code.
import { createHash } from 'node:crypto';
import type { Carrier } from './carrier.ts';
import type { Line } from './line.ts';
import { formatNumber } from './numbers.ts';

export type CallerId = { sid: string; number: string; name: string; createdAt: number; updatedAt: number };

/** Twilio calls from here to check a number. */
const verifierNumber = '14157234000';
const words = 'Welcome to Twilio. Please enter your six digit verification code.';
const rightWords = 'Thank you. Your number is verified.';
const tries = 3;
const waitSeconds = 20;

/** True if calls may show this number: Muster's own, or one that was verified. */
export function mayShow(carrier: Carrier, number: string): boolean {
  return carrier.numbers.has(number) || findCallerId(carrier, number) !== undefined;
}

function findCallerId(carrier: Carrier, number: string): CallerId | undefined {
  return [...carrier.callerIds.values()].find((callerId) => callerId.number === number);
}

export function keepCallerId(carrier: Carrier, callerId: CallerId): void {
  carrier.callerIds.set(callerId.sid, callerId);
}

/** Calls the number and keeps it when the code is typed. */
export function startVerification(
  carrier: Carrier,
  {
    number,
    name,
    statusCallback,
  }: { number: string; name: string | undefined; statusCallback: string | undefined },
): { callSid: string; code: string; name: string } {
  const code = String(Math.floor(carrier.random.between(100_000, 1_000_000)));
  const { exchange } = carrier;
  const shown = name ?? formatNumber(number);
  let kept: CallerId | undefined;
  const call = exchange.place({
    provider: 'twilio',
    from: verifierNumber,
    to: number,
    order: { statusEvents: [], timeoutSeconds: 60 },
    script: async (line, signal) => {
      for (let attempt = 0; attempt < tries && !kept; attempt++) {
        const typed = await askCode(line, signal);
        if (typed !== code) continue;
        const now = Date.now();
        const sid = `PN${createHash('sha256').update(`${carrier.salt} ${number}`).digest('hex').slice(0, 32)}`;
        kept = { sid, number, name: shown, createdAt: now, updatedAt: now };
        keepCallerId(carrier, kept);
        carrier.journal?.callerId(kept);
        await say(line, rightWords, signal);
      }
    },
    ended: (ended) => {
      if (statusCallback === undefined) return;
      const parameters: Record<string, string> = {
        AccountSid: carrier.config.twilioAccountSid,
        CallSid: ended.sid,
        To: `+${number}`,
        VerificationStatus: kept ? 'success' : 'failed',
        ...(kept && { OutgoingCallerIdSid: kept.sid }),
      };
      exchange.hooks.tell(statusCallback, parameters, { event: 'verification' });
    },
  });
  return { callSid: call.sid, code, name: shown };
}

async function say(line: Line, text: string, signal: AbortSignal): Promise<void> {
  await line.sound({ words: text }, { length: 4, text }, signal);
}

/** Six keys, or as many as came in time. */
async function askCode(line: Line, signal: AbortSignal): Promise<string> {
  let typed = '';
  let enough: () => void = () => undefined;
  const complete = new Promise<void>((resolve) => {
    enough = resolve;
  });
  const listen = (key: string) => {
    typed += key;
    if (typed.length >= 6) enough();
  };
  line.keyListeners.add(listen);
  try {
    await Promise.race([complete, say(line, words, signal)]);
    if (typed.length < 6) await Promise.race([complete, line.wait(waitSeconds, signal)]);
  } finally {
    line.keyListeners.delete(listen);
  }
  return typed;
}
