import { isIP } from 'node:net';
import { Agent, request } from 'undici';
import { type CarrierLine, describeFailure } from './carrier-line.ts';
import { isPrivateAddress, type Lookup, lookupPublic, PrivateAddress } from './private-address.ts';

const wholeMs = 10_000;
const mostRedirects = 5;

/** The picture will never be available there. Other errors of fetchMedia may be temporary. */
export class MediaRefused extends Error {
  override name = 'MediaRefused';
}

export interface MediaFetcher {
  fetch(url: string, mostBytes: number): Promise<Buffer>;
  close(): Promise<void>;
}

/**
 * Picture URLs come from outside, so they may lead anywhere: the carrier's own host gets its credentials,
 * every other public host gets none, and our own network gets no request.
 */
export function createMediaFetcher(line: CarrierLine, lookup: Lookup = lookupPublic): MediaFetcher {
  const strangers = new Agent({ allowH2: false, connect: { timeout: 2_000, lookup } });

  async function fetchOnce(url: URL, mostBytes: number, signal: AbortSignal): Promise<Buffer | URL> {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw new MediaRefused('The address of the picture is not of the web.');
    }
    const isCarrier = url.origin === line.origin;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    // An IP address is never looked up.
    if (!isCarrier && isIP(host) !== 0 && isPrivateAddress(host)) {
      throw new MediaRefused('The address of the picture is in a private network.');
    }
    const { statusCode, headers, body } = await request(url, {
      dispatcher: isCarrier ? line.pool : strangers,
      headers: isCarrier ? { ...line.headers, accept: '*/*' } : { accept: '*/*', 'user-agent': 'Muster' },
      signal,
    });
    // An aborted body emits an error event; without a listener the program ends.
    body.on('error', () => {});
    if (statusCode >= 300 && statusCode < 400) {
      await body.dump();
      const to = URL.parse(String(headers.location ?? ''), url);
      if (to === null) throw new MediaRefused('The picture has moved, and nobody says where.');
      return to;
    }
    if (statusCode !== 200) {
      await body.dump();
      const sentence = `The picture could not be fetched: the answer was ${statusCode}.`;
      const isForGood = statusCode === 404 || statusCode === 410;
      throw isForGood ? new MediaRefused(sentence) : new Error(sentence);
    }
    if (Number(headers['content-length'] ?? 0) > mostBytes) {
      body.destroy();
      throw tooLarge(mostBytes);
    }
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body) {
      size += chunk.length;
      // Leaving the loop closes the connection: the rest is never read.
      if (size > mostBytes) throw tooLarge(mostBytes);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, size);
  }

  let closing: Promise<void> | undefined;
  return {
    async fetch(url, mostBytes) {
      const signal = AbortSignal.timeout(wholeMs);
      let at = URL.parse(url);
      if (at === null) throw new MediaRefused('The address of the picture is not written correctly.');
      try {
        for (let hops = 0; hops <= mostRedirects; hops++) {
          const found: Buffer | URL = await fetchOnce(at, mostBytes, signal);
          if (Buffer.isBuffer(found)) return found;
          at = found;
        }
      } catch (error) {
        throw plainError(error);
      }
      throw new MediaRefused('The picture has moved too often.');
    },
    // A program that is stopped twice closes it once.
    close: () => {
      closing ??= strangers.close();
      return closing;
    },
  };
}

function tooLarge(mostBytes: number): MediaRefused {
  return new MediaRefused(`The picture is larger than ${mostBytes} bytes.`);
}

/** Errors of undici contain the request, and with it the credentials. */
function plainError(error: unknown): Error {
  if (error instanceof MediaRefused) return error;
  if (error instanceof PrivateAddress) return new MediaRefused(error.message);
  if (error instanceof Error && !('code' in error)) return new Error(error.message);
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new Error('The picture could not be fetched in 10 seconds.');
  }
  return new Error(`The picture could not be fetched: ${describeFailure(error)}.`);
}
