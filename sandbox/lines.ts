// The answer when a number is looked up depends on the number. Everything not in this table is a mobile.
export type Line = { type: string; carrier: string };
/** `missing` is answered with 404, `invalid` with a reply that says so, `nothing` by one that knows no line. */
export type LineAnswer = Line | 'missing' | 'invalid' | 'nothing';

const carriers = ['Cumberland Wireless', 'Ridgeline Mobile', 'Tri-County Cellular', 'Volunteer PCS'] as const;
const tollFree = /^18(?:00|33|44|55|66|77|88)/;

/** The last four digits of (423) 555-xxxx, and the sentence that the page shows. */
const answers: ReadonlyMap<string, { answer: LineAnswer; sentence: string }> = new Map([
  [
    '0170',
    {
      answer: { type: 'landline', carrier: 'Harlow Valley Telephone Cooperative' },
      sentence: 'A landline, when it is looked up',
    },
  ],
  [
    '0171',
    { answer: { type: 'fixedVoip', carrier: 'Cumberland Cable' }, sentence: 'VoIP, when it is looked up' },
  ],
  [
    '0172',
    { answer: { type: 'nonFixedVoip', carrier: 'Webline Voice' }, sentence: 'VoIP, when it is looked up' },
  ],
  ['0173', { answer: 'nothing', sentence: 'Nothing is known of its line when it is looked up' }],
  ['0174', { answer: 'invalid', sentence: 'No number, when it is looked up' }],
  ['0192', { answer: 'missing', sentence: 'No number, when it is looked up' }],
]);

function ruleFor(number: string) {
  return number.startsWith('1423555') ? answers.get(number.slice(7)) : undefined;
}

export function lineFor(number: string): LineAnswer {
  const rule = ruleFor(number);
  if (rule) return rule.answer;
  if (tollFree.test(number)) return { type: 'tollFree', carrier: 'Resp Org Services' };
  return { type: 'mobile', carrier: carriers[Number(number.at(-1)) % carriers.length] ?? carriers[0] };
}

/** Says what is special about its line; undefined for an ordinary mobile. */
export function describeLine(number: string): string | undefined {
  return ruleFor(number)?.sentence;
}
