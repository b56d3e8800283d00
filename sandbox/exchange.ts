// The telephone exchange: calls wait for their turn, ring, are picked up by whoever is at the number, and end. What is said in
// a call is the script's business (TwiML in call-flow.ts, Infobip's scenarios in ivr-flow.ts).
//
// queued → ringing → in-progress → completed, or busy, failed, no-answer, canceled on the way.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AnsweredBy,
  type Call,
  type CallOrder,
  type CallResult,
  type CallStatus,
  createCall,
  type Heard,
  handsetOf,
  isOver,
  secondsBetween,
  talkedSeconds,
} from './call.ts';
import { CallHooks } from './call-hooks.ts';
import { beepSeconds, mailboxSeconds, type Person, personAt, ringSeconds } from './call-people.ts';
import { type SoundSource, Sounds } from './call-sounds.ts';
import type { Carrier } from './carrier.ts';
import type { Provider } from './config.ts';
import { formatTwilioDate } from './dates.ts';
import { BadRequest } from './http.ts';
import { tellInfobip } from './infobip-voice.ts';
import { digestText, KeyTable } from './key-table.ts';
import { RecentMap } from './recent-map.ts';

/** Says what happens in a call from when it is picked up; ends when the call should. */
export type Script = (line: Line, signal: AbortSignal) => Promise<void>;

/** From "placed" to the first ring, or to the network's refusal. */
const dialSeconds = 0.3;
const refusalSeconds = 1;
/** What the network says at once instead of ringing. */
const refusals: Partial<Record<Person['picksUp'], [CallStatus, { sip: number; result: CallResult }]>> = {
  Busy: ['busy', { sip: 486, result: 'Busy' }],
  NotInService: ['failed', { sip: 404, result: 'NotInService' }],
  Blocked: ['failed', { sip: 603, result: 'Blocked' }],
  Broken: ['failed', { sip: 503, result: 'Failed' }],
};
/** Machine detection: speech of this length is a machine's, and so much silence ends a greeting. */
const speechThresholdSeconds = 2.4;
const speechEndSeconds = 1.2;
const keptCalls = 50_000;
const keptCallsOfOnePhone = 100;

export class Exchange {
  readonly hooks: CallHooks;
  readonly sounds: Sounds;
  readonly log = new RecentMap<Call>(keptCalls);
  /** Calls that are not over, by their id. */
  readonly lines = new Map<string, Line>();
  readonly #byPhone = new RecentMap<Call[]>(keptCalls);
  readonly #attempts = new KeyTable();
  readonly #digest = { lo: 0, hi: 0 };
  readonly #carrier: Carrier;
  seq = 0;
  /** When the next start would be exactly on pace. */
  #paceAt = 0;

  constructor(carrier: Carrier) {
    this.#carrier = carrier;
    this.hooks = new CallHooks({
      config: carrier.config,
      stats: carrier.stats,
      random: carrier.random,
      faults: () => carrier.faults,
    });
    this.sounds = new Sounds(this.hooks);
  }

  /** Outgoing calls that were started and are not over. */
  get inFlight(): number {
    let count = 0;
    for (const { call } of this.lines.values()) {
      if (call.direction === 'outbound-api' && call.startedAt > 0) count += 1;
    }
    return count;
  }

  get queued(): number {
    let count = 0;
    for (const { call } of this.lines.values()) if (call.startedAt === 0) count += 1;
    return count;
  }

  createSid(prefix: string, at: number): string {
    this.seq += 1;
    return prefix + this.#carrier.createId(this.seq, at);
  }

  /** Counts a call whose attempt was placed before: nobody should be called twice for one. */
  claimAttempt(key: string): boolean {
    digestText(this.#digest, key);
    const isNew = this.#attempts.add(this.#digest.lo, this.#digest.hi, 1);
    if (!isNew) this.#carrier.stats.CallsRepeated += 1;
    return isNew;
  }

  /** Takes a call on; it starts when its turn comes. */
  place({
    provider,
    from,
    to,
    order,
    script,
    sid,
    ended,
  }: {
    provider: Provider;
    from: string;
    to: string;
    order: CallOrder;
    script: Script;
    sid?: string;
    ended?: (call: Call) => void;
  }): Call {
    const now = Date.now();
    const line = this.#open({
      provider,
      direction: 'outbound-api',
      from,
      to,
      order,
      sid,
      parentSid: undefined,
    });
    line.script = script;
    line.ended = ended;
    const intervalMs = 1000 / this.#carrier.settings.CallStartsPerSecond;
    // A second's worth may start at once; over any longer time the pace holds.
    const startAt = Math.max(now, this.#paceAt - (1000 - intervalMs));
    this.#paceAt = Math.max(now, this.#paceAt) + intervalMs;
    line.call.queueMs = Math.round(startAt - now);
    this.#carrier.stats.CallsPlaced += 1;
    this.#carrier.journal?.call(line.call);
    line.after(startAt - now, () => this.#start(line));
    return line.call;
  }

  /** A second leg for <Dial>: it rings at once, without a turn. */
  connect(parent: Line, to: string, from: string, order: CallOrder): Line {
    const { provider, sid } = parent.call;
    const line = this.#open({
      provider,
      direction: 'outbound-dial',
      from,
      to,
      order,
      sid: undefined,
      parentSid: sid,
    });
    this.#start(line);
    return line;
  }

  /** Somebody dials on a telephone. */
  dialIn(from: string, to: string, script: Script): Call {
    const served = this.#carrier.numbers.get(to);
    const provider = served?.provider ?? 'twilio';
    const statusCallback = served?.voiceStatusUrl ?? this.#carrier.config.twilioVoiceStatusUrl;
    const order: CallOrder = {
      statusEvents: ['completed'],
      timeoutSeconds: 60,
      ...(statusCallback !== undefined && { statusCallback }),
    };
    const line = this.#open({
      provider,
      direction: 'inbound',
      from,
      to,
      order,
      sid: undefined,
      parentSid: undefined,
    });
    const { call } = line;
    call.byHand = true;
    call.status = 'ringing';
    call.startedAt = Date.now();
    this.#carrier.stats.CallsReceived += 1;
    this.#keep(call);
    this.note(call, 'Calling');
    this.#carrier.journal?.call(call);
    line.play(script);
    return call;
  }

  /** For an inbound call: the other side takes it. */
  acceptInbound(line: Line): void {
    const { call } = line;
    if (call.status !== 'ringing') return;
    call.status = 'in-progress';
    call.answeredAt = Date.now();
    call.pickedUpBy = 'Person';
    this.note(call, 'Answered');
  }

  callsOf(number: string): readonly Call[] {
    return this.#byPhone.get(number) ?? [];
  }

  note(call: Call, text: string): void {
    call.events.push({ at: Date.now(), text });
    this.changed(call);
  }

  changed(call: Call): void {
    this.#carrier.events.phoneChanged(handsetOf(call));
  }

  /** What somebody does with the telephone in their hand. Throws BadRequest when it can't be done now. */
  useByHand(call: Call, action: string, keys: string): void {
    const line = this.lines.get(call.sid);
    if (!line || isOver(call)) throw new BadRequest('The call is over.', 409);
    const isRinging = call.status === 'ringing' && call.direction !== 'inbound';
    if (action === 'Press') {
      if (call.status !== 'in-progress' || call.pickedUpBy !== 'Person') {
        throw new BadRequest('Keys can be pressed only in a call.', 409);
      }
      if (!/^[0-9*#]{1,50}$/.test(keys)) throw new BadRequest('Keys must be digits, * or #.');
      call.byHand = true;
      for (const key of keys) line.press(key);
      return;
    }
    if (action === 'HangUp') {
      if (isRinging) throw new BadRequest('The telephone is still ringing: answer it, or be busy.', 409);
      call.byHand = true;
      this.note(call, 'Hung up');
      this.end(line, 'completed');
      return;
    }
    if (!isRinging) throw new BadRequest('The telephone is not ringing.', 409);
    if (action === 'Answer') {
      call.byHand = true;
      this.pickUp(line, 'Person');
    } else if (action === 'Voicemail') this.pickUp(line, 'Machine');
    else if (action === 'Busy') {
      call.byHand = true;
      this.end(line, 'busy', { sip: 486, result: 'Busy' });
    } else if (action === 'LetItRing') {
      // Nobody and nothing picks up: it rings until the caller gives up.
      call.byHand = true;
      line.stopRinging?.();
      line.rings = undefined;
      this.changed(call);
    } else throw new BadRequest('Do must be Answer, Voicemail, Busy, HangUp, Press or LetItRing.');
  }

  end(
    line: Line,
    status: CallStatus,
    { sip, result, isTold = true }: { sip?: number; result?: CallResult; isTold?: boolean } = {},
  ): void {
    const { call } = line;
    if (isOver(call)) return;
    call.status = status;
    call.endedAt = Date.now();
    call.sip = sip ?? (status === 'completed' ? 200 : undefined);
    call.result = result ?? resultOf(call);
    this.lines.delete(call.sid);
    line.stop();
    if (call.direction !== 'inbound') this.#carrier.stats.CallsEnded += 1;
    this.note(call, endWords(call));
    if (isTold) this.#tellStatus(call, 'completed');
    if (call.order.infobip) tellInfobip(this, call);
    line.ended?.(call);
    this.#carrier.journal?.call(call);
    this.#carrier.events.figuresChanged();
  }

  pickUp(line: Line, by: 'Person' | 'Machine' | 'Fax'): void {
    const { call, person } = line;
    if (call.status !== 'ringing') return;
    line.stopRinging?.();
    line.giveUp?.();
    call.status = 'in-progress';
    call.answeredAt = Date.now();
    call.pickedUpBy = by;
    this.note(call, by === 'Machine' ? 'Voicemail picked up' : by === 'Fax' ? 'A fax answered' : 'Answered');
    this.#tellStatus(call, 'answered');
    if (by === 'Machine') this.#greet(line);
    if (!call.byHand && person.hangsUpAfterSeconds !== undefined && by !== 'Machine') {
      line.afterSeconds(person.hangsUpAfterSeconds, () => {
        if (!call.byHand) this.end(line, 'completed');
      });
    }
    if (call.order.timeLimitSeconds !== undefined) {
      line.afterSeconds(call.order.timeLimitSeconds, () => this.end(line, 'completed'));
    }
    if (call.direction === 'outbound-dial') line.picked();
    else if (!call.order.detects) this.#begin(line);
    else {
      if (call.order.detectsAsync) this.#begin(line);
      this.#detect(line);
    }
  }

  /** Ends all; a call that a restart interrupts is one the network lost. */
  endAll(): void {
    for (const line of this.lines.values()) this.end(line, 'failed', { sip: 503, result: 'Failed' });
  }

  reset(): void {
    for (const line of this.lines.values()) line.stop();
    this.lines.clear();
    this.log.clear();
    this.#byPhone.clear();
    this.#attempts.clear();
    this.sounds.clear();
    this.hooks.clear();
    this.#paceAt = 0;
  }

  close(): void {
    for (const line of this.lines.values()) line.stop();
    this.lines.clear();
    this.hooks.close();
  }

  /** From the journal. A call that was not over is found again as one that must be ended. */
  restore(stored: Call, isCounted: boolean): void {
    this.seq = Math.max(this.seq, stored.seq);
    const { stats } = this.#carrier;
    const known = this.log.get(stored.sid);
    const call = known ? Object.assign(known, stored) : stored;
    if (!known) {
      this.log.set(call.sid, call);
      if (call.direction === 'outbound-api') {
        const repeats = stats.CallsRepeated;
        this.claimAttempt(attemptKey(call));
        if (isCounted) stats.CallsRepeated = repeats;
        else stats.CallsPlaced += 1;
      } else if (call.direction === 'inbound' && !isCounted) stats.CallsReceived += 1;
    }
    if (call.startedAt > 0 && !this.callsOf(handsetOf(call)).includes(call)) this.#keep(call);
    if (!isOver(call)) this.lines.set(call.sid, new Line(this, call, this.#personOf(call)));
    else {
      this.lines.delete(call.sid);
      if (!isCounted && call.direction !== 'inbound') stats.CallsEnded += 1;
    }
  }

  *all(): Generator<Call> {
    yield* this.log.values();
  }

  /** Somebody looks at this telephone and may take the call. */
  #isOnPage(number: string): boolean {
    return this.#carrier.events.isWatched && this.#carrier.phones.find(number)?.open === true;
  }

  #personOf(call: Call): Person {
    const number = handsetOf(call);
    return personAt(number, {
      onPage: this.#isOnPage(number),
      isCrowd: this.#carrier.settings.CallCrowd,
    });
  }

  #open({
    provider,
    direction,
    from,
    to,
    order,
    sid,
    parentSid,
  }: Pick<Call, 'provider' | 'direction' | 'from' | 'to' | 'order' | 'parentSid'> & {
    sid: string | undefined;
  }): Line {
    const now = Date.now();
    const handset = direction === 'inbound' ? from : to;
    const own = this.createSid('CA', now);
    const call = createCall({
      seq: this.seq,
      sid: sid ?? own,
      provider,
      direction,
      from,
      to,
      parentSid,
      createdAt: now,
      order,
      // Somebody may be listening on the page: there, a second is a second.
      speed: this.#isOnPage(handset) ? 1 : this.#carrier.settings.CallSpeed,
    });
    this.log.set(call.sid, call);
    const line = new Line(this, call, this.#personOf(call));
    this.lines.set(call.sid, line);
    return line;
  }

  #keep(call: Call): void {
    const number = handsetOf(call);
    const calls = this.#byPhone.get(number) ?? [];
    calls.push(call);
    if (calls.length > keptCallsOfOnePhone) calls.shift();
    this.#byPhone.set(number, calls);
    const phone = this.#carrier.phones.get(number);
    phone.calls += 1;
    phone.lastAt = call.startedAt;
    phone.hidden = false;
  }

  #start(line: Line): void {
    const { call, person } = line;
    const { stats } = this.#carrier;
    call.startedAt = Date.now();
    if (call.direction === 'outbound-api') stats.CallsAtOnce = Math.max(stats.CallsAtOnce, this.inFlight);
    // An office that calls are connected to has more than one line; a telephone on the page is one telephone.
    const isOneLine = call.direction !== 'outbound-dial' || this.#isOnPage(call.to);
    const isTaken = isOneLine && this.callsOf(call.to).some((other) => !isOver(other));
    this.#keep(call);
    this.#tellStatus(call, 'initiated');
    const refusal = isTaken ? refusals.Busy : refusals[person.picksUp];
    if (refusal) {
      line.afterSeconds(refusalSeconds, () => this.end(line, ...refusal));
      return;
    }
    line.afterSeconds(dialSeconds, () => this.#ring(line));
  }

  #ring(line: Line): void {
    const { call, person } = line;
    call.status = 'ringing';
    this.note(call, 'Ringing');
    this.#tellStatus(call, 'ringing');
    line.giveUp = line.afterSeconds(call.order.timeoutSeconds, () =>
      this.end(line, 'no-answer', { sip: 487, result: 'NoAnswer' }),
    );
    const { picksUp } = person;
    if (picksUp !== 'Person' && picksUp !== 'Machine' && picksUp !== 'Fax') return;
    const rings = this.#carrier.random.between(...person.rings);
    line.rings = rings;
    line.stopRinging = line.afterSeconds(rings * ringSeconds, () => this.pickUp(line, picksUp));
  }

  #begin(line: Line): void {
    if (line.script && !isOver(line.call)) line.play(line.script);
  }

  #greet(line: Line): void {
    const { call, person } = line;
    const seconds = greetingOf(line);
    line.afterSeconds(seconds, () => {
      if (person.isFull) return this.end(line, 'completed', { result: 'MailboxFull' });
      line.afterSeconds(beepSeconds, () => {
        call.mailboxFrom = Date.now();
        this.note(call, 'Beep');
        line.afterSeconds(mailboxSeconds, () => this.end(line, 'completed'));
      });
    });
  }

  #detect(line: Line): void {
    const { call } = line;
    const { order } = call;
    let [answeredBy, seconds] = judge(line, order.detects ?? 'Enable');
    const limit = order.detectTimeoutSeconds ?? 30;
    if (seconds > limit) [answeredBy, seconds] = ['unknown', limit];
    line.afterSeconds(seconds, () => {
      call.answeredBy = answeredBy;
      call.detectedMs = Math.round(seconds * 1000);
      this.note(call, verdictWords(answeredBy));
      if (!order.detectsAsync) return this.#begin(line);
      if (order.detectsUrl === undefined) return;
      const parameters = {
        CallSid: call.sid,
        AccountSid: this.#carrier.config.twilioAccountSid,
        AnsweredBy: answeredBy,
        MachineDetectionDuration: String(call.detectedMs),
      };
      this.hooks.tell(order.detectsUrl, parameters, { event: 'amd', method: order.detectsMethod ?? 'POST' });
    });
  }

  #tellStatus(call: Call, event: 'initiated' | 'ringing' | 'answered' | 'completed'): void {
    const { statusCallback, statusEvents, statusMethod } = call.order;
    if (statusCallback === undefined || !statusEvents.includes(event)) return;
    const parameters = this.describe(call);
    if (event === 'initiated') parameters.CallStatus = 'initiated';
    parameters.Timestamp = formatTwilioDate(Date.now());
    parameters.CallbackSource = 'call-progress-events';
    parameters.SequenceNumber = String(call.sequence);
    call.sequence += 1;
    if (event === 'completed') {
      const seconds = talkedSeconds(call);
      parameters.CallDuration = String(seconds);
      if (call.status === 'completed') parameters.Duration = String(Math.max(1, Math.ceil(seconds / 60)));
      if (call.sip !== undefined) parameters.SipResponseCode = String(call.sip);
    }
    if (call.answeredBy) parameters.AnsweredBy = call.answeredBy;
    this.hooks.tell(statusCallback, parameters, {
      event: `status ${call.sequence}`,
      method: statusMethod ?? 'POST',
    });
  }

  /** The names that every one of Twilio's requests about a call carries. */
  describe(call: Call): Record<string, string> {
    return {
      CallSid: call.sid,
      AccountSid: this.#carrier.config.twilioAccountSid,
      From: `+${call.from}`,
      To: `+${call.to}`,
      Caller: `+${call.from}`,
      Called: `+${call.to}`,
      CallStatus: call.status,
      ApiVersion: '2010-04-01',
      Direction: call.direction,
      FromCountry: 'US',
      ToCountry: 'US',
      ...(call.parentSid !== undefined && { ParentCallSid: call.parentSid }),
    };
  }

  get carrier(): Carrier {
    return this.#carrier;
  }
}

/** What makes two calls the same attempt: the number and the address, which holds the caller's own key. */
export function attemptKey(call: Call): string {
  const { infobip, url, twiml } = call.order;
  return `${call.to} ${infobip?.messageId ?? url ?? twiml ?? call.sid}`;
}

function resultOf(call: Call): CallResult {
  if (call.pickedUpBy === 'Machine') return 'Voicemail';
  if (call.pickedUpBy === 'Fax') return 'Fax';
  if (call.pickedUpBy === 'Person') return 'Answered';
  return call.status === 'canceled' ? 'Canceled' : call.status === 'no-answer' ? 'NoAnswer' : 'Failed';
}

function endWords(call: Call): string {
  switch (call.result) {
    case 'Busy':
      return 'Busy';
    case 'NoAnswer':
      return 'No answer';
    case 'NotInService':
      return 'Not in service';
    case 'Blocked':
      return 'Blocked';
    case 'Failed':
      return 'The call failed';
    case 'Canceled':
      return 'Canceled by the caller';
    case 'MailboxFull':
      return 'The mailbox is full';
    default:
      return 'Ended';
  }
}

export function verdictWords(answeredBy: AnsweredBy): string {
  if (answeredBy === 'human') return 'A person, not a machine';
  if (answeredBy === 'fax') return 'A fax';
  if (answeredBy === 'unknown') return 'Not known whether a person or a machine';
  return 'A machine, not a person';
}

/** Somebody who answers by hand just says hello; whoever is sent to voicemail has the usual greeting. */
function greetingOf({ call, person }: Line): number {
  if (call.pickedUpBy === 'Machine') return person.picksUp === 'Machine' ? person.greetingSeconds : 7;
  return call.byHand ? 1 : person.greetingSeconds;
}

/** What machine detection says of whoever picked up, and after how many seconds. */
export function judge(line: Line, detects: 'Enable' | 'DetectMessageEnd'): [AnsweredBy, number] {
  const { pickedUpBy } = line.call;
  const greeting = greetingOf(line);
  if (pickedUpBy === 'Fax') return ['fax', 1.5];
  if (greeting < speechThresholdSeconds) return ['human', greeting + speechEndSeconds];
  if (detects === 'Enable') return ['machine_start', speechThresholdSeconds];
  if (pickedUpBy === 'Machine') return ['machine_end_beep', greeting + beepSeconds];
  return ['machine_end_silence', greeting + speechEndSeconds];
}

/** One side of a call that is not over: its timers, the script that runs, and whoever listens. */
export class Line {
  readonly call: Call;
  readonly person: Person;
  readonly exchange: Exchange;
  script: Script | undefined;
  ended: ((call: Call) => void) | undefined;
  /** The other side, while they are connected. */
  peer: Line | undefined;
  stopRinging: (() => void) | undefined;
  /** After so many rings somebody or something picks up. */
  rings: number | undefined;
  giveUp: (() => void) | undefined;
  /** Keys that the person at the telephone will press by itself. */
  presses: string;
  /** Takes what the microphone at this telephone hears, 20 ms of 8000 Hz at a time. */
  recorder: ((frame: Buffer) => void) | undefined;
  /** Pages that show this telephone and play what comes from the other side. */
  readonly listeners = new Set<(frame: Buffer) => void>();
  readonly keyListeners = new Set<(key: string) => void>();
  /** Keys from before anything listened: the document is still on its way, and the person has begun. */
  #early: string | undefined = '';
  #run: AbortController | undefined;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #over = new AbortController();
  readonly pickedUp: Promise<void>;
  picked: () => void = () => undefined;

  constructor(exchange: Exchange, call: Call, person: Person) {
    this.exchange = exchange;
    this.call = call;
    this.person = person;
    this.presses = person.presses ?? '';
    this.pickedUp = new Promise((resolve) => {
      this.picked = resolve;
    });
  }

  /** Aborted when the call is over. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  after(ms: number, act: () => void): () => void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (!isOver(this.call)) act();
    }, ms);
    this.#timers.add(timer);
    return () => {
      clearTimeout(timer);
      this.#timers.delete(timer);
    };
  }

  /** After so many seconds of the call's own time. */
  afterSeconds(seconds: number, act: () => void): () => void {
    return this.after((seconds * 1000) / this.call.speed, act);
  }

  async wait(seconds: number, signal: AbortSignal): Promise<void> {
    await sleep((seconds * 1000) / this.call.speed, undefined, { signal });
  }

  /** Runs the script, instead of the one that ran. The call ends with it. */
  play(script: Script): void {
    this.#run?.abort();
    const run = new AbortController();
    this.#run = run;
    script(this, run.signal).then(
      () => {
        if (!run.signal.aborted) this.exchange.end(this, 'completed');
      },
      (error: unknown) => {
        if (run.signal.aborted) return;
        console.error(error);
        this.exchange.end(this, 'completed');
      },
    );
  }

  press(key: string): void {
    this.call.keys += key;
    this.exchange.note(this.call, `Pressed ${key}`);
    if (this.keyListeners.size === 0 && this.#early !== undefined) this.#early += key;
    for (const listen of [...this.keyListeners]) listen(key);
  }

  /** Those keys, once: later ones belong to whatever listens then. */
  takeEarlyKeys(): string {
    const keys = this.#early ?? '';
    this.#early = undefined;
    return keys;
  }

  /** A sound is played into the call; ends early when the signal says so. */
  async sound(
    source: SoundSource,
    { length, text }: { length: number; text: string | undefined },
    signal: AbortSignal,
  ): Promise<void> {
    const { call } = this;
    const heard: Heard = {
      at: Date.now(),
      length,
      seconds: undefined,
      text,
      source,
      into: call.pickedUpBy !== 'Machine' ? 'Call' : call.mailboxFrom > 0 ? 'Mailbox' : 'Greeting',
    };
    call.heard.push(heard);
    if (!('tone' in source)) {
      this.exchange.note(call, heard.into === 'Mailbox' ? 'Leaves a message' : 'Message started');
    }
    try {
      await this.wait(length, signal);
    } finally {
      heard.seconds = Math.min(length, secondsBetween(call, heard.at, Date.now()));
      this.exchange.changed(call);
    }
  }

  /** What the microphone at this telephone hears. */
  speak(frame: Buffer): void {
    this.recorder?.(frame);
    for (const listen of this.peer?.listeners ?? []) listen(frame);
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#run?.abort();
    this.#over.abort();
    this.picked();
  }
}
