import { type Exchange, isRecord, parseObject } from './carrier-line.ts';

type NumberKind = 'local' | 'tollfree';

/** A number for sale, or one that is ours at the provider. Phones are digits with the country code. */
export interface ProviderNumber {
  phone: string;
  /** How the provider calls it. */
  key: string;
  /** Where it is, as far as the provider says. */
  city: string;
  state: string;
}

interface WantedNumber {
  kind: NumberKind;
  /** Three digits; empty for any. */
  areaCode: string;
  /** Digits that it should contain. */
  contains: string;
  page: number;
  size: number;
}

export type BuyOutcome =
  /** Ours now. `phone` may be another one than was asked for. */
  | { outcome: 'bought'; number: ProviderNumber }
  /** Somebody else has it. */
  | { outcome: 'gone' }
  /** Nothing was bought, and the provider said why. */
  | { outcome: 'refused'; reason: string }
  /** Nothing was bought: it can be asked again. */
  | { outcome: 'later'; reason: string }
  /** Nobody knows: the provider is asked whether it is ours before anything else happens. */
  | { outcome: 'doubt'; reason: string };

/** Whoever sells numbers, in our words. No method throws. */
export interface NumberProvider {
  aggregatorId: 2 | 5;
  search(wanted: WantedNumber): Promise<{ items: ProviderNumber[]; size: number } | undefined>;
  /** Buys this one, with our webhooks set where the provider takes them along. `label` is ours. */
  buy(number: ProviderNumber, label: string): Promise<BuyOutcome>;
  /** Ours, or `none`; undefined if the provider can’t be asked now. */
  findOwned(phone: string): Promise<ProviderNumber | 'none' | undefined>;
  /** All of ours; undefined if the provider can’t be asked now. */
  listOwned(): Promise<ProviderNumber[] | undefined>;
  /** Has texts to the number posted to us; false if that has to be tried again. */
  pointHere(number: ProviderNumber): Promise<boolean>;
  /** Gives it back; true also if it wasn’t ours any more. */
  release(key: string): Promise<boolean>;
  close(): Promise<void>;
}

/** A reply that is an object, with its status; undefined if there was none or it isn’t one. */
export function readReply(exchange: Exchange): { status: number; body: Record<string, unknown> } | undefined {
  if (exchange.kind !== 'reply') return undefined;
  return { status: exchange.status, body: parseObject(exchange.text) ?? {} };
}

export function isGood(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Too many requests, or it is broken: nothing is known of what was asked. */
export function isPassing(status: number): boolean {
  return status === 429 || status >= 500;
}

export function recordsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
