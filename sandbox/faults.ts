import { setTimeout as sleep } from 'node:timers/promises';
import { isProvider, type Provider } from './config.ts';
import { BadRequest } from './http.ts';
import type { Random } from './random.ts';

export type Channel = 'texts' | 'calls';

export type Faults = {
  /** Rates from 0 to 1, drawn once a request. */
  TimeoutBeforeAccept: number;
  TimeoutAfterAccept: number;
  /** Accepted, then the connection is reset instead of answered. */
  ResetAfterAccept: number;
  ServerError: number;
  TooManyRequests: number;
  RetryAfterSeconds: number;
  /** Requests are answered this much later. */
  AnswerDelayMs: number;
  /** The rate of receipts, and of webhooks about calls, that are never sent. */
  ReceiptLost: number;
  /** Receipts leave this much later. */
  ReceiptDelayMs: number;
  /** The rate of receipts that are sent twice. */
  ReceiptDuplicate: number;
  ReceiptShuffle: boolean;
  /** Every connection to the carrier is reset. */
  Outage: boolean;
  /** Only this carrier has the faults; null: both. */
  Provider: Provider | null;
  /** Only texts or only calls have the faults; null: both. */
  Channel: Channel | null;
  Seed: number | null;
};

export const noFaults: Readonly<Faults> = {
  TimeoutBeforeAccept: 0,
  TimeoutAfterAccept: 0,
  ResetAfterAccept: 0,
  ServerError: 0,
  TooManyRequests: 0,
  RetryAfterSeconds: 1,
  AnswerDelayMs: 0,
  ReceiptLost: 0,
  ReceiptDelayMs: 0,
  ReceiptDuplicate: 0,
  ReceiptShuffle: false,
  Outage: false,
  Provider: null,
  Channel: null,
  Seed: null,
};

const rates = [
  'TimeoutBeforeAccept',
  'TimeoutAfterAccept',
  'ResetAfterAccept',
  'ServerError',
  'TooManyRequests',
  'ReceiptDuplicate',
  'ReceiptLost',
] as const;
const flags = ['ReceiptShuffle', 'Outage'] as const;
const amounts = [
  ['RetryAfterSeconds', 3600],
  ['ReceiptDelayMs', 3_600_000],
  ['AnswerDelayMs', 600_000],
  ['Seed', 4_294_967_295],
] as const;

/** The faults with the named ones changed; throws BadRequest that says which name is wrong. */
export function changeFaults(current: Readonly<Faults>, change: Record<string, unknown>): Faults {
  const next: Faults = { ...current };
  for (const name of Object.keys(change)) {
    if (!(name in noFaults)) throw new BadRequest(`There is no fault "${name}".`);
  }
  for (const name of rates) {
    const value = change[name];
    if (value === undefined) continue;
    if (typeof value !== 'number' || !(value >= 0 && value <= 1)) {
      throw new BadRequest(`${name} must be a number from 0 to 1.`);
    }
    next[name] = value;
  }
  for (const name of flags) {
    const value = change[name];
    if (value === undefined) continue;
    if (typeof value !== 'boolean') throw new BadRequest(`${name} must be true or false.`);
    next[name] = value;
  }
  for (const [name, max] of amounts) {
    const value = change[name];
    if (value === undefined || (name === 'Seed' && value === null)) continue;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > max) {
      throw new BadRequest(`${name} must be a whole number from 0 to ${max}.`);
    }
    next[name] = value;
  }
  const provider = change.Provider;
  if (provider !== undefined) {
    if (provider !== null && !isProvider(provider)) {
      throw new BadRequest('Provider must be asterisk, infobip, smpp, twilio or null.');
    }
    next.Provider = provider;
  }
  const channel = change.Channel;
  if (channel !== undefined) {
    if (channel !== null && channel !== 'texts' && channel !== 'calls') {
      throw new BadRequest('Channel must be texts, calls or null.');
    }
    next.Channel = channel;
  }
  return next;
}

export type RequestFault =
  | 'reset'
  | 'holdBefore'
  | 'holdAfter'
  | 'resetAfter'
  | 'serverError'
  | 'tooMany'
  | undefined;

/** Draws the fault of this request, if any. Lookups are never held: only sends can be in doubt. */
export function drawFault(
  faults: Readonly<Faults>,
  random: Random,
  { provider, channel, sends }: { provider: Provider; channel: Channel; sends: boolean },
): RequestFault {
  if (faults.Provider !== null && faults.Provider !== provider) return undefined;
  if (faults.Channel !== null && faults.Channel !== channel) return undefined;
  if (faults.Outage) return 'reset';
  if (random.chance(faults.TooManyRequests)) return 'tooMany';
  if (random.chance(faults.ServerError)) return 'serverError';
  if (!sends) return undefined;
  if (random.chance(faults.TimeoutBeforeAccept)) return 'holdBefore';
  if (random.chance(faults.TimeoutAfterAccept)) return 'holdAfter';
  if (random.chance(faults.ResetAfterAccept)) return 'resetAfter';
  return undefined;
}

/** Waits as long as answers should come late. */
export async function delayAnswer(
  faults: Readonly<Faults>,
  provider: Provider,
  channel: Channel,
): Promise<void> {
  if (faults.AnswerDelayMs === 0) return;
  if (faults.Provider !== null && faults.Provider !== provider) return;
  if (faults.Channel !== null && faults.Channel !== channel) return;
  await sleep(faults.AnswerDelayMs);
}
