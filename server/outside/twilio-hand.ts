import { nowMs } from '../clock.ts';
import type { HandOver, OutboundText } from './carrier.ts';
import { type CarrierLine, type Exchange, handMs, parseObject } from './carrier-line.ts';
import { twilioErrorStatus } from './status-codes.ts';
import { readId } from './twilio-hooks.ts';

const mostAtOnce = 20;
/**
 * Number of texts of a slice that may be in doubt before the rest is held back: each costs a search, or an unsent
 * text.
 */
const mostDoubts = 3;
const wrongSettingMs = 30_000;

/** Twilio's code for "the StatusCallback is not a valid URL". */
const wrongCallback = 21609;

/**
 * One request per text. A repeat is a second text there, so as few as possible should be in doubt: until the
 * carrier has responded to one text, and again after it failed to, a slice begins with a single text.
 */
export function createTwilioHand(line: CarrierLine, messagesPath: string, publicUrl: string) {
  let isProven = false;

  return async function hand(texts: OutboundText[]): Promise<HandOver[]> {
    const outcomes = new Map<string, HandOver>();
    const untilMs = nowMs() + handMs;
    let next = 0;
    let doubts = 0;
    let doubtsAllowed = isProven ? mostDoubts : 1;
    let pause: { afterMs: number; reason: string } | undefined;

    async function handNext(): Promise<void> {
      const text = texts[next++];
      if (text === undefined) return;
      const outcome = await handOne(text);
      outcomes.set(text.key, outcome);
      if (outcome.outcome === 'later') {
        pause = { afterMs: outcome.afterMs, reason: outcome.reason };
        isProven = false;
      } else if (outcome.outcome === 'doubt') {
        doubts++;
        if (doubts >= doubtsAllowed) pause = { afterMs: 1000, reason: outcome.reason };
        isProven = false;
      } else isProven = true;
    }

    async function work(): Promise<void> {
      while (next < texts.length && pause === undefined && nowMs() < untilMs) await handNext();
    }

    if (!isProven) await handNext();
    doubtsAllowed = mostDoubts;
    await Promise.all(Array.from({ length: Math.min(mostAtOnce, texts.length - next) }, work));
    return texts.map(({ key }) => {
      const { afterMs, reason } = pause ?? { afterMs: 0, reason: 'The carrier was too slow for a turn.' };
      const isCarrierDown = pause !== undefined;
      return outcomes.get(key) ?? { key, outcome: 'later', afterMs, reason, isCarrierDown };
    });
  };

  async function handOne({ key, from, to, body, mediaUrls, rcsAgent }: OutboundText): Promise<HandOver> {
    // A Messaging Service with an RCS sender: Twilio detects which phones support RCS.
    const sender: Record<string, string> = rcsAgent
      ? { MessagingServiceSid: rcsAgent, FallbackFrom: `+${from}` }
      : { From: `+${from}` };
    const form = new URLSearchParams({ To: `+${to}`, ...sender });
    if (body !== '') form.set('Body', body);
    for (const url of mediaUrls) form.append('MediaUrl', url);
    // The fragment requests five more tries after any error here; without it a receipt is sent once.
    const callback = `${publicUrl}/hooks/twilio/receipts?key=${encodeURIComponent(key)}#rc=5&rp=all`;
    form.set('StatusCallback', callback);
    const exchange = await line.post(messagesPath, 'application/x-www-form-urlencoded', form.toString());
    return readOutcome(key, exchange);
  }
}

function readOutcome(key: string, exchange: Exchange): HandOver {
  const doubt = (reason: string): HandOver => ({ key, outcome: 'doubt', reason });
  const later = (afterMs: number, reason: string): HandOver => {
    return { key, outcome: 'later', afterMs, reason, isCarrierDown: true };
  };
  const refused = (code: number, fallback: string): HandOver => {
    return {
      key,
      outcome: 'refused',
      status: twilioErrorStatus(code),
      error: code === 0 ? fallback : String(code),
    };
  };
  if (exchange.kind === 'lost') return doubt(`No answer of the carrier: ${exchange.reason}.`);
  if (exchange.kind === 'unsent') return later(1000, `The carrier can’t be reached: ${exchange.reason}.`);
  const { status, text, retryAfterMs } = exchange;
  if (status >= 200 && status < 300) {
    const message = parseObject(text);
    const carrierMessageId = readId(message?.sid);
    if (carrierMessageId === undefined) return doubt('The carrier gave an answer that could not be read.');
    if (message?.status === 'failed') return refused(readCode(message.error_code), 'failed');
    return { key, outcome: 'accepted', carrierMessageId };
  }
  if (status === 429) return later(retryAfterMs ?? 1000, 'The carrier asks for a pause (429).');
  if (status === 401 || status === 403) {
    return later(wrongSettingMs, `The carrier refuses the credentials (${status}).`);
  }
  if (status === 400 || status === 413 || status === 422) {
    const code = readCode(parseObject(text)?.code);
    // The same for every text: a wrong setting, not a wrong text.
    if (code === wrongCallback)
      return later(wrongSettingMs, 'The carrier refuses the address of our webhook.');
    return refused(code, String(status));
  }
  if (status === 408 || status === 409 || status >= 500) {
    return doubt(`The carrier answered with an error (${status}).`);
  }
  return later(wrongSettingMs, `The carrier doesn’t know the account or the address: it answered ${status}.`);
}

function readCode(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
