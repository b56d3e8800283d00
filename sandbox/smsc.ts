// A short message service center: SMPP 3.4 over TCP, with the telephones and the faults of the other carriers. Long texts
// come in parts, each with an id and a receipt of its own; a telephone gets the whole. A repeat is a second text.
import { createServer, type Server, type Socket } from 'node:net';
import type { Carrier } from './carrier.ts';
import { ConfigError } from './config.ts';
import { drawFault, type RequestFault } from './faults.ts';
import type { Message } from './message.ts';
import { parseCarrierNumber } from './numbers.ts';
import { getOutcome } from './outcomes.ts';
import type { Receipt } from './reporter.ts';
import { ruleFor } from './rules.ts';
import { countSegments } from './segments.ts';
import {
  commands,
  composeDeliver,
  type Delivery,
  Fields,
  type Pdu,
  PduReader,
  readSubmit,
  responseBit,
  type Submitted,
  statuses,
  tags,
  writePdu,
} from './smpp-pdu.ts';
import { decodeSmpp, splitSmpp } from './smpp-text.ts';

/** Takes the place of an address for receipts and texts of this carrier. */
const smppUrl = 'smpp:';

/** The text of a request, once all its parts are here; the journal keeps it. */
export type SmppText = {
  from: string;
  to: string;
  text: string;
  ids: string[];
  wantsReceipt: boolean;
  /** The parts for which a receipt was requested, if not for all of them. */
  receiptIds?: string[];
};

type Session = { socket: Socket; isBound: boolean; receives: boolean; sequence: number };
type Waiting = { deliveries: Delivery[]; settled: (isTaken: boolean) => void };

/** Time to wait for the response to a deliver_sm. */
const answerMs = 10_000;
/** Number of deliver_sm that are under way at once. */
const window = 200;

const empty = Buffer.alloc(0);

export class Smsc {
  readonly #carrier: Carrier;
  readonly #server: Server;
  readonly #sessions = new Set<Session>();
  /** The parts of texts that aren't whole yet. */
  readonly #parts = new Map<
    string,
    { ids: string[]; receiptIds: string[]; pieces: string[]; missing: number }
  >();
  readonly #answers = new Map<string, (status: number | undefined) => void>();
  readonly #queue: Waiting[] = [];
  #underWay = 0;
  #reference = 0;
  #lastId = 0;
  #turn = 0;

  constructor(carrier: Carrier) {
    this.#carrier = carrier;
    this.#server = createServer((socket) => this.#open(socket));
    carrier.reporter.smsc = {
      report: (receipt, settled) => this.#push(composeReceipts(receipt), settled),
      deliver: (message, settled) => this.#push(this.#composeText(message), settled),
    };
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  listen(port: number, host: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', () =>
        reject(
          new ConfigError(`Port ${port} is in use: set SANDBOX_SMPP_PORT to another one, or to nothing.`),
        ),
      );
      this.#server.listen(port, host, resolve);
    });
  }

  async close(): Promise<void> {
    for (const { socket } of this.#sessions) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #open(socket: Socket): void {
    const session: Session = { socket, isBound: false, receives: false, sequence: 0 };
    const reader = new PduReader();
    this.#sessions.add(session);
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      try {
        // Answers to what came together leave together.
        socket.cork();
        for (const pdu of reader.push(chunk)) this.#serve(session, pdu);
        socket.uncork();
      } catch {
        socket.destroy();
      }
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#sessions.delete(session);
      for (const [key, answer] of this.#answers) if (key.startsWith(`${keyOf(session)} `)) answer(undefined);
    });
  }

  #serve(session: Session, pdu: Pdu): void {
    const answer = (status: number, body: Buffer = empty) => {
      session.socket.write(
        writePdu({ command: pdu.command | responseBit, status, sequence: pdu.sequence, body }),
      );
    };
    if (this.#isDown()) {
      session.socket.resetAndDestroy();
      return;
    }
    switch (pdu.command) {
      case commands.bindReceiver:
      case commands.bindTransmitter:
      case commands.bindTransceiver:
        this.#bind(session, pdu, answer);
        return;
      case commands.submitSm:
        if (session.isBound) this.#submit(session, readSubmit(pdu.body), answer);
        else answer(statuses.notBound);
        return;
      case commands.enquireLink:
        answer(statuses.ok);
        return;
      case commands.unbind:
        answer(statuses.ok);
        session.socket.end();
        return;
      case (commands.deliverSm | responseBit) >>> 0:
        this.#answers.get(`${keyOf(session)} ${pdu.sequence}`)?.(pdu.status);
        return;
    }
    const isAnswer = (pdu.command & responseBit) !== 0;
    if (isAnswer) return;
    const nack = { command: commands.genericNack, status: statuses.invalidCommand, sequence: pdu.sequence };
    session.socket.write(writePdu({ ...nack, body: empty }));
  }

  #isDown(): boolean {
    const { Outage, Provider, Channel } = this.#carrier.faults;
    return Outage && (Provider === null || Provider === 'smpp') && Channel !== 'calls';
  }

  #bind(session: Session, { command, body }: Pdu, answer: (status: number, body?: Buffer) => void): void {
    const { smppSystemId, smppPassword } = this.#carrier.config;
    const fields = new Fields(body);
    const [systemId, password] = [fields.text(), fields.text()];
    const name = Buffer.from('sandbox\0', 'latin1');
    if (systemId !== smppSystemId) answer(statuses.invalidSystemId, name);
    else if (password !== smppPassword) answer(statuses.invalidPassword, name);
    else {
      session.isBound = true;
      session.receives = command !== commands.bindTransmitter;
      answer(statuses.ok, name);
      this.#run();
    }
  }

  #submit(session: Session, submitted: Submitted, answer: (status: number, body?: Buffer) => void): void {
    const carrier = this.#carrier;
    const fault = drawFault(carrier.faults, carrier.random, {
      provider: 'smpp',
      channel: 'texts',
      sends: true,
    });
    carrier.stats.Requests += 1;
    if (fault === 'tooMany') answer(statuses.throttled);
    else if (fault === 'serverError') answer(statuses.systemError);
    else if (fault !== 'holdBefore') this.#takeOrRefuse(session, submitted, answer, fault);
  }

  #takeOrRefuse(
    session: Session,
    submitted: Submitted,
    answer: (status: number, body?: Buffer) => void,
    fault: RequestFault,
  ): void {
    const carrier = this.#carrier;
    const to = parseCarrierNumber(submitted.to);
    const refused = to === undefined ? undefined : ruleFor(to).refused;
    if (to === undefined || refused !== undefined) {
      carrier.stats.Refused += 1;
      const isWrong = to === undefined || refused?.infobip.id === 52;
      answer(isWrong ? statuses.invalidDestination : statuses.refused);
      return;
    }
    const id = this.#createId();
    this.#take({ ...submitted, to, from: parseCarrierNumber(submitted.from) ?? submitted.from }, id);
    if (fault === 'holdAfter') return;
    if (fault === 'resetAfter') {
      session.socket.resetAndDestroy();
      return;
    }
    const say = () => answer(statuses.ok, Buffer.from(`${id}\0`, 'latin1'));
    const { AnswerDelayMs } = carrier.faults;
    if (AnswerDelayMs === 0) say();
    else setTimeout(say, AnswerDelayMs);
  }

  #createId(): string {
    this.#lastId += 1;
    return this.#carrier.createId(this.#carrier.seq + this.#lastId, Date.now());
  }

  /** Takes a text on once all its parts are here. */
  #take(submitted: Submitted, id: string): void {
    const { from, to, esmClass, wantsReceipt, dataCoding, message } = submitted;
    const headerLength = (esmClass & 0x40) === 0 ? 0 : (message[0] ?? 0) + 1;
    const text = decodeSmpp(message.subarray(headerLength), dataCoding);
    const [, element, , reference, total = 1, place = 1] = message;
    if (headerLength === 0 || element !== 0) {
      this.#accept({ from, to, text, ids: [id], wantsReceipt });
      return;
    }
    const key = `${from} ${to} ${reference} ${total}`;
    const known = this.#parts.get(key) ?? { ids: [], receiptIds: [], pieces: [], missing: total };
    this.#parts.set(key, known);
    if (known.pieces[place - 1] === undefined) known.missing -= 1;
    known.pieces[place - 1] = text;
    known.ids.push(id);
    if (wantsReceipt) known.receiptIds.push(id);
    if (known.missing > 0) return;
    this.#parts.delete(key);
    const { ids, receiptIds } = known;
    this.#accept({
      ...{ from, to, text: known.pieces.join(''), ids, wantsReceipt: receiptIds.length > 0 },
      ...(receiptIds.length < ids.length && { receiptIds }),
    });
  }

  #accept(text: SmppText): void {
    const at = Date.now();
    const firstSeq = this.#carrier.seq;
    acceptSmpp(this.#carrier, text, at);
    this.#carrier.journal?.accepted('smpp', at, firstSeq, Buffer.from(JSON.stringify(text)));
    this.#carrier.events.figuresChanged();
  }

  #composeText(message: Message): Delivery[] {
    this.#reference = (this.#reference + 1) % 65_536;
    const { dataCoding, parts } = splitSmpp(message.text, this.#reference);
    const esmClass = parts.length > 1 ? 0x40 : 0;
    return parts.map((part) => ({
      from: message.from,
      to: message.to,
      esmClass,
      dataCoding,
      message: part,
    }));
  }

  #push(deliveries: Delivery[], settled: (isTaken: boolean) => void): void {
    this.#queue.push({ deliveries, settled });
    this.#run();
  }

  /** Hands out what waits, to those who are bound, by turns. */
  #run(): void {
    const receivers = [...this.#sessions].filter(({ receives }) => receives);
    while (receivers.length > 0 && this.#underWay < window) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      this.#turn += 1;
      const session = receivers[this.#turn % receivers.length];
      if (session === undefined) return;
      this.#underWay += 1;
      void this.#deliver(session, next);
    }
  }

  async #deliver(session: Session, waiting: Waiting): Promise<void> {
    const taken = await Promise.all(waiting.deliveries.map((each) => this.#deliverOne(session, each)));
    this.#underWay -= 1;
    const left = waiting.deliveries.filter((_, index) => taken[index] !== 0);
    if (left.length === 0) waiting.settled(true);
    else {
      // Not taken, or not answered: delivered again, as real ones do.
      const again = { ...waiting, deliveries: left };
      this.#carrier.reporter.timers.push(Date.now() + this.#carrier.config.retryUnitMs, () => {
        this.#queue.push(again);
        this.#run();
      });
    }
    this.#run();
  }

  #deliverOne(session: Session, delivery: Delivery): Promise<number | undefined> {
    session.sequence += 1;
    const { sequence } = session;
    const key = `${keyOf(session)} ${sequence}`;
    return new Promise((resolve) => {
      const limit = setTimeout(() => end(undefined), answerMs);
      const end = (status: number | undefined) => {
        clearTimeout(limit);
        this.#answers.delete(key);
        resolve(status);
      };
      this.#answers.set(key, end);
      session.socket.write(
        writePdu({ command: commands.deliverSm, status: 0, sequence, body: composeDeliver(delivery) }),
      );
    });
  }
}

const names = new WeakMap<Session, number>();
let lastName = 0;
function keyOf(session: Session): number {
  const name = names.get(session) ?? ++lastName;
  names.set(session, name);
  return name;
}

/** Also runs when the journal is replayed. */
export function acceptSmpp(
  carrier: Carrier,
  { from, to, text, ids, wantsReceipt, receiptIds = ids }: SmppText,
  at: number,
): void {
  carrier.accept({
    id: ids[0] ?? '',
    provider: 'smpp',
    mms: false,
    from,
    to,
    text,
    parts: countSegments(text),
    at,
    envelope: {
      reportUrl: wantsReceipt ? smppUrl : undefined,
      intermediate: false,
      reportMembers: '',
      bulkId: undefined,
      campaignReferenceId: undefined,
      partIds: receiptIds,
    },
    mediaUrls: [],
  });
}

type Ending = { word: string; state: number; error: string; network?: number };

/** By label. `network` is a code of GSM's own; `error` is this center's. Others are undeliverable, without a reason. */
const endings: Readonly<Record<string, Ending>> = {
  Delivered: { word: 'DELIVRD', state: 2, error: '000' },
  'Carrier Limit Exceeded': { word: 'REJECTD', state: 8, error: '088' },
  'Carrier Rejected Message': { word: 'REJECTD', state: 8, error: '000' },
  'Rejected by handset': { word: 'UNDELIV', state: 5, error: '032', network: 32 },
  'Rejected for possible SPAM': { word: 'REJECTD', state: 8, error: '607' },
  'Text Number Unavailable': { word: 'UNDELIV', state: 5, error: '001', network: 1 },
  'Phone Unreachable': { word: 'UNDELIV', state: 5, error: '027', network: 27 },
  'Opted Out': { word: 'REJECTD', state: 8, error: '603' },
  Blacklisted: { word: 'REJECTD', state: 8, error: '604' },
  'Attempts Exceeded': { word: 'EXPIRED', state: 3, error: '000' },
};

/** A receipt for each part of the text. */
function composeReceipts({ message, outcome, at }: Receipt): Delivery[] {
  const { label } = getOutcome(outcome);
  const { word, state, error, network } = endings[label] ?? { word: 'UNDELIV', state: 5, error: '000' };
  const ids = message.envelope?.partIds ?? [message.id];
  const isThere = word === 'DELIVRD' ? '001' : '000';
  return ids.map((id) => ({
    // A receipt goes back the way that the text came.
    from: message.to,
    to: message.from,
    esmClass: 4,
    dataCoding: 0,
    message: Buffer.from(
      `id:${id} sub:001 dlvrd:${isThere} submit date:${formatDate(message.acceptedAt)} ` +
        `done date:${formatDate(at)} stat:${word} err:${error} text:`,
      'latin1',
    ),
    tagged: [
      [tags.receiptedMessageId, Buffer.from(`${id}\0`, 'latin1')],
      [tags.messageState, Buffer.from([state])],
      ...(network === undefined
        ? []
        : ([[tags.networkErrorCode, Buffer.from([3, 0, network])]] as [number, Buffer][])),
    ],
  }));
}

/** YYMMDDhhmm. */
function formatDate(at: number): string {
  return new Date(at).toISOString().replace(/\D/g, '').slice(2, 12);
}
