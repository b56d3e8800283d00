// Sends receipts and texts from telephones: picks the lane of each, and tells the message how it ended.
import type { Config } from './config.ts';
import type { Faults } from './faults.ts';
import { composeInfobipInbound, composeReports, infobipRetryAfterMs } from './infobip-webhooks.ts';
import type { Message } from './message.ts';
import { type Lane, Outbox } from './outbox.ts';
import type { OutcomeIndex } from './outcomes.ts';
import type { Random } from './random.ts';
import { composeStatusCallback, composeTwilioInbound, twilioRetryAfterMs } from './twilio-webhooks.ts';
import { Wheel } from './wheel.ts';

export type Receipt = {
  message: Message;
  outcome: OutcomeIndex;
  at: number;
  /** Nothing follows: when this one is settled the message is done. */
  last: boolean;
};

/** Takes what has no address: receipts and texts over SMPP. */
export type SmscOutlet = {
  report: (receipt: Receipt, settled: (isTaken: boolean) => void) => void;
  deliver: (message: Message, settled: (isTaken: boolean) => void) => void;
};

type Inbound = { message: Message; url: string };

type ReporterStats = { ReceiptsSent: number; ReceiptRequests: number; WebhookFailures: number };

type ReporterOptions = {
  config: Config;
  stats: ReporterStats;
  random: Random;
  faults: () => Readonly<Faults>;
  receiptsPerRequest: () => number;
  publicUrl: () => string;
  receiptSettled: (receipt: Receipt) => void;
  inboundSettled: (message: Message, delivered: boolean) => void;
};

/** Receivers whose lanes are kept while idle. */
const keptLanes = 500;

export class Reporter {
  readonly timers = new Wheel<() => void>((callbacks) => {
    for (const callback of callbacks) callback();
  });
  readonly #delayed = new Wheel<Receipt>((receipts) => {
    if (this.#options.faults().ReceiptShuffle) this.#options.random.shuffle(receipts);
    for (const receipt of receipts) this.#push(receipt);
  });
  smsc: SmscOutlet | undefined;
  readonly #outbox = new Outbox(this.timers);
  readonly #options: ReporterOptions;
  readonly #reportLanes = new Map<string, Lane<Receipt>>();
  readonly #inboundLanes = new Map<string, Lane<Inbound>>();

  constructor(options: ReporterOptions) {
    this.#options = options;
  }

  /** Sends the receipt, or does with it what the faults ask for. */
  report(receipt: Receipt): void {
    const faults = this.#options.faults();
    const { random } = this.#options;
    const { ReceiptDelayMs: delayMs, ReceiptShuffle: shuffled } = faults;
    const mine =
      (faults.Provider === null || faults.Provider === receipt.message.provider) &&
      faults.Channel !== 'calls';
    if (mine && random.chance(faults.ReceiptLost)) {
      // Never sent; for the carrier it was.
      this.#options.receiptSettled(receipt);
      return;
    }
    if (!mine || (delayMs === 0 && !shuffled && faults.ReceiptDuplicate === 0)) {
      this.#push(receipt);
      return;
    }
    const dueAt = Date.now() + delayMs;
    // Shuffled over a second or more, so that also a receipt of another batch overtakes this one.
    const spreadMs = shuffled ? Math.max(1000, delayMs) : 0;
    if (random.chance(faults.ReceiptDuplicate)) {
      this.#delayed.push(dueAt + random.between(0, 1000), { ...receipt, last: false });
    }
    if (delayMs === 0 && !shuffled) this.#push(receipt);
    else this.#delayed.push(dueAt + random.between(0, spreadMs), receipt);
  }

  deliverInbound(message: Message, url: string): void {
    if (message.provider === 'smpp') {
      this.smsc?.deliver(message, (isTaken) => this.#options.inboundSettled(message, isTaken));
      return;
    }
    const key = `${message.provider} ${new URL(url).origin}`;
    let lane = this.#inboundLanes.get(key);
    if (!lane) {
      lane = this.#createInboundLane();
      this.#inboundLanes.set(key, lane);
    }
    lane.push({ message, url });
  }

  clear(): void {
    this.timers.clear();
    this.#delayed.clear();
    this.#reportLanes.clear();
    this.#inboundLanes.clear();
  }

  close(): void {
    this.clear();
    this.#outbox.close();
  }

  #push(receipt: Receipt): void {
    const { message } = receipt;
    if (message.provider === 'smpp') {
      this.#options.stats.ReceiptRequests += 1;
      this.smsc?.report(receipt, (isTaken) => this.#settle([receipt], isTaken));
      return;
    }
    const url = message.envelope?.reportUrl ?? '';
    // Twilio's addresses differ from message to message (our id is in their query), the receiver doesn't.
    const key = message.provider === 'infobip' ? url : new URL(url).origin;
    let lane = this.#reportLanes.get(key);
    if (!lane) {
      lane = message.provider === 'infobip' ? this.#createInfobipLane() : this.#createTwilioLane();
      if (this.#reportLanes.size >= keptLanes) this.#dropIdleLanes();
      this.#reportLanes.set(key, lane);
    }
    lane.push(receipt);
  }

  #createInfobipLane(): Lane<Receipt> {
    const { config, stats } = this.#options;
    return this.#outbox.createLane<Receipt>({
      perRequest: this.#options.receiptsPerRequest,
      lingerMs: 20,
      compose: (receipts) => {
        stats.ReceiptRequests += 1;
        return composeReports(receipts);
      },
      retryAfterMs: (_receipts, tries) => infobipRetryAfterMs(tries, config.retryUnitMs),
      settled: (receipts, delivered) => this.#settle(receipts, delivered),
      failed: () => {
        stats.WebhookFailures += 1;
      },
    });
  }

  #createTwilioLane(): Lane<Receipt> {
    const { config, stats } = this.#options;
    const account = { accountSid: config.twilioAccountSid, authToken: config.twilioAuthToken };
    return this.#outbox.createLane<Receipt>({
      perRequest: () => 1,
      lingerMs: 0,
      compose: ([receipt]) => {
        stats.ReceiptRequests += 1;
        if (!receipt) throw new Error('An empty batch');
        return composeStatusCallback(receipt, account);
      },
      retryAfterMs: ([receipt], tries, reply) =>
        twilioRetryAfterMs(receipt?.message.envelope?.reportUrl ?? '', tries, reply, config.retryUnitMs),
      settled: (receipts, delivered) => this.#settle(receipts, delivered),
      failed: () => {
        stats.WebhookFailures += 1;
      },
    });
  }

  #createInboundLane(): Lane<Inbound> {
    const { config, stats } = this.#options;
    const account = { accountSid: config.twilioAccountSid, authToken: config.twilioAuthToken };
    return this.#outbox.createLane<Inbound>({
      perRequest: () => 1,
      lingerMs: 0,
      compose: ([inbound]) => {
        if (!inbound) throw new Error('An empty batch');
        const { message, url } = inbound;
        const publicUrl = this.#options.publicUrl();
        return message.provider === 'infobip'
          ? composeInfobipInbound(message, url, publicUrl)
          : composeTwilioInbound(message, url, publicUrl, account);
      },
      retryAfterMs: ([inbound], tries, reply) =>
        inbound?.message.provider === 'twilio'
          ? twilioRetryAfterMs(inbound.url, tries, reply, config.retryUnitMs)
          : infobipRetryAfterMs(tries, config.retryUnitMs),
      settled: ([inbound], delivered) => {
        if (inbound) this.#options.inboundSettled(inbound.message, delivered);
      },
      failed: () => {
        stats.WebhookFailures += 1;
      },
    });
  }

  #settle(receipts: readonly Receipt[], delivered: boolean): void {
    if (delivered) this.#options.stats.ReceiptsSent += receipts.length;
    for (const receipt of receipts) this.#options.receiptSettled(receipt);
  }

  #dropIdleLanes(): void {
    for (const [key, lane] of this.#reportLanes) if (lane.idle) this.#reportLanes.delete(key);
  }
}
