import { gsmBasicCharacters, gsmExtensionCharacters, isGsm } from '../../contract/text/gsm.ts';

/** The bytes of one part of a text as transmitted. */
export interface SmppPart {
  /** 0 is the SMSC's default alphabet, GSM 03.38; 8 is UCS-2. */
  dataCoding: 0 | 8;
  bytes: Buffer;
}

const escapeCode = 0x1b;
const extensionCodes = [0x0a, 0x14, 0x28, 0x29, 0x2f, 0x3c, 0x3d, 0x3e, 0x40, 0x65] as const;

const toCode = new Map<string, readonly number[]>();
const fromCode: string[] = [];
const fromExtension = new Map<number, string>();
for (const [index, character] of [...gsmBasicCharacters].entries()) {
  // The escape is in the table and is not a character.
  const code = index < escapeCode ? index : index + 1;
  toCode.set(character, [code]);
  fromCode[code] = character;
}
for (const [index, character] of [...gsmExtensionCharacters].entries()) {
  const code = extensionCodes[index] ?? 0;
  toCode.set(character, [escapeCode, code]);
  fromExtension.set(code, character);
}

/**
 * Octets of a single message, and of a part of a longer one: its header takes six of 140 octets, or seven
 * septets.
 */
const room = { gsm: { alone: 160, part: 153 }, ucs2: { alone: 140, part: 134 } } as const;

/** The parts of a text, one if it fits. No character is split. */
export function splitText(body: string): SmppPart[] {
  const plain = isGsm(body);
  const { alone, part } = plain ? room.gsm : room.ucs2;
  // By code point, so that an emoji stays in one part.
  const characters = Array.from(body, (character) =>
    plain ? Buffer.from(toCode.get(character) ?? []) : Buffer.from(character, 'utf16le').swap16(),
  );
  const dataCoding = plain ? 0 : 8;
  const whole = Buffer.concat(characters);
  if (whole.length <= alone) return [{ dataCoding, bytes: whole }];
  const parts: SmppPart[] = [];
  let from = 0;
  let length = 0;
  for (const [index, character] of characters.entries()) {
    if (length + character.length > part) {
      parts.push({ dataCoding, bytes: Buffer.concat(characters.slice(from, index)) });
      from = index;
      length = 0;
    }
    length += character.length;
  }
  parts.push({ dataCoding, bytes: Buffer.concat(characters.slice(from)) });
  return parts;
}

/** The whole text in one piece, for an SMSC that splits it itself. */
export function encodeWhole(body: string): SmppPart {
  const plain = isGsm(body);
  return plain
    ? { dataCoding: 0, bytes: Buffer.from(Array.from(body).flatMap((one) => toCode.get(one) ?? [])) }
    : { dataCoding: 8, bytes: Buffer.from(body, 'utf16le').swap16() };
}

/**
 * The words of an inbound message. Binary ones are decoded as Latin-1: nothing is lost, and nothing fails.
 */
export function decodeText(bytes: Buffer, dataCoding: number): string {
  const alphabet = alphabetOf(dataCoding);
  if (alphabet === 'latin1') return bytes.toString('latin1');
  if (alphabet === 'ucs2') {
    const even = Buffer.from(bytes.subarray(0, bytes.length & ~1));
    return even.swap16().toString('utf16le');
  }
  let text = '';
  for (let index = 0; index < bytes.length; index++) {
    const code = bytes[index] ?? 0;
    if (code !== escapeCode) {
      text += fromCode[code] ?? '?';
      continue;
    }
    index += 1;
    // A code that isn't in the extension means the basic character, as the standard requires.
    const next = bytes[index];
    if (next !== undefined) text += fromExtension.get(next) ?? fromCode[next] ?? '?';
  }
  return text;
}

/** By SMPP's table below 16, by GSM's general coding groups above (3GPP TS 23.038). */
function alphabetOf(dataCoding: number): 'gsm' | 'latin1' | 'ucs2' {
  if (dataCoding < 0x10) return dataCoding === 0 ? 'gsm' : dataCoding === 8 ? 'ucs2' : 'latin1';
  if (dataCoding >= 0xf0) return (dataCoding & 0x04) === 0 ? 'gsm' : 'latin1';
  return (['gsm', 'latin1', 'ucs2', 'latin1'] as const)[(dataCoding >> 2) & 3] ?? 'gsm';
}
