// The carrier and its telephones. A message runs through accepted → (with the carrier) → ended → done, as
// told in message.ts. Both protocols feed it and learn nothing of each other; the journal writes down
// every step and plays it back after a restart.
import { randomBytes } from 'node:crypto';
import type { CallerId } from './caller-ids.ts';
import type { Config, Provider } from './config.ts';
import { Events } from './events.ts';
import { Exchange } from './exchange.ts';
import { type Faults, noFaults } from './faults.ts';
import { BadRequest } from './http.ts';
import type { Scenario } from './ivr-check.ts';
import type { Journal } from './journal.ts';
import { digestText, KeyTable } from './key-table.ts';
import { MediaError, MediaStore } from './media.ts';
import { createMessage, type Envelope, type Media, type Message, noMedia } from './message.ts';
import { formatNumber } from './numbers.ts';
import {
  delivered,
  getOutcome,
  type OutcomeIndex,
  outcomeIndex,
  outcomes,
  pending,
  withCarrier,
} from './outcomes.ts';
import { type Phone, Phones } from './phones.ts';
import { Random } from './random.ts';
import { RecentMap } from './recent-map.ts';
import { Reporter } from './reporter.ts';
import { ruleFor } from './rules.ts';
import { countSegments } from './segments.ts';
import { Wheel } from './wheel.ts';

/** A number of Muster's and the carrier that serves it. */
export type ServedNumber = {
  provider: Provider;
  inboundUrl?: string;
  /** Address that a call to it asks what to do, and the one that is told when it is over. */
  voiceUrl?: string;
  voiceStatusUrl?: string;
  name?: string;
  learned: boolean;
};

export type Settings = {
  DeliveryDelayMs: [number, number];
  ReceiptsPerRequest: number;
  AutoAnswer: boolean;
  AutoAnswerDelayMs: [number, number];
  KeepMessages: number;
  /** Seconds of a call that pass in one second, where no page shows the telephone. */
  CallSpeed: number;
  /** Numbers without a rule are a mix of people and machines. */
  CallCrowd: boolean;
  CallStartsPerSecond: number;
  MostCallsAtOnce: number;
};

const noStats = {
  Accepted: 0,
  Requests: 0,
  DuplicatesByKey: 0,
  DuplicatesByNumberAndText: 0,
  Refused: 0,
  Delivered: 0,
  Failed: 0,
  Silent: 0,
  ReceiptsSent: 0,
  ReceiptRequests: 0,
  WebhookFailures: 0,
  Inbound: 0,
  CallsPlaced: 0,
  CallsRepeated: 0,
  Lookups: 0,
  CallsRefused: 0,
  CallsEnded: 0,
  CallsReceived: 0,
  /** The most calls that were in flight at the same time. */
  CallsAtOnce: 0,
  CallWebhooks: 0,
  CallWebhooksLost: 0,
  CallTroubles: 0,
};
export type Stats = typeof noStats;

/** Messages that can be looked up in full; of older ones only how they ended is known. */
const loggedMessages = 50_000;
/** A telephone answers by itself at most once in this time, so that two machines never talk forever. */
const automaticAnswerEveryMs = 10 * 60_000;

const silentUnknown = outcomeIndex('Unknown');
const sentToCarrier = outcomeIndex('Sent To Carrier');
const unsupportedMedia = outcomeIndex('Unsupported Media');
const readOutcome = outcomeIndex('Read');

export class Carrier {
  readonly config: Config;
  readonly random: Random;
  readonly phones = new Phones();
  readonly media: MediaStore;
  readonly stats: Stats = { ...noStats };
  readonly numbers = new Map<string, ServedNumber>();
  readonly log = new RecentMap<Message>(loggedMessages);
  /** Every id that was ever accepted, with its outcome plus one; every number and text. */
  readonly keys = new KeyTable();
  readonly texts = new KeyTable();
  /** Accepted or typed, and not done. */
  readonly unfinished = new Map<number, Message>();
  readonly events = new Events(() => this.figures());
  settings: Settings;
  faults: Readonly<Faults> = noFaults;
  journal: Journal | undefined;
  /** While the journal is played back nothing leaves and nothing is written. */
  replaying = false;
  seq = 0;
  salt = randomBytes(6).toString('hex');
  publicUrl = '';

  readonly reporter: Reporter;
  readonly exchange: Exchange;
  readonly callerIds = new Map<string, CallerId>();
  readonly scenarios = new Map<string, Scenario>();
  readonly #digest = { lo: 0, hi: 0 };
  readonly #mediaTrouble = new Set<number>();
  readonly #wheel = new Wheel<Message>((messages) => this.#step(messages));

  constructor(config: Config) {
    this.config = config;
    this.random = new Random(config.seed ?? randomBytes(4).readUInt32LE());
    this.media = new MediaStore(config.dataDir);
    this.settings = {
      DeliveryDelayMs: config.deliveryDelayMs,
      ReceiptsPerRequest: config.receiptsPerRequest,
      AutoAnswer: true,
      AutoAnswerDelayMs: [3000, 8000],
      KeepMessages: 200,
      CallSpeed: config.callSpeed,
      CallCrowd: false,
      CallStartsPerSecond: config.callStartsPerSecond,
      MostCallsAtOnce: 1000,
    };
    this.reporter = new Reporter({
      config,
      stats: this.stats,
      random: this.random,
      faults: () => this.faults,
      receiptsPerRequest: () => this.settings.ReceiptsPerRequest,
      publicUrl: () => this.publicUrl,
      receiptSettled: (receipt) => {
        if (receipt.last) this.#finish(receipt.message);
      },
      inboundSettled: (message, taken) => this.#settleInbound(message, taken),
    });
    this.exchange = new Exchange(this);
    for (const [number, { provider, name }] of config.numbers) {
      this.numbers.set(number, { provider, learned: false, ...(name !== undefined && { name }) });
    }
  }

  figures(): Stats & { Pending: number; Telephones: number; CallsQueued: number; CallsInFlight: number } {
    let telephones = 0;
    for (const phone of this.phones.all()) if (phone.open) telephones += 1;
    const { queued: CallsQueued, inFlight: CallsInFlight } = this.exchange;
    return {
      ...this.stats,
      Pending: this.unfinished.size,
      Telephones: telephones,
      CallsQueued,
      CallsInFlight,
    };
  }

  /** A new id in the carrier's own hand: the same after a restart, because the journal keeps the salt. */
  createId(seq: number, at: number): string {
    digestText(this.#digest, `${this.salt} ${at} ${seq}`);
    const { lo, hi } = this.#digest;
    return (
      this.salt.slice(0, 4) +
      lo.toString(16).padStart(8, '0') +
      hi.toString(16).padStart(8, '0') +
      seq.toString(16).padStart(12, '0')
    );
  }

  /** False when a message with this id was accepted before. */
  claimKey(id: string): boolean {
    digestText(this.#digest, id);
    return this.keys.add(this.#digest.lo, this.#digest.hi, pending + 1);
  }

  /** Outcome of a message whose details are forgotten; undefined when its id was never accepted. */
  findOutcome(id: string): OutcomeIndex | undefined {
    digestText(this.#digest, id);
    const value = this.keys.get(this.#digest.lo, this.#digest.hi);
    return value === 0 ? undefined : value - 1;
  }

  /** Takes a message on. `notBefore` is for scheduled ones. */
  accept({
    id,
    provider,
    mms,
    from,
    to,
    text,
    parts,
    at,
    envelope,
    mediaUrls,
    notBefore = 0,
  }: {
    id: string;
    provider: Provider;
    mms: boolean;
    from: string;
    to: string;
    text: string;
    parts: number;
    at: number;
    envelope: Envelope;
    mediaUrls: readonly string[];
    notBefore?: number;
  }): Message {
    this.seq += 1;
    const message = createMessage({
      seq: this.seq,
      id,
      provider,
      direction: 'in',
      mms,
      from,
      to,
      text,
      parts,
      acceptedAt: at,
      envelope,
      media: noMedia,
    });
    this.stats.Accepted += 1;
    digestText(this.#digest, text);
    digestText(this.#digest, to, this.#digest.lo, this.#digest.hi);
    if (!this.texts.add(this.#digest.lo, this.#digest.hi, 1)) this.stats.DuplicatesByNumberAndText += 1;
    this.log.set(id, message);
    this.unfinished.set(message.seq, message);
    if (from !== '' && !this.numbers.has(from)) this.numbers.set(from, { provider, learned: true });
    if (mediaUrls.length > 0) {
      message.media = mediaUrls.map((Url) => ({ ContentType: '', Url }));
    }
    if (this.replaying) return message;
    if (mediaUrls.length === 0) this.#schedule(message, Math.max(at, notBefore));
    else void this.#fetchMedia(message, notBefore);
    return message;
  }

  /** A text typed on a telephone. Throws BadRequest when no carrier would take it. */
  type(from: string, to: string, text: string, media: readonly Media[]): Message {
    const number = this.numbers.get(to);
    if (!number) {
      throw new BadRequest(
        `No carrier serves ${formatNumber(to)}: nothing was sent from it yet, and SANDBOX_NUMBERS does not name it.`,
        409,
      );
    }
    if (this.#inboundUrl(to, media.length > 0) === undefined) {
      throw new BadRequest(
        `There is no address for texts to ${formatNumber(to)}: set INFOBIP_INBOUND_URL and TWILIO_INBOUND_URL, or its InboundUrl.`,
        409,
      );
    }
    const at = Date.now();
    this.seq += 1;
    const mms = media.length > 0;
    const id = this.createId(this.seq, at);
    const message = createMessage({
      seq: this.seq,
      id: number.provider === 'twilio' ? (mms ? 'MM' : 'SM') + id : id,
      provider: number.provider,
      direction: 'out',
      mms,
      from,
      to,
      text,
      parts: countSegments(text),
      acceptedAt: at,
      envelope: undefined,
      media,
    });
    this.journal?.typed(message);
    this.restoreTyped(message);
    this.#deliverInbound(message);
    return message;
  }

  wake(phone: Phone): void {
    const waiting = phone.waiting;
    phone.waiting = [];
    if (waiting.length > 0) this.#step(waiting);
  }

  /** Starts everything over; ids go on, so that late answers to old webhooks find nothing. */
  reset(): void {
    this.#wheel.clear();
    this.exchange.reset();
    this.callerIds.clear();
    this.scenarios.clear();
    this.reporter.clear();
    this.phones.clear();
    this.log.clear();
    this.keys.clear();
    this.texts.clear();
    this.unfinished.clear();
    this.#mediaTrouble.clear();
    this.faults = noFaults;
    Object.assign(this.stats, noStats);
    for (const [number, { learned }] of this.numbers) if (learned) this.numbers.delete(number);
    this.journal?.reset();
    this.events.allChanged();
  }

  close(): void {
    this.#wheel.clear();
    this.exchange.close();
    this.reporter.close();
    this.events.close();
  }

  // The four steps of a message that the journal repeats after a restart.

  restoreTyped(message: Message): void {
    this.stats.Inbound += 1;
    this.unfinished.set(message.seq, message);
    this.log.set(message.id, message);
    this.phones.add(this.phones.get(message.from), message, message.acceptedAt, this.settings.KeepMessages);
    this.events.phoneChanged(message.from);
  }

  /** The end of the message's way: on the telephone's screen, or failed, or never heard of again. */
  restoreEnd(message: Message, ends: OutcomeIndex, at: number): void {
    message.outcome = ends;
    if (message.sentAt === 0) message.sentAt = at;
    message.endedAt = at;
    digestText(this.#digest, message.id);
    this.keys.set(this.#digest.lo, this.#digest.hi, ends + 1);
    const { kind } = outcomes[ends] ?? getOutcome(ends);
    if (kind === 'delivered') {
      this.stats.Delivered += 1;
      this.phones.add(this.phones.get(message.to), message, at, this.settings.KeepMessages);
    } else if (kind === 'failed') this.stats.Failed += 1;
    else this.stats.Silent += 1;
  }

  restoreDone(message: Message, ends?: OutcomeIndex): void {
    message.done = true;
    if (ends !== undefined) message.outcome = ends;
    this.unfinished.delete(message.seq);
    this.#mediaTrouble.delete(message.seq);
  }

  /** After the journal was played back: what was under way goes on. */
  resume(): void {
    this.exchange.endAll();
    const now = Date.now();
    for (const message of [...this.unfinished.values()]) {
      if (message.direction === 'out') this.#deliverInbound(message);
      else if (message.endedAt > 0) this.#reportEnd(message);
      else if (message.media.some(({ ContentType }) => ContentType === ''))
        void this.#fetchMedia(message, now);
      else this.#schedule(message, now);
    }
  }

  #schedule(message: Message, from: number): void {
    const rule = ruleFor(message.to);
    const [min, max] = rule.delayMs ?? this.settings.DeliveryDelayMs;
    const delayMs = this.random.between(min, max);
    // "With the carrier" is told about two fifths of the way where somebody wants to know.
    const passes = this.#tellsWhenSent(message) && rule.ends !== silentUnknown;
    message.dueAt = from + delayMs;
    this.#wheel.push(passes ? from + delayMs * 0.4 : message.dueAt, message);
  }

  #tellsWhenSent(message: Message): boolean {
    return message.provider === 'twilio' || message.envelope?.intermediate === true;
  }

  async #fetchMedia(message: Message, notBefore: number): Promise<void> {
    try {
      message.media = await Promise.all(message.media.map(({ Url }) => this.media.fetch(Url)));
      this.journal?.media(message);
    } catch (error) {
      if (!(error instanceof MediaError)) throw error;
      this.#mediaTrouble.add(message.seq);
    }
    if (this.unfinished.has(message.seq)) this.#schedule(message, Math.max(Date.now(), notBefore));
  }

  #step(messages: readonly Message[]): void {
    const now = Date.now();
    for (const message of messages) {
      const { ends } = ruleFor(message.to);
      if (message.outcome === pending && ends !== silentUnknown && this.#tellsWhenSent(message)) {
        message.outcome = withCarrier;
        message.sentAt = now;
        if (message.envelope?.reportUrl !== undefined) {
          this.reporter.report({ message, outcome: withCarrier, at: now, last: false });
        }
        this.#wheel.push(message.dueAt, message);
      } else this.#end(message, ends, now);
    }
    this.events.figuresChanged();
  }

  #end(message: Message, ends: OutcomeIndex, now: number): void {
    if (this.#mediaTrouble.has(message.seq)) ends = unsupportedMedia;
    if (ends === delivered) {
      const phone = this.phones.get(message.to);
      if (phone.state === 'Asleep') {
        phone.waiting.push(message);
        phone.lastAt = now;
        this.events.phoneChanged(phone.number);
        return;
      }
      this.#answer(phone, message, now);
    }
    this.restoreEnd(message, ends, now);
    this.journal?.ended(message, now);
    this.events.phoneChanged(message.to);
    this.#reportEnd(message);
    if (ends === delivered && message.envelope?.rcsService !== undefined) this.#readLater(message, now);
  }

  /** Whoever gets RCS reads it, and the carrier tells. */
  #readLater(message: Message, now: number): void {
    this.reporter.timers.push(now + this.random.between(...this.settings.DeliveryDelayMs), () => {
      message.outcome = readOutcome;
      if (message.envelope?.reportUrl !== undefined)
        this.reporter.report({ message, outcome: readOutcome, at: Date.now(), last: false });
      this.events.phoneChanged(message.to);
    });
  }

  #reportEnd(message: Message): void {
    const { kind } = getOutcome(message.outcome);
    const tells = kind !== 'silent' || (message.outcome === sentToCarrier && message.provider === 'infobip');
    if (tells && message.envelope?.reportUrl !== undefined) {
      this.reporter.report({ message, outcome: message.outcome, at: message.endedAt, last: true });
    } else this.#finish(message);
  }

  #finish(message: Message): void {
    if (message.done || !this.unfinished.has(message.seq)) return;
    this.restoreDone(message);
    this.journal?.done(message);
    this.events.figuresChanged();
  }

  #answer(phone: Phone, message: Message, now: number): void {
    const { answers } = ruleFor(phone.number);
    if (!answers || !this.settings.AutoAnswer) return;
    if (now - phone.lastAutomaticAnswerAt < automaticAnswerEveryMs) return;
    phone.lastAutomaticAnswerAt = now;
    const text = answers[Math.floor(this.random.next() * answers.length)] ?? '';
    const [min, max] = this.settings.AutoAnswerDelayMs;
    this.reporter.timers.push(now + this.random.between(min, max), () => {
      // Without an address for inbound texts nobody could hear the answer.
      if (this.#inboundUrl(message.from, false) !== undefined)
        this.type(phone.number, message.from, text, []);
    });
  }

  #inboundUrl(number: string, mms: boolean): string | undefined {
    const served = this.numbers.get(number);
    if (served?.provider === 'smpp') return 'smpp:';
    if (!served || served.inboundUrl !== undefined) return served?.inboundUrl;
    if (served.provider === 'infobip') {
      return mms ? this.config.infobipInboundMmsUrl : this.config.infobipInboundUrl;
    }
    const url = this.config.twilioInboundUrl;
    // The number's own address is set by whoever runs the sandbox, as in Twilio's console: unless it says
    // otherwise its texts are worth five retries. Status callbacks keep Twilio's rule to the letter.
    return url === undefined || url.includes('#') ? url : `${url}#rc=5&rp=all`;
  }

  #deliverInbound(message: Message): void {
    const url = this.#inboundUrl(message.to, message.mms);
    if (url === undefined) this.#settleInbound(message, false);
    else this.reporter.deliverInbound(message, url);
  }

  #settleInbound(message: Message, taken: boolean): void {
    if (!this.unfinished.has(message.seq)) return;
    this.restoreDone(message, taken ? delivered : outcomeIndex('Not Delivered'));
    this.journal?.done(message);
    this.events.phoneChanged(message.from);
  }
}
