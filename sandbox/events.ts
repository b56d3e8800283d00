import type { ServerResponse } from 'node:http';

/** One event at most in this time, however much happens: the page refetches what an event names. */
const intervalMs = 100;
const namedPhones = 200;

/** Server-sent events for the page: which telephones changed, whether the mailbox did, and the figures. */
export class Events {
  readonly #clients = new Set<ServerResponse>();
  readonly #figures: () => unknown;
  #changed = new Set<string>();
  #dirty = false;
  #many = false;
  #mails = false;
  #registry = false;
  #timer: NodeJS.Timeout | undefined;
  #lastAt = 0;
  #beat: NodeJS.Timeout | undefined;

  constructor(figures: () => unknown) {
    this.#figures = figures;
  }

  /** Somebody has the page open. */
  get isWatched(): boolean {
    return this.#clients.size > 0;
  }

  connect(response: ServerResponse): void {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      connection: 'keep-alive',
    });
    // The browser's own reconnect, a second after a break; it then asks for everything again.
    response.write(
      `retry: 1000\ndata: ${JSON.stringify({ Phones: [], Many: true, Mails: true, Registry: true, Stats: this.#figures() })}\n\n`,
    );
    this.#clients.add(response);
    response.on('close', () => this.#clients.delete(response));
    this.#beat ??= setInterval(() => this.#write(': beat\n\n'), 15_000).unref();
  }

  phoneChanged(number: string): void {
    if (this.#clients.size === 0) return;
    if (this.#changed.size < namedPhones) this.#changed.add(number);
    else if (!this.#changed.has(number)) this.#many = true;
    this.figuresChanged();
  }

  /** Everything may be different. */
  allChanged(): void {
    this.#many = true;
    this.figuresChanged();
  }

  mailsChanged(): void {
    this.#mails = true;
    this.figuresChanged();
  }

  registryChanged(): void {
    this.#registry = true;
    this.figuresChanged();
  }

  figuresChanged(): void {
    if (this.#clients.size === 0 || this.#dirty) return;
    this.#dirty = true;
    const waitMs = Math.max(0, this.#lastAt + intervalMs - Date.now());
    this.#timer = setTimeout(() => this.#flush(), waitMs);
  }

  close(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#beat);
    for (const client of this.#clients) client.end();
  }

  #flush(): void {
    this.#lastAt = Date.now();
    const event = {
      Phones: [...this.#changed],
      Many: this.#many,
      Mails: this.#mails,
      Registry: this.#registry,
      Stats: this.#figures(),
    };
    this.#changed = new Set();
    this.#dirty = false;
    this.#many = false;
    this.#mails = false;
    this.#registry = false;
    this.#write(`data: ${JSON.stringify(event)}\n\n`);
  }

  #write(text: string): void {
    for (const client of this.#clients) {
      // A page that no longer reads would fill the memory; it comes back by itself.
      if (client.writableLength > 1_000_000) client.destroy();
      else client.write(text);
    }
  }
}
