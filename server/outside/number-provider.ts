import { type Exchange, isRecord, parseObject } from './carrier-line.ts';

type NumberKind = 'local' | 'tollfree';

/** A number for sale, or one that is ours at the provider. Phones are digits with the country code. */
export interface ProviderNumber {
  phone: string;
  /** The provider's id of it. */
  key: string;
  /** Its location, as far as the provider returns it. */
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
  /** Ours now. `phone` may differ from the requested one. */
  | { outcome: 'bought'; number: ProviderNumber }
  /** Another customer has it. */
  | { outcome: 'gone' }
  /** Nothing was bought, and the provider gave the reason. */
  | { outcome: 'refused'; reason: string }
  /** Nothing was bought: it can be retried. */
  | { outcome: 'later'; reason: string }
  /** Unknown: the provider is asked whether it is ours before anything else happens. */
  | { outcome: 'doubt'; reason: string };

/** A provider that sells numbers, in our terms. No method throws. */
export interface NumberProvider {
  aggregatorId: 2 | 5;
  search(wanted: WantedNumber): Promise<{ items: ProviderNumber[]; size: number } | undefined>;
  /** Buys this one, and sets our webhooks if the provider allows it in the same request. `label` is ours. */
  buy(number: ProviderNumber, label: string): Promise<BuyOutcome>;
  /** Ours, or `none`; undefined if the provider is unavailable. */
  findOwned(phone: string): Promise<ProviderNumber | 'none' | undefined>;
  /** All of ours; undefined if the provider is unavailable. */
  listOwned(): Promise<ProviderNumber[] | undefined>;
  /** Sets our webhook for texts to the number; false if that has to be retried. */
  pointHere(number: ProviderNumber): Promise<boolean>;
  /** Releases it; true also if it wasn’t ours any more. */
  release(key: string): Promise<boolean>;
  close(): Promise<void>;
}

/** A response that is an object, with its status; undefined if there was none or it isn’t one. */
export function readReply(exchange: Exchange): { status: number; body: Record<string, unknown> } | undefined {
  if (exchange.kind !== 'reply') return undefined;
  return { status: exchange.status, body: parseObject(exchange.text) ?? {} };
}

export function isGood(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Too many requests, or a server error: the result is unknown. */
export function isPassing(status: number): boolean {
  return status === 429 || status >= 500;
}

export function recordsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A value from a list. Infobip’s examples don’t write all of them in capitals. */
export function enumOf(value: unknown): string {
  return textOf(value).toUpperCase();
}
