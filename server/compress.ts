import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

const compress = promisify(gzip);
/** A reply that fits into one packet arrives no sooner when it is smaller. */
const leastBytes = 1_400;
/** Level 5 compresses JSON to within a few percent of level 9, in half the time; off the event loop. */
const level = 5;
const isText = /^(application\/([\w.-]+\+)?json|text\/)/;

/**
 * Compresses replies that are generated for each request: JSON and text. Built pages are compressed when they
 * are built, and pictures and downloads stay uncompressed. No reply that echoes request data also contains a
 * secret: a session's token is sent in a header only, and the key for the socket is smaller than a packet.
 */
export function compressReplies(http: FastifyInstance): void {
  http.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    if (!isText.test(String(reply.getHeader('content-type') ?? '')) || reply.hasHeader('content-encoding'))
      return payload;
    reply.header('vary', withEncoding(String(reply.getHeader('vary') ?? '')));
    const isTaken = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(
      String(request.headers['accept-encoding'] ?? ''),
    );
    if (!isTaken || payload.length < leastBytes || request.method === 'HEAD') return payload;
    reply.header('content-encoding', 'gzip');
    reply.removeHeader('content-length');
    return compress(payload, { level });
  });
}

function withEncoding(vary: string): string {
  if (vary === '*' || /\baccept-encoding\b/i.test(vary)) return vary;
  return vary === '' ? 'Accept-Encoding' : `${vary}, Accept-Encoding`;
}
