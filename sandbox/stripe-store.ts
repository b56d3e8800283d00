import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CardBehavior } from './stripe-cards.ts';

export type StripeObject = { id: string; object: string } & Record<string, unknown>;
type Kept = { status: number; body: unknown; print: string };

/** Deliberate faults, as rates from 0 to 1. */
export type ProcessorFaults = {
  /** No answer, and nothing happened. */
  TimeoutBefore: number;
  /** It happened, and no answer comes. */
  TimeoutAfter: number;
  /** 500 before anything happened. */
  ServerError: number;
  /** The same for everything about payments, always. */
  PaymentError: boolean;
  /** Payments are confirmed, and the connection is cut before the answer. */
  ConfirmCut: boolean;
  /** A confirmation gets no answer, and nothing was charged. */
  ConfirmTimeoutBefore: boolean;
  /** It is charged, and no answer comes. */
  ConfirmTimeoutAfter: boolean;
  WebhookDelayMs: number;
  WebhookTwice: boolean;
  /** Webhooks that wait leave in another order. */
  WebhookShuffle: boolean;
  /** They are not sent at all. */
  WebhookNever: boolean;
  /** The tax service answers with an error. */
  TaxDown: boolean;
  /** Payments and refunds that are made now are dated so long ago. */
  DatedBackMs: number;
};

export const noProcessorFaults: Readonly<ProcessorFaults> = {
  TimeoutBefore: 0,
  TimeoutAfter: 0,
  ServerError: 0,
  PaymentError: false,
  ConfirmCut: false,
  ConfirmTimeoutBefore: false,
  ConfirmTimeoutAfter: false,
  WebhookDelayMs: 0,
  WebhookTwice: false,
  WebhookShuffle: false,
  WebhookNever: false,
  TaxDown: false,
  DatedBackMs: 0,
};

/** Number of events that are remembered; everything else is for good. */
const mostEvents = 20_000;

/** Everything the processor knows. With a folder, it is written down as it happens and read again at the next start. */
export class StripeStore {
  /** By their kind: a list of payments must not look through everything else. */
  readonly #kinds = new Map<string, Map<string, StripeObject>>();
  /** Replies by idempotency key. */
  readonly kept = new Map<string, Kept>();
  /** The behavior of each payment method; its number is forgotten at once. */
  readonly cards = new Map<string, CardBehavior>();
  readonly creationKeys = new Map<string, string>();
  faults: ProcessorFaults = { ...noProcessorFaults };
  #file: string | undefined;

  constructor(dataDir: string | undefined) {
    if (dataDir === undefined) return;
    this.#file = join(dataDir, 'stripe.ndjson');
    if (existsSync(this.#file)) this.#replay(readFileSync(this.#file, 'utf8'));
  }

  #replay(text: string): void {
    for (const line of text.split('\n')) {
      // The last line may have been cut off with the process.
      const entry = parse(line);
      if (entry?.object) this.#put(entry.object);
      if (entry?.card) this.cards.set(entry.card.id, entry.card.behavior);
      if (entry?.key) this.kept.set(entry.key.key, entry.key.kept);
      if (entry?.creation) this.creationKeys.set(entry.creation.id, entry.creation.key);
    }
  }

  #write(entry: Entry): void {
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(entry)}\n`);
  }

  #put(object: StripeObject): void {
    const kind = this.#kinds.get(object.object) ?? new Map<string, StripeObject>();
    kind.set(object.id, object);
    this.#kinds.set(object.object, kind);
    // Old events can no longer be asked for, as with the processor itself, which forgets them after a month.
    if (object.object !== 'event' || kind.size <= mostEvents) return;
    for (const id of kind.keys()) {
      kind.delete(id);
      break;
    }
  }

  save<O extends StripeObject>(object: O): O {
    this.#put(object);
    this.#write({ object });
    return object;
  }

  saveCard(id: string, behavior: CardBehavior): void {
    this.cards.set(id, behavior);
    this.#write({ card: { id, behavior } });
  }

  keep(key: string, kept: Kept): void {
    this.kept.set(key, kept);
    this.#write({ key: { key, kept } });
  }

  rememberKey(id: string, key: string): void {
    this.creationKeys.set(id, key);
    this.#write({ creation: { id, key } });
  }

  find(id: string, object: string): StripeObject | undefined {
    return this.#kinds.get(object)?.get(id);
  }

  /** Newest first. */
  list(object: string): StripeObject[] {
    return [...(this.#kinds.get(object)?.values() ?? [])].reverse();
  }
}

type Entry = {
  object?: StripeObject;
  card?: { id: string; behavior: CardBehavior };
  key?: { key: string; kept: Kept };
  creation?: { id: string; key: string };
};

function parse(line: string): Entry | undefined {
  try {
    return line === '' ? undefined : (JSON.parse(line) as Entry);
  } catch {
    return undefined;
  }
}

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}
