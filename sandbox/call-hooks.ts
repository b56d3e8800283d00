// Requests that the exchange sends while a call runs: those for the next document, which wait for an answer, and
// webhooks that tell what happened, which are repeated by Twilio's rules and suffer the faults that were asked for.
import http from 'node:http';
import https from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config, Provider } from './config.ts';
import type { Faults } from './faults.ts';
import { type Lane, Outbox, type Post, type Reply } from './outbox.ts';
import type { Random } from './random.ts';
import { composePost, idempotencyToken, parseOverrides, twilioRetryAfterMs } from './twilio-webhooks.ts';
import { DocumentError } from './twiml.ts';
import { Wheel } from './wheel.ts';

/** Twilio waits no longer for a document, whatever the address asks for. */
const documentMs = 15_000;
const largestDocument = 64 * 1024;
/** Webhooks on their way to one receiver at the same time. */
const connections = 64;

export type Webhook = {
  provider: Provider;
  compose: () => Post;
  retryAfterMs: (tries: number, reply: Reply) => number | undefined;
};

type HooksOptions = {
  config: Config;
  stats: { WebhookFailures: number; CallWebhooks: number; CallWebhooksLost: number };
  random: Random;
  faults: () => Readonly<Faults>;
};

export type HookMethod = 'GET' | 'POST';

/** A receiver's answer, or `broken` if nothing could be read. */
type Answer =
  | {
      kind: 'document';
      status: number;
      contentType: string;
      disposition: string;
      body: string;
      bytes: Buffer;
    }
  | { kind: 'broken'; late: boolean };

export class CallHooks {
  readonly timers = new Wheel<() => void>((callbacks) => {
    for (const callback of callbacks) callback();
  });
  readonly #outbox = new Outbox(this.timers, connections);
  readonly #options: HooksOptions;
  readonly #lanes = new Map<string, Lane<Webhook>>();
  readonly #agents = {
    'http:': new http.Agent({ keepAlive: true, timeout: 60_000 }),
    'https:': new https.Agent({ keepAlive: true, timeout: 60_000 }),
  };

  constructor(options: HooksOptions) {
    this.#options = options;
  }

  /** One of Twilio's webhooks. The same `event` of the same call has the same idempotency token at every try. */
  tell(
    url: string,
    parameters: Record<string, string>,
    { event, method = 'POST' }: { event: string; method?: HookMethod },
  ): void {
    const { config } = this.#options;
    const account = { accountSid: config.twilioAccountSid, authToken: config.twilioAuthToken };
    const token = idempotencyToken(`${parameters.CallSid} ${event}`);
    this.send(url, {
      provider: 'twilio',
      compose: () => composePost(url, parameters, account, { token, method }),
      retryAfterMs: (tries, reply) => twilioRetryAfterMs(url, tries, reply, config.retryUnitMs),
    });
  }

  /** Sends the webhook, or does with it what the faults ask for. */
  send(url: string, webhook: Webhook): void {
    const { random, stats } = this.#options;
    const faults = this.#options.faults();
    const mine =
      (faults.Provider === null || faults.Provider === webhook.provider) && faults.Channel !== 'texts';
    stats.CallWebhooks += 1;
    if (!mine) {
      this.#push(url, webhook);
      return;
    }
    if (random.chance(faults.ReceiptLost)) {
      stats.CallWebhooksLost += 1;
      return;
    }
    const dueAt = Date.now() + faults.ReceiptDelayMs;
    const spreadMs = faults.ReceiptShuffle ? Math.max(1000, faults.ReceiptDelayMs) : 0;
    if (random.chance(faults.ReceiptDuplicate)) {
      this.timers.push(dueAt + random.between(0, 1000), () => this.#push(url, webhook));
    }
    if (faults.ReceiptDelayMs === 0 && spreadMs === 0) this.#push(url, webhook);
    else this.timers.push(dueAt + random.between(0, spreadMs), () => this.#push(url, webhook));
  }

  /** Asks for a document; throws DocumentError with 11200 when none comes in time and 12300 when it is no XML. */
  async ask(
    url: string,
    method: HookMethod,
    parameters: Record<string, string>,
    signal: AbortSignal,
  ): Promise<string> {
    const { config, stats } = this.#options;
    const account = { accountSid: config.twilioAccountSid, authToken: config.twilioAuthToken };
    const token = idempotencyToken(`${parameters.CallSid} ${Date.now()} ${url}`);
    const deadline = Date.now() + documentMs;
    for (let tries = 1; ; tries++) {
      const post = composePost(url, parameters, account, { token, method });
      const timeoutMs = Math.min(parseOverrides(url).timeoutMs, deadline - Date.now());
      const answer = await this.request({ ...post, timeoutMs }, signal);
      if (answer.kind === 'document' && answer.status < 300) {
        if (!/^(text|application)\/xml\b/.test(answer.contentType) && answer.body.trim() !== '') {
          throw new DocumentError(12300, `${post.url} answered ${answer.contentType || 'no content type'}.`);
        }
        return answer.body;
      }
      signal.throwIfAborted();
      stats.WebhookFailures += 1;
      const reply: Reply = answer.kind === 'document' ? { kind: 'status', status: answer.status } : answer;
      const waitMs = twilioRetryAfterMs(url, tries, reply, config.retryUnitMs);
      if (waitMs === undefined || Date.now() + waitMs >= deadline) {
        const what =
          answer.kind === 'document'
            ? `answered ${answer.status}`
            : answer.late
              ? 'took too long'
              : 'did not answer';
        throw new DocumentError(11200, `${post.url} ${what}.`);
      }
      await wait(waitMs, undefined, { signal });
    }
  }

  async request(post: Post, signal: AbortSignal, limit = largestDocument): Promise<Answer> {
    const first = await this.#attempt(post, signal, limit);
    // A kept-alive connection that the receiver closed just now is no failure of the receiver.
    if (first !== 'stale') return first;
    const second = await this.#attempt(post, signal, limit);
    return second === 'stale' ? { kind: 'broken', late: false } : second;
  }

  clear(): void {
    this.timers.clear();
    this.#lanes.clear();
  }

  close(): void {
    this.clear();
    this.#outbox.close();
    this.#agents['http:'].destroy();
    this.#agents['https:'].destroy();
  }

  #push(url: string, webhook: Webhook): void {
    const key = new URL(url).origin;
    let lane = this.#lanes.get(key);
    if (!lane) {
      const { stats } = this.#options;
      lane = this.#outbox.createLane<Webhook>({
        perRequest: () => 1,
        lingerMs: 0,
        compose: ([item]) => {
          if (!item) throw new Error('An empty batch');
          return item.compose();
        },
        retryAfterMs: ([item], tries, reply) => item?.retryAfterMs(tries, reply),
        settled: () => undefined,
        failed: () => {
          stats.WebhookFailures += 1;
        },
      });
      this.#lanes.set(key, lane);
    }
    lane.push(webhook);
  }

  #attempt(post: Post, signal: AbortSignal, limit: number) {
    return new Promise<Answer | 'stale'>((resolve) => {
      const url = new URL(post.url);
      const secure = url.protocol === 'https:';
      const request = (secure ? https : http).request(url, {
        method: post.method ?? 'POST',
        agent: secure ? this.#agents['https:'] : this.#agents['http:'],
        headers: {
          ...post.headers,
          ...(post.method !== 'GET' && { 'content-length': Buffer.byteLength(post.body) }),
        },
        signal,
      });
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        request.destroy();
      }, post.timeoutMs);
      const fail = () => {
        clearTimeout(timer);
        resolve(!late && request.reusedSocket && !signal.aborted ? 'stale' : { kind: 'broken', late });
      };
      request.on('response', (response) => {
        const pieces: Buffer[] = [];
        let size = 0;
        response.on('data', (piece: Buffer) => {
          size += piece.length;
          if (size > limit) request.destroy();
          else pieces.push(piece);
        });
        response.on('end', () => {
          clearTimeout(timer);
          const bytes = Buffer.concat(pieces);
          resolve({
            kind: 'document',
            status: response.statusCode ?? 0,
            contentType: response.headers['content-type'] ?? '',
            disposition: response.headers['content-disposition'] ?? '',
            body: bytes.toString('utf8'),
            bytes,
          });
        });
        response.on('error', fail);
        response.on('close', fail);
      });
      request.on('error', fail);
      request.end(post.method === 'GET' ? undefined : post.body);
    });
  }
}
