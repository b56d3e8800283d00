/**
 * Measures the two rules that run once a recipient: charset check with segment count of a 300-character text, and
 * normalizing a telephone number. Beside each the limit that it is held to, the way others do it, and a bare loop
 * that does nothing but read the characters.
 *
 *   node bench/rules.ts
 *
 * One core. Exits with 1 when a rule is below its limit.
 */
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { normalizePhone } from '../contract/phone/normalize-phone.ts';
import { gsmBasicCharacters, gsmExtensionCharacters } from '../contract/text/gsm.ts';
import { countSegments } from '../contract/text/segments.ts';

const ROUNDS = 7;
const ROUND_MS = 250;
const TEXT_LENGTH = 300;
const SAMPLES = 1000;

interface Line {
  name: string;
  perSecond: number;
  /** The least that is accepted; only our own rules have one. */
  limit?: number;
}

const texts = Array.from({ length: SAMPLES }, (_, i) => textOf(i));
const phones = Array.from({ length: SAMPLES }, (_, i) => phoneOf(i));

/** Texts as a school writes them: plain, some with a merge field, a euro sign or an emoji. */
function textOf(i: number): string {
  const start = ['Hi {{FirstName}}, ', 'Reminder: ', 'Entry is 5 € (cash only) ', 'Snow day ❄ '][i % 4] ?? '';
  const body = `school closes at ${1 + (i % 11)}:30 today because of the weather. Buses leave at ${i} past. `;
  return (start + body.repeat(5)).slice(0, TEXT_LENGTH);
}

/** Phones as in an import: written in every usual way, one in twenty damaged by a spreadsheet. */
function phoneOf(i: number): string {
  const line = String(1000 + (i % 9000)).padStart(4, '0');
  if (i % 20 === 19) return `423555${line}.0`;
  return (
    [`(423) 555-${line}`, `423-555-${line}`, `423555${line}`, `+1 423 555 ${line}`, `1423555${line}`][
      i % 5
    ] ?? ''
  );
}

let sink = 0;

/** By the thread's own processor time, so that other programs on the machine don't count. Best of the rounds. */
function measure(name: string, run: (i: number) => number, limit?: number): Line {
  let best = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = process.threadCpuUsage();
    let done = 0;
    let elapsedMs = 0;
    while (elapsedMs < ROUND_MS) {
      for (let i = 0; i < SAMPLES; i += 1) sink += run(i);
      done += SAMPLES;
      const { user, system } = process.threadCpuUsage(start);
      elapsedMs = (user + system) / 1000;
    }
    best = Math.max(best, (done / elapsedMs) * 1000);
  }
  return { name, perSecond: best, ...(limit === undefined ? {} : { limit }) };
}

const gsmPattern = new RegExp(
  `^[${(gsmBasicCharacters + gsmExtensionCharacters).replace(/[\\\]^-]/g, '\\$&')}]*$`,
);

const lines: Line[] = [
  measure('charset and segments, 300 characters', (i) => countSegments(texts[i] ?? '').parts, 1_000_000),
  measure('  peer: a regular expression for the charset', (i) => {
    const text = (texts[i] ?? '').replace(/\{\{.*?\}\}/g, '');
    return gsmPattern.test(text) ? Math.ceil(text.length / 160) : 1;
  }),
  measure('  bare loop over the characters', (i) => {
    const text = texts[i] ?? '';
    let sum = 0;
    for (let at = 0; at < text.length; at += 1) sum += text.charCodeAt(at);
    return sum & 1;
  }),
  measure('normalize a telephone number', (i) => normalizePhone(phones[i] ?? '')?.length ?? 0, 500_000),
  measure(
    '  peer: libphonenumber',
    (i) => parsePhoneNumberFromString(phones[i] ?? '', 'US')?.number.length ?? 0,
  ),
  measure('  bare loop over the characters', (i) => {
    const phone = phones[i] ?? '';
    let sum = 0;
    for (let at = 0; at < phone.length; at += 1) sum += phone.charCodeAt(at);
    return sum & 1;
  }),
];

for (const { name, perSecond, limit } of lines) {
  const rate = Math.round(perSecond).toLocaleString('en-US').padStart(14);
  const verdict =
    limit === undefined
      ? ''
      : `  at least ${limit.toLocaleString('en-US')}: ${perSecond >= limit ? 'ok' : 'TOO SLOW'}`;
  console.log(`${name.padEnd(46)}${rate}/s${verdict}`);
}
// Read once, so that the engine can't drop the work.
if (sink < 0) console.log(sink);
if (lines.some(({ perSecond, limit }) => limit !== undefined && perSecond < limit)) process.exitCode = 1;
