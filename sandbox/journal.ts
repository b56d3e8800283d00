// The sandbox's memory across restarts: one file of JSON lines that begins with a snapshot and goes on
// with what happened since. It is played back and written again at every start, and whenever it has grown
// by `rotateBytes`, so it can't grow without bound.
//
// A request is written before it is answered (one write(2) a request: what was answered survives kill -9,
// not a power cut). Ends and receipts are gathered for 50 ms: after a kill the last of them happen again,
// which a receiver of receipts must bear anyway.
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Call } from './call.ts';
import type { CallerId } from './caller-ids.ts';
import type { Carrier, ServedNumber } from './carrier.ts';
import { ConfigError, type Provider } from './config.ts';
import type { Scenario } from './ivr-check.ts';
import { readRecord } from './journal-replay.ts';
import { writeSnapshot } from './journal-snapshot.ts';
import type { Message } from './message.ts';
import type { Phone } from './phones.ts';

const flushEveryMs = 50;
const rotateBytes = 128 * 1024 * 1024;

export function openJournal(carrier: Carrier, folder: string): { isNew: boolean } {
  try {
    mkdirSync(folder, { recursive: true });
    const generations = readdirSync(folder)
      .map((name) => Number(/^journal-(\d+)\.jsonl$/.exec(name)?.[1] ?? Number.NaN))
      .filter((generation) => !Number.isNaN(generation));
    const latest = Math.max(0, ...generations);
    if (latest > 0) {
      carrier.replaying = true;
      readLines(join(folder, `journal-${latest}.jsonl`), (line) => readRecord(carrier, line));
      carrier.replaying = false;
    }
    carrier.journal = new Journal(carrier, folder, latest + 1);
    return { isNew: latest === 0 };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    throw new ConfigError(
      `The sandbox can't use its folder ${folder} (${code}). Check SANDBOX_DATA_DIR and its rights.`,
    );
  }
}

/** The last line of a killed program may be torn; it is left out. */
function readLines(file: string, read: (line: string) => void): void {
  const descriptor = openSync(file, 'r');
  const piece = Buffer.allocUnsafe(1024 * 1024);
  let rest: Buffer[] = [];
  for (;;) {
    const size = readSync(descriptor, piece);
    if (size === 0) break;
    let from = 0;
    for (let at = piece.indexOf(10); at >= 0 && at < size; at = piece.indexOf(10, from)) {
      rest.push(Buffer.from(piece.subarray(from, at)));
      read(Buffer.concat(rest).toString('utf8'));
      rest = [];
      from = at + 1;
    }
    if (from < size) rest.push(Buffer.from(piece.subarray(from, size)));
  }
  closeSync(descriptor);
}

export class Journal {
  readonly #carrier: Carrier;
  readonly #folder: string;
  #generation: number;
  #descriptor: number;
  #written = 0;
  #timer: NodeJS.Timeout | undefined;
  #ends: { at: number; s: number[]; o: number[] }[] = [];
  #done: { s: number[]; o: number[] } = { s: [], o: [] };

  constructor(carrier: Carrier, folder: string, generation: number) {
    this.#carrier = carrier;
    this.#folder = folder;
    this.#generation = generation;
    this.#descriptor = this.#begin();
  }

  /** A send request, as it came; `seq` is the last one given before it. */
  accepted(provider: Provider, at: number, seq: number, body: Buffer | string): void {
    const head = `{"t":"accept","p":"${provider}","at":${at},"s":${seq},"b":`;
    if (typeof body === 'string') this.#write(`${head}${JSON.stringify(body)}}\n`);
    // A body may be spread over lines; a record may not.
    else if (body.includes(10)) this.#write(`${head}${JSON.stringify(JSON.parse(body.toString('utf8')))}}\n`);
    else this.#write(Buffer.concat([Buffer.from(head), body, Buffer.from('}\n')]));
  }

  typed(message: Message): void {
    const { seq, id, provider, from, to, text, acceptedAt, media } = message;
    this.#write(
      `${JSON.stringify({ t: 'typed', seq, id, provider, from, to, text, at: acceptedAt, media })}\n`,
    );
  }

  ended(message: Message, at: number): void {
    let group = this.#ends.at(-1);
    if (group?.at !== at) {
      group = { at, s: [], o: [] };
      this.#ends.push(group);
    }
    group.s.push(message.seq);
    group.o.push(message.outcome);
    this.#flushSoon();
  }

  done(message: Message): void {
    this.#done.s.push(message.seq);
    this.#done.o.push(message.outcome);
    this.#flushSoon();
  }

  media(message: Message): void {
    this.#write(`${JSON.stringify({ t: 'media', s: message.seq, m: message.media })}\n`);
  }

  phone(phone: Phone): void {
    const { number, name, state, open, hidden } = phone;
    this.#write(`${JSON.stringify({ t: 'phone', number, name, state, open, hidden })}\n`);
  }

  number(number: string, served: ServedNumber): void {
    this.#write(`${JSON.stringify({ t: 'number', number, ...served })}\n`);
  }

  /** A call as it is now: when it is placed, and when it is over. */
  call(call: Call): void {
    this.#write(`${JSON.stringify({ t: 'call', call })}\n`);
  }

  callerId(callerId: CallerId): void {
    this.#write(`${JSON.stringify({ t: 'callerId', callerId })}\n`);
  }

  scenario(scenario: Scenario): void {
    this.#write(`${JSON.stringify({ t: 'scenario', scenario })}\n`);
  }

  scenarioDeleted(id: string): void {
    this.#write(`${JSON.stringify({ t: 'scenarioDeleted', id })}\n`);
  }

  callerIdDeleted(sid: string): void {
    this.#write(`${JSON.stringify({ t: 'callerIdDeleted', sid })}\n`);
  }

  reset(): void {
    this.#ends = [];
    this.#done = { s: [], o: [] };
    this.#rotate();
  }

  close(): void {
    this.#flush();
    clearTimeout(this.#timer);
    closeSync(this.#descriptor);
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => this.#flush(), flushEveryMs);
  }

  #flush(): void {
    this.#timer = undefined;
    let lines = '';
    for (const group of this.#ends) lines += `${JSON.stringify({ t: 'end', ...group })}\n`;
    if (this.#done.s.length > 0) {
      const { ReceiptsSent, ReceiptRequests, WebhookFailures } = this.#carrier.stats;
      lines += `${JSON.stringify({ t: 'done', ...this.#done, r: [ReceiptsSent, ReceiptRequests, WebhookFailures] })}\n`;
    }
    this.#ends = [];
    this.#done = { s: [], o: [] };
    if (lines !== '') this.#write(lines);
    if (this.#written > rotateBytes) this.#rotate();
  }

  #write(line: string | Buffer): void {
    const bytes = typeof line === 'string' ? Buffer.from(line) : line;
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#descriptor, bytes, at);
    this.#written += bytes.length;
  }

  #rotate(): void {
    closeSync(this.#descriptor);
    this.#generation += 1;
    this.#descriptor = this.#begin();
  }

  /** Writes what is known under a new name, and only then removes the older files. */
  #begin(): number {
    const file = join(this.#folder, `journal-${this.#generation}.jsonl`);
    const descriptor = openSync(`${file}.tmp`, 'w', 0o600);
    writeSnapshot(this.#carrier, (line) => {
      const bytes = Buffer.from(line);
      for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    });
    renameSync(`${file}.tmp`, file);
    for (const name of readdirSync(this.#folder)) {
      if (/^journal-\d+\.jsonl(\.tmp)?$/.test(name) && name !== `journal-${this.#generation}.jsonl`) {
        rmSync(join(this.#folder, name), { force: true });
      }
    }
    this.#written = 0;
    return descriptor;
  }
}
