// Texts as they travel over SMPP: GSM 03.38 in octets, or UCS-2, and in parts if they are long.

const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const extension: Readonly<Record<number, string>> = {
  10: '\f',
  20: '^',
  40: '{',
  41: '}',
  47: '\\',
  60: '[',
  61: '~',
  62: ']',
  64: '|',
  101: '€',
};
const escapeCode = 0x1b;

export function decodeSmpp(bytes: Buffer, dataCoding: number): string {
  if (dataCoding === 8) return Buffer.from(bytes).swap16().toString('utf16le');
  if (dataCoding !== 0) return bytes.toString('latin1');
  let text = '';
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at] ?? 0;
    text += code === escapeCode ? (extension[bytes[++at] ?? 0] ?? '') : (basic[code] ?? '?');
  }
  return text;
}

function encodeGsm(text: string): Buffer | undefined {
  const codes: number[] = [];
  for (const character of text) {
    const code = basic.indexOf(character);
    if (code >= 0 && code !== escapeCode) codes.push(code);
    else {
      const extended = Object.entries(extension).find(([, each]) => each === character);
      if (extended === undefined) return undefined;
      codes.push(escapeCode, Number(extended[0]));
    }
  }
  return Buffer.from(codes);
}

/** A text of a telephone, in parts of 16-bit references where it needs several. */
export function splitSmpp(text: string, reference: number): { dataCoding: number; parts: Buffer[] } {
  const gsm = encodeGsm(text);
  const bytes = gsm ?? Buffer.from(text, 'utf16le').swap16();
  const dataCoding = gsm === undefined ? 8 : 0;
  if (bytes.length <= (gsm === undefined ? 140 : 160)) return { dataCoding, parts: [bytes] };
  const room = gsm === undefined ? 132 : 152;
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    let end = Math.min(at + room, bytes.length);
    // A part never ends in the middle of an escape sequence or an emoji.
    if (end < bytes.length && gsm !== undefined && bytes[end - 1] === escapeCode) end -= 1;
    if (end < bytes.length && gsm === undefined && ((bytes[end - 2] ?? 0) & 0xfc) === 0xd8) end -= 2;
    pieces.push(bytes.subarray(at, end));
    at = end;
  }
  const parts = pieces.map((piece, index) =>
    Buffer.concat([
      Buffer.from([6, 8, 4, (reference >> 8) & 255, reference & 255, pieces.length, index + 1]),
      piece,
    ]),
  );
  return { dataCoding, parts };
}
