// The sound of a call between a page and the exchange, both ways, 20 ms of 8000 Hz in a frame: just enough of WebSocket
// (RFC 6455) for that.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Carrier } from './carrier.ts';
import { parseHandsetNumber } from './numbers.ts';

const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
/** 20 ms of 16-bit samples at 8000 Hz; a page may send a few at once. */
const largestFrame = 16 * 1024;
/** A page that no longer reads loses sound instead of filling the memory. */
const mostWaiting = 256 * 1024;

export const opcodes = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** Answers a page that asks for `/phones/{number}/calls/{CallID}/sound`, or cuts the connection. */
export function openSoundSocket(carrier: Carrier, request: IncomingMessage, socket: Duplex): void {
  const path = /^\/phones\/([^/]+)\/calls\/([^/]+)\/sound$/.exec((request.url ?? '').split('?')[0] ?? '');
  const key = request.headers['sec-websocket-key'];
  const { origin, host } = request.headers;
  const number = parseHandsetNumber(decodeURIComponent(path?.[1] ?? ''));
  const line = carrier.exchange.lines.get(path?.[2] ?? '');
  const isOwn =
    number !== undefined && line !== undefined && carrier.exchange.callsOf(number).includes(line.call);
  const isStranger = origin !== undefined && URL.parse(origin)?.host !== host;
  if (!isOwn || isStranger || typeof key !== 'string') {
    socket.end(`HTTP/1.1 ${isStranger ? '403 Forbidden' : '404 Not Found'}\r\nConnection: close\r\n\r\n`);
    return;
  }
  acceptSocket(socket, key);
  const listen = (frame: Buffer) => {
    if (socket.writableLength < mostWaiting) socket.write(composeFrame(opcodes.binary, frame));
  };
  const close = () => {
    line.listeners.delete(listen);
    line.over.removeEventListener('abort', hangUp);
    socket.destroy();
  };
  const hangUp = () => {
    socket.write(composeFrame(opcodes.close, Buffer.from([3, 232])));
    close();
  };
  line.listeners.add(listen);
  line.over.addEventListener('abort', hangUp, { once: true });
  readFrames(socket, close, (opcode, payload) => {
    if (opcode === opcodes.binary) line.speak(payload);
  });
}

/** Reads what the other side sends, until it closes or sends what can't be read; answers pings and its farewell. */
export function readFrames(
  socket: Duplex,
  close: () => void,
  take: (opcode: number, payload: Buffer) => void = () => undefined,
): void {
  let waiting: Buffer = Buffer.alloc(0);
  socket.on('data', (piece: Buffer) => {
    waiting = waiting.length === 0 ? piece : Buffer.concat([waiting, piece]);
    for (;;) {
      const frame = readFrame(waiting);
      if (frame === 'more') return;
      if (frame === 'bad') return close();
      waiting = waiting.subarray(frame.size);
      if (frame.opcode === opcodes.ping) socket.write(composeFrame(opcodes.pong, frame.payload));
      else if (frame.opcode !== opcodes.close) take(frame.opcode, frame.payload);
      else {
        socket.write(composeFrame(opcodes.close, Buffer.from([3, 232])));
        return close();
      }
    }
  });
  socket.on('error', close);
  socket.on('close', close);
}

/** Answers the request for a WebSocket. */
export function acceptSocket(socket: Duplex, key: string): void {
  const accept = createHash('sha1')
    .update(key + guid)
    .digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
}

export function composeFrame(opcode: number, payload: Buffer): Buffer {
  if (payload.length > 0xffff) throw new Error('A frame has at most 65,535 bytes.');
  const head =
    payload.length < 126
      ? Buffer.from([0x80 | opcode, payload.length])
      : Buffer.from([0x80 | opcode, 126, payload.length >> 8, payload.length & 0xff]);
  return Buffer.concat([head, payload]);
}

/** One whole frame from a browser, which always masks; fragments are not used for sound. */
function readFrame(bytes: Buffer): { opcode: number; payload: Buffer; size: number } | 'more' | 'bad' {
  if (bytes.length < 2) return 'more';
  const [first = 0, second = 0] = bytes;
  if ((first & 0x80) === 0 || (second & 0x80) === 0) return 'bad';
  let length = second & 0x7f;
  let at = 2;
  if (length === 127) return 'bad';
  if (length === 126) {
    if (bytes.length < 4) return 'more';
    length = bytes.readUInt16BE(2);
    at = 4;
  }
  if (length > largestFrame) return 'bad';
  if (bytes.length < at + 4 + length) return 'more';
  const payload = Buffer.allocUnsafe(length);
  for (let i = 0; i < length; i++) payload[i] = (bytes[at + 4 + i] ?? 0) ^ (bytes[at + (i & 3)] ?? 0);
  return { opcode: first & 0x0f, payload, size: at + 4 + length };
}
