/**
 * The GSM 03.38 alphabet (3GPP TS 23.038, default table and default extension table). A text made of these
 * characters travels in 7 bits each, 160 to a message; any other character makes the whole text Unicode, 70.
 */
export const gsmBasicCharacters =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';

/** Sent as an escape and a character, so each counts as two. */
export const gsmExtensionCharacters = '\f^{}\\[~]|€';

/** The euro sign is the highest code of both tables. */
const TABLE_SIZE = 0x20ac + 1;

/** By UTF-16 code unit: 0 not GSM, 1 basic, 2 extension. A table keeps the check at about a nanosecond each. */
const septets = septetTable();

/** In a function, so that a bundler can leave it out of pages that don't count. */
function septetTable(): Uint8Array {
  const table = new Uint8Array(TABLE_SIZE);
  for (const character of gsmBasicCharacters) table[character.charCodeAt(0)] = 1;
  for (const character of gsmExtensionCharacters) table[character.charCodeAt(0)] = 2;
  return table;
}

/** Number of 7-bit units that a UTF-16 code unit takes: 1, 2, or 0 where it isn't GSM at all. */
export function septetsOf(codeUnit: number): number {
  return codeUnit < TABLE_SIZE ? (septets[codeUnit] ?? 0) : 0;
}

/** True if every character is of the GSM alphabet. Merge fields are not looked at here, see countSegments. */
export function isGsm(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) if (septetsOf(text.charCodeAt(i)) === 0) return false;
  return true;
}
