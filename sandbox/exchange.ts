// The telephone exchange: calls wait for their turn, ring, are picked up by whoever is at the number, and end. What is said in
// a call is the script's business (TwiML in call-flow.ts, Infobip's scenarios in ivr-flow.ts).
//
// queued → ringing → in-progress → completed, or busy, failed, no-answer, canceled on the way.
import {
  type Call,
  type CallOrder,
  type CallResult,
  type CallStatus,
  createCall,
  handsetOf,
  isOver,
  talkedSeconds,
} from './call.ts';
import { attemptKey, endWords, greetingOf, judge, refusals, resultOf, verdictWords } from './call-ends.ts';
import { CallHooks } from './call-hooks.ts';
import { beepSeconds, mailboxSeconds, type Person, personAt, ringSeconds } from './call-people.ts';
import { Sounds } from './call-sounds.ts';
import type { Carrier } from './carrier.ts';
import type { Provider } from './config.ts';
import { formatTwilioDate } from './dates.ts';
import { tellInfobip } from './infobip-voice.ts';
import { digestText, KeyTable } from './key-table.ts';
import { Line, type Script } from './line.ts';
import { RecentMap } from './recent-map.ts';

/** From "placed" to the first ring, or to the network's refusal. */
const dialSeconds = 0.3;
const refusalSeconds = 1;
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
  /** Time when the next start would be exactly on pace. */
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
  connect(
    parent: Line,
    to: string,
    from: string,
    { sid: ownSid, ...order }: CallOrder & { sid?: string },
  ): Line {
    const { provider, sid } = parent.call;
    const line = this.#open({
      provider,
      direction: 'outbound-dial',
      from,
      to,
      order,
      sid: ownSid,
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
