// Webhooks out of the carrier. A lane is one receiver: items wait in it, leave in batches over a few
// kept-alive connections, and come back into it when the receiver did not take them.
import http from 'node:http';
import https from 'node:https';
import type { Wheel } from './wheel.ts';

export type Post = {
  url: string;
  /** POST unless it says otherwise. */
  method?: 'GET' | 'POST';
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
};

export type Reply =
  | { kind: 'status'; status: number }
  /** `late`: connected, but no answer in time. */
  | { kind: 'broken'; late: boolean };

export type LaneOptions<T> = {
  perRequest: () => number;
  /** Longest time that an item may wait for company. */
  lingerMs: number;
  compose: (items: T[]) => Post;
  /** The wait before the next try, undefined to give up. `tries` is how many were made. */
  retryAfterMs: (items: T[], tries: number, reply: Reply) => number | undefined;
  settled: (items: T[], delivered: boolean) => void;
  failed: (items: T[]) => void;
};

type Batch<T> = { items: T[]; tries: number; noConnection: boolean };

export class Outbox {
  readonly #agents: { 'http:': http.Agent; 'https:': https.Agent };
  readonly #timers: Wheel<() => void>;
  readonly #connections: number;
  #closed = false;

  constructor(timers: Wheel<() => void>, connections = 4) {
    this.#timers = timers;
    this.#connections = connections;
    this.#agents = {
      'http:': new http.Agent({ keepAlive: true, maxSockets: connections, timeout: 60_000 }),
      'https:': new https.Agent({ keepAlive: true, maxSockets: connections, timeout: 60_000 }),
    };
  }

  createLane<T>(options: LaneOptions<T>): Lane<T> {
    return new Lane(options, this.#timers, (post) => this.#post(post), this.#connections);
  }

  close(): void {
    this.#closed = true;
    this.#agents['http:'].destroy();
    this.#agents['https:'].destroy();
  }

  async #post(post: Post): Promise<Reply> {
    const first = await this.#attempt(post);
    // A kept-alive connection that the receiver closed just now is no failure of the receiver.
    if (first !== 'stale') return first;
    const second = await this.#attempt(post);
    return second === 'stale' ? { kind: 'broken', late: false } : second;
  }

  #attempt(post: Post): Promise<Reply | 'stale'> {
    if (this.#closed) return Promise.resolve({ kind: 'broken', late: false });
    return new Promise((resolve) => {
      const url = new URL(post.url);
      const secure = url.protocol === 'https:';
      const request = (secure ? https : http).request(url, {
        method: post.method ?? 'POST',
        agent: secure ? this.#agents['https:'] : this.#agents['http:'],
        headers: { ...post.headers, 'content-length': Buffer.byteLength(post.body) },
      });
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        request.destroy();
      }, post.timeoutMs);
      request.on('response', (response) => {
        response.resume();
        response.on('close', () => {
          clearTimeout(timer);
          resolve({ kind: 'status', status: response.statusCode ?? 0 });
        });
      });
      request.on('error', () => {
        clearTimeout(timer);
        resolve(!late && request.reusedSocket ? 'stale' : { kind: 'broken', late });
      });
      request.end(post.body);
    });
  }
}

export class Lane<T> {
  #open: T[] = [];
  readonly #ready = new Fifo<Batch<T>>();
  readonly #waiting = new Set<Batch<T>>();
  #busy = 0;
  #lingering = false;
  readonly #options: LaneOptions<T>;
  readonly #timers: Wheel<() => void>;
  readonly #post: (post: Post) => Promise<Reply>;
  readonly #connections: number;

  constructor(
    options: LaneOptions<T>,
    timers: Wheel<() => void>,
    post: (post: Post) => Promise<Reply>,
    connections: number,
  ) {
    this.#options = options;
    this.#timers = timers;
    this.#post = post;
    this.#connections = connections;
  }

  get idle(): boolean {
    return this.#open.length + this.#ready.size + this.#waiting.size + this.#busy === 0;
  }

  push(item: T): void {
    this.#open.push(item);
    if (this.#open.length >= this.#options.perRequest()) this.#close();
    else if (!this.#lingering) {
      this.#lingering = true;
      this.#timers.push(Date.now() + this.#options.lingerMs, () => {
        this.#lingering = false;
        this.#close();
      });
    }
  }

  /** Makes a batch of what has gathered. */
  #close(): void {
    if (this.#open.length === 0) return;
    this.#ready.push({ items: this.#open, tries: 0, noConnection: false });
    this.#open = [];
    this.#pump();
  }

  #pump(): void {
    while (this.#busy < this.#connections) {
      const batch = this.#ready.shift();
      if (!batch) return;
      void this.#deliver(batch);
    }
  }

  async #deliver(batch: Batch<T>): Promise<void> {
    this.#busy += 1;
    const reply = await this.#post(this.#options.compose(batch.items));
    this.#busy -= 1;
    batch.tries += 1;
    if (reply.kind === 'status' && reply.status >= 200 && reply.status < 300) {
      this.#options.settled(batch.items, true);
      this.#callBackUnconnected();
    } else {
      this.#options.failed(batch.items);
      batch.noConnection = reply.kind === 'broken' && !reply.late;
      const waitMs = this.#options.retryAfterMs(batch.items, batch.tries, reply);
      if (waitMs === undefined) this.#options.settled(batch.items, false);
      else this.#retryLater(batch, waitMs);
    }
    this.#pump();
  }

  #retryLater(batch: Batch<T>, waitMs: number): void {
    this.#waiting.add(batch);
    this.#timers.push(Date.now() + waitMs, () => {
      if (!this.#waiting.delete(batch)) return;
      this.#ready.push(batch);
      this.#pump();
    });
  }

  /** The receiver is up again: what found nobody there need not wait for its turn. */
  #callBackUnconnected(): void {
    for (const batch of this.#waiting) {
      if (!batch.noConnection) continue;
      this.#waiting.delete(batch);
      this.#ready.push(batch);
    }
  }
}

/** A queue whose shift doesn't move the rest: there may be ten thousand batches in it. */
class Fifo<T> {
  #items: T[] = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    const item = this.#items[this.#head];
    if (item === undefined) return undefined;
    this.#head += 1;
    if (this.#head === this.#items.length) {
      this.#items = [];
      this.#head = 0;
    } else if (this.#head > 1024 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}
