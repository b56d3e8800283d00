// SMPP 3.4 on the wire, as much of it as a short message service center needs: written from the specification, so that
// Muster's own reading of it is tried against another one.

export type Pdu = { command: number; status: number; sequence: number; body: Buffer };

export const commands = {
  genericNack: 0x80000000,
  bindReceiver: 1,
  bindTransmitter: 2,
  submitSm: 4,
  deliverSm: 5,
  unbind: 6,
  bindTransceiver: 9,
  enquireLink: 0x15,
} as const;

/** A response has the number of its request with the highest bit set. */
export const responseBit = 0x80000000;

export const statuses = {
  ok: 0,
  invalidCommand: 3,
  notBound: 4,
  systemError: 8,
  invalidDestination: 0x0b,
  invalidPassword: 0x0e,
  invalidSystemId: 0x0f,
  throttled: 0x58,
  refused: 0x65,
} as const;

const mostBytes = 64 * 1024;

export function writePdu({ command, status, sequence, body }: Pdu): Buffer {
  const head = Buffer.alloc(16);
  head.writeUInt32BE(16 + body.length, 0);
  head.writeUInt32BE(command >>> 0, 4);
  head.writeUInt32BE(status, 8);
  head.writeUInt32BE(sequence, 12);
  return Buffer.concat([head, body]);
}

/** Cuts a stream of bytes into messages. Throws when the other side doesn't speak SMPP. */
export class PduReader {
  #rest: Buffer = Buffer.alloc(0);

  *push(chunk: Buffer): Generator<Pdu> {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (bytes.length >= 16) {
      const length = bytes.readUInt32BE(0);
      if (length < 16 || length > mostBytes) throw new Error(`A message of ${length} bytes`);
      if (bytes.length < length) break;
      yield {
        command: bytes.readUInt32BE(4),
        status: bytes.readUInt32BE(8),
        sequence: bytes.readUInt32BE(12),
        body: bytes.subarray(16, length),
      };
      bytes = bytes.subarray(length);
    }
    this.#rest = bytes;
  }
}

/** Reads a body field by field. */
export class Fields {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  byte(): number {
    return this.#bytes[this.#at++] ?? 0;
  }

  text(): string {
    const end = this.#bytes.indexOf(0, this.#at);
    const text = this.#bytes.toString('latin1', this.#at, end < 0 ? this.#bytes.length : end);
    this.#at = end < 0 ? this.#bytes.length : end + 1;
    return text;
  }

  bytes(length: number): Buffer {
    const bytes = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return bytes;
  }

  /** The optional fields at the end, by tag. */
  tagged(): Map<number, Buffer> {
    const found = new Map<number, Buffer>();
    while (this.#at + 4 <= this.#bytes.length) {
      const tag = this.#bytes.readUInt16BE(this.#at);
      const length = this.#bytes.readUInt16BE(this.#at + 2);
      this.#at += 4;
      found.set(tag, this.bytes(length));
    }
    return found;
  }
}

export const tags = {
  messagePayload: 0x0424,
  receiptedMessageId: 0x001e,
  messageState: 0x0427,
  networkErrorCode: 0x0423,
} as const;

export type Submitted = {
  from: string;
  to: string;
  esmClass: number;
  wantsReceipt: boolean;
  dataCoding: number;
  message: Buffer;
};

/** A submit_sm. */
export function readSubmit(body: Buffer): Submitted {
  const fields = new Fields(body);
  fields.text();
  fields.bytes(2);
  const from = fields.text();
  fields.bytes(2);
  const to = fields.text();
  const esmClass = fields.byte();
  fields.bytes(2);
  fields.text();
  fields.text();
  const wantsReceipt = (fields.byte() & 3) !== 0;
  fields.byte();
  const dataCoding = fields.byte();
  fields.byte();
  const short = fields.bytes(fields.byte());
  const message = short.length > 0 ? short : (fields.tagged().get(tags.messagePayload) ?? short);
  return { from, to, esmClass, wantsReceipt, dataCoding, message };
}

function cString(text: string): Buffer {
  return Buffer.from(`${text}\0`, 'latin1');
}

export type Delivery = {
  from: string;
  to: string;
  esmClass: number;
  dataCoding: number;
  message: Buffer;
  tagged?: [tag: number, value: Buffer][];
};

/** The body of a deliver_sm. */
export function composeDeliver({ from, to, esmClass, dataCoding, message, tagged = [] }: Delivery): Buffer {
  return Buffer.concat([
    cString(''),
    Buffer.from([1, 1]),
    cString(from),
    Buffer.from([1, 1]),
    cString(to),
    Buffer.from([esmClass, 0, 0, 0, 0, 0, 0, dataCoding, 0, message.length]),
    message,
    ...tagged.map(([tag, value]) => {
      const head = Buffer.alloc(4);
      head.writeUInt16BE(tag, 0);
      head.writeUInt16BE(value.length, 2);
      return Buffer.concat([head, value]);
    }),
  ]);
}
