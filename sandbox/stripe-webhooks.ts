import { createHmac } from 'node:crypto';
import { newId, type StripeObject, type StripeStore } from './stripe-store.ts';

const version = '2023-08-16';
const tries = 6;

/** Sends what happened to whoever runs Muster: signed, again when it isn't taken, and as badly as the faults say. */
export class StripeWebhooks {
  #waiting: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  readonly #store: StripeStore;
  readonly #to: { url: string | undefined; secret: string; retryMs: number };

  constructor(store: StripeStore, to: { url: string | undefined; secret: string; retryMs: number }) {
    this.#store = store;
    this.#to = to;
  }

  tell(type: string, object: StripeObject): void {
    const event = this.#store.save({
      id: newId('evt'),
      object: 'event',
      api_version: version,
      created: Math.floor(Date.now() / 1000),
      type,
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      data: { object: structuredClone(object) },
    });
    if (this.#to.url === undefined || this.#store.faults.WebhookNever) return;
    const body = JSON.stringify(event);
    this.#waiting.push(body, ...(this.#store.faults.WebhookTwice ? [body] : []));
    this.#timer ??= setTimeout(() => this.#leave(), this.#store.faults.WebhookDelayMs);
  }

  #leave(): void {
    this.#timer = undefined;
    const bodies = this.#waiting.splice(0);
    if (this.#store.faults.WebhookShuffle) bodies.reverse();
    for (const body of bodies) void this.#send(body, 1);
  }

  async #send(body: string, attempt: number): Promise<void> {
    const { url, secret, retryMs } = this.#to;
    if (url === undefined || this.#isClosed) return;
    const stamp = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', secret).update(`${stamp}.${body}`).digest('hex');
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'stripe-signature': `t=${stamp},v1=${signature}` },
        body,
        signal: AbortSignal.timeout(10_000),
      });
      await answer.arrayBuffer();
      if (answer.ok || attempt >= tries) return;
    } catch {
      if (attempt >= tries) return;
    }
    setTimeout(() => void this.#send(body, attempt + 1), retryMs * 2 ** attempt).unref();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }
}
