import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cutOffStalledReader, stalledMs } from './cut-off.ts';
import type { FilePart, StoredFile } from './files.ts';

/** Sends a file, or a part of it, as fast as it is read. */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
  part?: FilePart,
): FastifyReply {
  cutOffStalledReader(reply.raw, stalledMs);
  reply.header('content-length', part === undefined ? file.size : part.last - part.first + 1);
  // Fastify would read all of it for a HEAD request, to throw it away.
  return reply.send(request.method === 'HEAD' ? Readable.from([]) : file.stream(part));
}
