/** As much of ASN.1's basic encoding as LDAP needs: a tag, a length and what is in it. */

export interface Element {
  tag: number;
  content: Buffer;
}

export const tags = {
  boolean: 0x01,
  integer: 0x02,
  octets: 0x04,
  enumerated: 0x0a,
  sequence: 0x30,
  set: 0x31,
};

export class BadBer extends Error {}

/** The first element and what comes behind it; undefined while not all of it is there. */
export function takeElement(bytes: Buffer): { element: Element; rest: Buffer } | undefined {
  const [tag, short] = bytes;
  if (tag === undefined || short === undefined) return undefined;
  const lengthBytes = short < 0x80 ? 0 : short - 0x80;
  if (lengthBytes > 4 || short === 0x80) throw new BadBer('a length that LDAP does not use');
  const from = 2 + lengthBytes;
  if (bytes.length < from) return undefined;
  const length = lengthBytes === 0 ? short : bytes.readUIntBE(2, lengthBytes);
  if (length > 1_048_576) throw new BadBer('too long');
  if (bytes.length < from + length) return undefined;
  return {
    element: { tag, content: bytes.subarray(from, from + length) },
    rest: bytes.subarray(from + length),
  };
}

export function elementsOf(content: Buffer): Element[] {
  const elements: Element[] = [];
  for (let left = content; left.length > 0; ) {
    const taken = takeElement(left);
    if (taken === undefined) throw new BadBer('cut off');
    elements.push(taken.element);
    left = taken.rest;
  }
  return elements;
}

export function numberOf({ content }: Element): number {
  if (content.length === 0 || content.length > 4) throw new BadBer('no number');
  return content.readIntBE(0, content.length);
}

export function write(tag: number, ...parts: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const head = content.length < 0x80 ? [content.length] : [0x84, ...length];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

export function writeNumber(tag: number, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return write(tag, bytes);
}
