// One side of a call that is under way.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, type Heard, isOver, secondsBetween } from './call.ts';
import type { Person } from './call-people.ts';
import type { SoundSource } from './call-sounds.ts';
import type { Exchange } from './exchange.ts';

/** Says what happens in a call from when it is picked up; ends when the call should. */
export type Script = (line: Line, signal: AbortSignal) => Promise<void>;

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

  /** Passes on the sound from this telephone's microphone. */
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
