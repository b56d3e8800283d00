/**
 * Posts events to URLs that customers enter. They may lead anywhere: only public hosts by https get a
 * request, unless the operator lists the host. Redirects are not followed, and a response is cut off after
 * some time and some bytes.
 */
import { isIP } from 'node:net';
import { Agent, request } from 'undici';
import { isPrivateAddress, lookupPublic, PrivateAddress } from './private-address.ts';

/** Until the response's first line has arrived. Receivers should respond at once and work afterwards. */
const answerMs = 15_000;
/** For the rest of the response, which only people read. */
const bodyMs = 2_000;
const mostBytes = 4_096;

interface WebhookPost {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface WebhookAnswer {
  /** Null without a response; then `error` says why. */
  status: number | null;
  durationMs: number;
  contentType: string;
  reply: string;
  error: string;
}

export interface WebhookPoster {
  post(what: WebhookPost): Promise<WebhookAnswer>;
  close(): Promise<void>;
}

const inPrivateNetwork = 'The address is in a private network.';

/** Reason why a URL can't be an endpoint; undefined when it can. Its name is resolved when an event is posted. */
export function refusalOfUrl(allowedHosts: readonly string[], text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null) return 'The address is not written correctly.';
  if (url.username !== '' || url.password !== '') return 'Leave the name and password out of the address.';
  if (allowedHosts.includes(url.host)) return undefined;
  if (url.protocol !== 'https:') return 'The address has to begin with https://.';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // An IP address is never looked up.
  return isIP(host) !== 0 && isPrivateAddress(host) ? inPrivateNetwork : undefined;
}

export function createWebhookPoster(allowedHosts: readonly string[]): WebhookPoster {
  // No limit of connections to a host: endpoints of many organizations have the same one (hooks.zapier.com),
  // and one that doesn't respond would block them all. The caller limits how many requests go to an endpoint
  // at once.
  const options = { allowH2: false, headersTimeout: answerMs, bodyTimeout: bodyMs };
  const strangers = new Agent({ ...options, connect: { timeout: 5_000, lookup: lookupPublic } });
  const known = new Agent({ ...options, connect: { timeout: 5_000 } });

  let closing: Promise<unknown> | undefined;
  return {
    async post({ url, headers, body }) {
      const began = performance.now();
      const none = (error: string): WebhookAnswer => ({
        ...{ status: null, contentType: '', reply: '', error },
        durationMs: Math.round(performance.now() - began),
      });
      const refusal = refusalOfUrl(allowedHosts, url);
      if (refusal !== undefined) return none(refusal);
      const to = new URL(url);
      try {
        const answer = await request(to, {
          method: 'POST',
          dispatcher: allowedHosts.includes(to.host) ? known : strangers,
          headers: { 'content-type': 'application/json', 'user-agent': 'Muster-Webhooks/1', ...headers },
          body,
          signal: AbortSignal.timeout(answerMs),
        });
        const durationMs = Math.round(performance.now() - began);
        const reply = await readBeginning(answer.body);
        const isRedirect = answer.statusCode >= 300 && answer.statusCode < 400;
        return {
          status: answer.statusCode,
          durationMs,
          contentType: String(answer.headers['content-type'] ?? '').slice(0, 200),
          reply,
          error: isRedirect ? 'Redirects are not followed. Enter the address that it leads to.' : '',
        };
      } catch (error) {
        return none(plainReason(error));
      }
    },
    // A program that is stopped twice closes it once.
    async close() {
      closing ??= Promise.all([strangers.destroy(), known.destroy()]);
      await closing;
    },
  };
}

/** The first line of the response decides. Some bytes of the rest are kept; an endless one is cut off. */
async function readBeginning(
  body: AsyncIterable<Buffer> & { destroy(): unknown; on: unknown },
): Promise<string> {
  // An aborted body emits an error event; without a listener the program ends.
  (body.on as (name: string, heard: () => void) => void).call(body, 'error', () => undefined);
  const timer = setTimeout(() => body.destroy(), bodyMs);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      // Leaving the loop closes the connection: the rest is never read.
      if (size >= mostBytes) break;
    }
  } catch {
    // The part received until then is kept.
  } finally {
    clearTimeout(timer);
  }
  // PostgreSQL can't store zero bytes.
  return Buffer.concat(chunks).subarray(0, mostBytes).toString('utf8').replaceAll('\0', '');
}

/** The message on the page; never the request. */
function plainReason(error: unknown): string {
  const causes = causesOf(error);
  if (causes.some((each) => each instanceof PrivateAddress)) return inPrivateNetwork;
  const code = causes
    .map((each) => (each as { code?: unknown }).code)
    .find((each) => typeof each === 'string');
  const isLate = causes.some((each) => each instanceof Error && each.name === 'TimeoutError');
  if (isLate || code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT')
    return 'No answer came within 15 seconds.';
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'The host could not be reached within 5 seconds.';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'The host’s name leads nowhere.';
  if (code === 'ECONNREFUSED') return 'The host refused the connection.';
  if (
    typeof code === 'string' &&
    /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO|DEPTH_ZERO|^ERR_TLS|^ERR_SSL|EPROTO/.test(code)
  )
    return 'The host’s certificate can’t be trusted.';
  return 'The connection broke before an answer came.';
}

function causesOf(error: unknown): unknown[] {
  const inside = error instanceof AggregateError ? error.errors : [];
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, ...inside, ...(cause === undefined ? [] : causesOf(cause))];
}
