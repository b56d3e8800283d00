/**
 * Spanish for the built-in voices, which have only the sounds of English. Spanish is spelled as it is
 * pronounced, so the sounds follow from the letters: Flite gets them one by one, in its own names. It reads
 * with an English accent.
 */
import { spellPhones } from './speech-words.ts';

const silence = 'pau';

/** The first match wins. An accent keeps two vowels apart: "gracias" has a glide, "día" has none. */
const spellings: [RegExp, string][] = [
  [/[iy](?=[aeouáéóú])/y, 'y'],
  [/u(?=[aeioáéíó])/y, 'w'],
  [/[aá][iy](?![aeouáéóú])/y, 'ay'],
  [/[eé][iy](?![aeouáéóú])/y, 'ey'],
  [/[oó][iy](?![aeouáéóú])/y, 'oy'],
  [/[aá]u(?![aeioáéíó])/y, 'aw'],
  [/[aá]/y, 'aa'],
  [/[eé]/y, 'eh'],
  [/[iíy]/y, 'iy'],
  [/[oó]/y, 'ow'],
  [/[uúü]/y, 'uw'],
  [/ch/y, 'ch'],
  [/ll/y, 'y'],
  [/rr/y, 'r'],
  [/qu(?=[eiéí])/y, 'k'],
  [/gu(?=[eiéí])/y, 'g'],
  [/g(?=[eiéí])|j/y, 'hh'],
  [/gü/y, 'g w'],
  [/c(?=[eiéí])|[szç]/y, 's'],
  [/[ckq]/y, 'k'],
  [/[bv]/y, 'b'],
  [/(?<=[aeiouáéíóú])d/y, 'dh'],
  [/(?<=[aeiouáéíóú])r(?=[aeiouáéíóú])/y, 'dx'],
  [/n(?=[gjkq]|c[^eiéí])/y, 'ng'],
  [/ñ/y, 'n y'],
  [/x/y, 'k s'],
  ...[...'dfglmnprtw'].map((letter): [RegExp, string] => [new RegExp(letter, 'y'), letter]),
];

const letterNames: Readonly<Record<string, string>> = {
  b: 'be',
  c: 'ce',
  d: 'de',
  f: 'efe',
  g: 'ge',
  h: 'ache',
  j: 'jota',
  k: 'ka',
  l: 'ele',
  m: 'eme',
  n: 'ene',
  ñ: 'eñe',
  p: 'pe',
  q: 'cu',
  r: 'erre',
  s: 'ese',
  t: 'te',
  v: 've',
  w: 'doble ve',
  x: 'equis',
  z: 'zeta',
};

const below30 =
  'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve'.split(
    ' ',
  );
const tens = ['', '', '', 'treinta', 'cuarenta', 'cincuenta', 'sesenta', 'setenta', 'ochenta', 'noventa'];
const hundreds =
  ' ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos'.split(
    ' ',
  );

/** Up to a billion; a longer number, or one that begins with a zero, is read digit by digit. */
const mostNumberDigits = 9;

function numberWords(value: number): string {
  if (value >= 1_000_000) {
    const millions = Math.floor(value / 1_000_000);
    return `${millions === 1 ? 'un millón' : `${shortOne(numberWords(millions))} millones`}${rest(value % 1_000_000)}`;
  }
  if (value >= 1000) {
    const thousands = Math.floor(value / 1000);
    return `${thousands === 1 ? '' : `${shortOne(numberWords(thousands))} `}mil${rest(value % 1000)}`;
  }
  if (value === 100) return 'cien';
  if (value > 100) return `${hundreds[Math.floor(value / 100)]}${rest(value % 100)}`;
  if (value < 30) return below30[value] ?? '';
  return `${tens[Math.floor(value / 10)]}${value % 10 === 0 ? '' : ` y ${below30[value % 10]}`}`;
}

const rest = (value: number) => (value === 0 ? '' : ` ${numberWords(value)}`);
const shortOne = (words: string) => words.replace(/uno$/, 'un');

function readDigits(digits: string): string {
  if (digits.length <= mostNumberDigits && !/^0\d/.test(digits)) return numberWords(Number(digits));
  return [...digits].map((digit) => below30[Number(digit)]).join(' ');
}

const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Words in -s that a number before them doesn't count. Nor does it count a verb: "El 21 cerramos". */
const uncounted =
  list(`los las nos les es más mas tras unos unas estos estas esos esas ellos ellas entonces antes además después
  lunes martes miércoles jueves viernes`);
const masculineInAs = list('días mapas temas problemas programas sistemas idiomas síntomas');
const feminineInEs = list('veces clases tardes noches calles llaves leyes mujeres luces');

const isCounted = (noun: string) => noun.endsWith('s') && !uncounted.has(noun) && !/[aei]mos$/.test(noun);

/** A number before what it counts: "veintiuna personas", "veintiún días", "doscientas llamadas". */
function readCount(digits: string, noun = ''): string {
  const words = readDigits(digits);
  const name = noun.toLowerCase();
  if (digits.length > mostNumberDigits || !isCounted(name)) return words;
  if (Number(digits) >= 1_000_000 && Number(digits) % 1_000_000 === 0) return `${words} de`;
  const isFeminine =
    feminineInEs.has(name) || (/(?:as|[cs]iones|dades)$/.test(name) && !masculineInAs.has(name));
  if (!isFeminine) return shortOne(words);
  const [thousands = '', ...millions] = words.split(/(?<=mill(?:ón|ones) )/).reverse();
  return [...millions.reverse(), feminineOf(thousands)].join('');
}

const feminineOf = (words: string) => words.replace(/uno$/, 'una').replace(/(cient|quinient)os/g, '$1as');
const readHour = (hour: string) => feminineOf(readDigits(String(Number(hour))));

function readDollars(whole: string, cents = ''): string {
  const dollars = whole === '1' ? 'un dólar' : `${whole} dólares`;
  if (Number(cents) === 0) return dollars;
  return `${dollars} con ${Number(cents) === 1 ? 'un centavo' : `${Number(cents)} centavos`}`;
}

const abbreviations: Readonly<Record<string, string>> = {
  sr: 'señor',
  sra: 'señora',
  srta: 'señorita',
  dr: 'doctor',
  dra: 'doctora',
  av: 'avenida',
  avda: 'avenida',
};

/** Numbers, times, signs and abbreviations as words. */
function spellOut(text: string): string {
  return (
    spellPhones(text.normalize('NFC'))
      .replace(
        /(?<!\p{L})(srt?a?|dra?|av(?:da)?)(?!\p{L})\.?/giu,
        (short) => abbreviations[short.replace('.', '').toLowerCase()] ?? short,
      )
      .replace(/\$ ?(\d+(?:,\d{3})*)(?:\.(\d\d))?/g, (_, whole: string, cents?: string) =>
        readDollars(whole, cents),
      )
      .replace(/(\d),(?=\d{3}(?!\d))/g, '$1')
      .replace(/(\d{1,2}):(\d\d)/g, (_, hour: string, minute: string) =>
        minute === '00' ? readHour(hour) : `${readHour(hour)} ${Number(minute)}`,
      )
      // The hour: "a la 1", "1 p. m."
      .replace(/(?<!\p{L})(la) 1(?![.,]?\d)/giu, '$1 una')
      .replace(/(?<![\d.,])1(?= ?[ap]\.? ?m(?!\p{L}))/giu, 'una')
      .replace(/(\d)[.,](?=\d)/g, '$1 punto ')
      .replace(/%/g, ' por ciento')
      .replace(/&/g, ' y ')
      .replace(/@/g, ' arroba ')
      .replace(/#/g, ' número ')
      .replace(/\b1 (persona)\b/g, 'una $1')
      .replace(/\b1 (crédito|minuto|mensaje|día)(?!\p{L})/gu, 'un $1')
      .replace(/\d+(?= *(\p{L}+)?)/gu, (digits, noun?: string) => ` ${readCount(digits, noun)} `)
  );
}

function soundsOf(word: string): string[] {
  const sounds: string[] = [];
  for (let at = 0; at < word.length; ) {
    const here = at;
    const found = spellings.find(([pattern]) => {
      pattern.lastIndex = here;
      return pattern.test(word);
    });
    if (found !== undefined) sounds.push(found[1]);
    // Silent: an h, and any character that isn't a Spanish letter.
    at = found === undefined ? at + 1 : found[0].lastIndex;
  }
  return sounds;
}

/** With vowels, and spelled all the same. Other words in capitals are only loud: "NO ENTRE". */
const spelled = list('ID AM EE UU AP IB OK');

/** Words that nobody can say are spelled: "p. m.", "DVD". One can say "PIN". */
function sayWord(word: string): string[] {
  const isSpelled = spelled.has(word) || !/[aeiouyáéíóúü]/i.test(word);
  const letters = [...word.toLowerCase()];
  return isSpelled
    ? letters.flatMap((letter) => soundsOf(letterNames[letter] ?? letter))
    : soundsOf(letters.join(''));
}

/** Flite's input, sound by sound. */
export function spanishPhones(text: string): string {
  const parts = spellOut(text).match(/[\p{L}\p{M}]+|[^\p{L}\p{M}\s]+/gu) ?? [];
  const sounds = parts.flatMap((part) => {
    if (/^\p{L}/u.test(part)) return sayWord(part);
    return /[.,;:!?…–—()]/.test(part) ? [silence] : [];
  });
  return [silence, ...sounds, silence].join(' ').replace(/(?:pau )+(?=pau)/g, '');
}
