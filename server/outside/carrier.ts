import type { TextStatusCode } from '../../contract/delivery/text-status.ts';

/** 2 is Twilio, 5 Infobip, 6 a carrier with SMPP. */
export type AggregatorId = 2 | 5 | 6;

export const carrierNames = { infobip: 5, smpp: 6, twilio: 2 } as const satisfies Record<
  string,
  AggregatorId
>;

/** A carrier in our terms. One file per protocol behind this; nothing else in Muster knows which it is. */
export interface Carrier {
  aggregatorId: AggregatorId;
  name: string;
  /** A good number of texts for one call of `hand`. */
  slice: number;
  /** True if the carrier refuses the same key twice: then a text in doubt may be handed over again. */
  refusesRepeats: boolean;
  /** Hands texts over. Never throws for one text or for the connection: every text gets an outcome. */
  hand(texts: OutboundText[]): Promise<HandOver[]>;
  /** The texts that the carrier has, among those whose last try may have reached it. */
  find(texts: DoubtfulText[]): Promise<Map<string, { carrierMessageId: string | null }>>;
  /** Verifies a webhook and parses its receipts. Throws HookRefused when it isn't from the carrier. */
  readReceipts(hook: Hook): Receipt[];
  readInbound(hook: Hook): InboundText[];
  /** The response that the carrier expects to a webhook. */
  hookReply: { contentType: string; body: string };
  /** Fetches a picture of an inbound text. */
  fetchMedia(url: string, mostBytes: number): Promise<Buffer>;
  /**
   * Only for a carrier that has a connection to us instead of webhooks: opens it, and passes its events to
   * `ear`. A process that doesn't send never calls this.
   */
  listen?(ear: CarrierEar): void;
  /**
   * Only with `listen`: why the connection is down at the moment, as a message; undefined if it is up, or
   * nobody listens.
   */
  problem?(): string | undefined;
  close(): Promise<void>;
}

/** The listener for a carrier that has a connection to us. Everything resolves after its commit. */
export interface CarrierEar {
  /** Saves the carrier's ids of texts: its receipts name nothing else. */
  keepIds(ids: CarrierId[]): Promise<void>;
  /** The carrier's ids of the texts that it has completely, by send key. */
  findIds(keys: string[]): Promise<Map<string, string>>;
  takeReceipts(receipts: NamedReceipt[]): Promise<void>;
  takeInbound(texts: Heard<InboundText>[], parts: Heard<InboundPart>[]): Promise<void>;
  /**
   * This connection has worked since: what came over it more than so many seconds ago was acknowledged.
   * Resolves to whether there are newer texts, and this is to be called again.
   */
  trust(connection: string, olderThanSeconds: number): Promise<boolean>;
  warn(facts: object, sentence: string): void;
}

/** With the connection over which it came. If that is lost, the carrier may send it again over another. */
export type Heard<Item> = Item & { connection: string };

export interface CarrierId {
  key: string;
  /** From 1. */
  part: number;
  parts: number;
  carrierMessageId: string;
}

/** A receipt that names a text, or a part of it, by the carrier's id. */
export type NamedReceipt = Omit<Receipt, 'key' | 'carrierMessageId'> & { carrierMessageId: string };

/** A part of an inbound text; the others have the same phones, reference and count. */
export interface InboundPart {
  from: string;
  to: string;
  reference: number;
  part: number;
  parts: number;
  body: string;
  occurredAt: Date;
}

/**
 * Hours during which a carrier keeps trying to deliver a text, by AggregatorID: Twilio ten hours and Infobip two days
 * by default; an SMSC is asked for two days. If it hasn't reported a result by then it won't.
 */
export const validityHours: Readonly<Record<AggregatorId, number>> = { 2: 10, 5: 48, 6: 48 };

export interface OutboundText {
  key: string;
  from: string;
  to: string;
  body: string;
  mediaUrls: string[];
  /**
   * The agent through which the number sends RCS; phones that don't support it get a text from the number
   * itself.
   */
  rcsAgent?: string | null;
}

export interface DoubtfulText extends OutboundText {
  /** The time of the try that is in doubt. */
  since: Date;
  /** The carrier's ids of other texts in the same thread, which are therefore not this one. */
  otherIds: string[];
}

export type HandOver = { key: string } & (
  | { outcome: 'accepted'; carrierMessageId: string | null }
  /** The carrier will never accept this text. */
  | { outcome: 'refused'; status: TextStatusCode; error: string }
  /** Certainly not accepted: hand it over again later. */
  | { outcome: 'later'; afterMs: number; reason: string; isCarrierDown: boolean }
  /** It may have been accepted. */
  | { outcome: 'doubt'; reason: string }
);

export interface Receipt {
  key: string;
  status: TextStatusCode;
  carrierMessageId: string | null;
  error: string | null;
  occurredAt: Date;
}

export interface InboundText {
  /** The carrier and its own id of the text. */
  inboundKey: string;
  from: string;
  to: string;
  body: string;
  media: { contentType: string; url: string }[];
  occurredAt: Date;
}

/** A webhook as received. */
export interface Hook {
  /** The full URL that the carrier was given, with its query. */
  url: string;
  secret: string;
  query: Record<string, string>;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

export class HookRefused extends Error {
  override name = 'HookRefused';
}
