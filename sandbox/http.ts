import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answered as 400 (or the given status) with its sentence. */
export class BadRequest extends Error {
  readonly status: number;
  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

/** 500 messages of 1,600 characters are under 2 MB; a 5 MB picture in base64 is under 7 MB. */
const bodyLimit = 32 * 1024 * 1024;

export function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    request.on('data', (piece: Buffer) => {
      size += piece.length;
      if (size > bodyLimit) {
        reject(new BadRequest('The request is larger than 32 MB.', 413));
        request.pause();
        return;
      }
      pieces.push(piece);
    });
    request.on('end', () => resolve(pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)));
    request.on('error', reject);
    request.on('close', () => {
      if (!request.complete) reject(new BadRequest('The request broke off.'));
    });
  });
}

export function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(body);
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  send(response, status, 'application/json', JSON.stringify(value));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
