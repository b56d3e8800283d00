/** Ten digits of a North American number, with or without the country, as people write them. */
const phone = /(?<![\w])(?:\+?1[ .-]?)?\(?([2-9]\d{2})\)?[ .-]?([2-9]\d{2})[ .-]?(\d{4})(?!\w)/g;
const spaced = (digits: string) => [...digits].join(' ');

/** Telephone numbers digit by digit: nobody can dial "four hundred and twenty-three". */
export function spellPhones(text: string): string {
  return text.replace(phone, (_, area: string, exchange: string, line: string) =>
    [area, exchange, line].map(spaced).join(', '),
  );
}

const replacements: [RegExp, string][] = [
  [/[‘’‛′]/g, "'"],
  [/[“”„″«»]/g, '"'],
  [/[–—―]/g, ', '],
  [/…/g, '. '],
  [/&/g, ' and '],
  [/[•·▪]/g, ', '],
];

/** In the letters that the built-in voices know. */
export function toPlainWords(text: string): string {
  const replaced = replacements.reduce((before, [pattern, by]) => before.replace(pattern, by), text);
  return replaced
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e\n]/g, ' ')
    .replace(/[ \t]+/g, ' ')
    .trim();
}

/** True if most of the letters are ones used in English. */
export function isInPlainLetters(text: string): boolean {
  const letters = text.normalize('NFKD').match(/[\p{L}\p{N}]/gu) ?? [];
  const plain = letters.filter((letter) => /[A-Za-z0-9]/.test(letter));
  return letters.length > 0 && plain.length >= letters.length * 0.7;
}
