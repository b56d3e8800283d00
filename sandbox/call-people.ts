// The number decides who picks up a phone and what they do then, as for texts. Everything not in this table is an
// ordinary person who answers, listens to the end and presses nothing.

export type Person = {
  picksUp: 'Person' | 'Machine' | 'Fax' | 'Busy' | 'Nobody' | 'NotInService' | 'Blocked' | 'Broken';
  /** Rings before somebody or something picks up, at least and at most. */
  rings: readonly [number, number];
  /** Length of the first words; machine detection judges by it. */
  greetingSeconds: number;
  /** Pressed when the caller waits for keys, one after the other. */
  presses?: string;
  hangsUpAfterSeconds?: number;
  /** A machine whose mailbox takes nothing more: it hangs up after its greeting. */
  isFull?: true;
};

/** As long as one ring and the pause after it. */
export const ringSeconds = 4;
/** Seconds that somebody listens before pressing. */
export const pressAfterSeconds = 4;
/** Seconds that somebody talks with the person they are connected to. */
export const talkSeconds = 20;
/** Seconds that a machine records. */
export const mailboxSeconds = 120;
export const beepSeconds = 0.5;
const faxSeconds = 30;

const person: Person = { picksUp: 'Person', rings: [2, 3], greetingSeconds: 1 };
const machine: Person = { picksUp: 'Machine', rings: [4, 4], greetingSeconds: 7 };
/** A telephone on the page that nobody takes up: its voicemail does after the sixth ring. */
const leftAlone: Person = { ...machine, rings: [6, 6] };

function pressing(presses: string): Person {
  return { ...person, presses };
}

/** The last four digits of (423) 555-xxxx. */
const people: ReadonlyMap<string, Person & { sentence: string }> = new Map([
  ['0145', { ...machine, sentence: 'Voicemail picks up after four rings' }],
  ['0146', { ...person, picksUp: 'Busy', sentence: 'Calls to it: busy' }],
  ['0147', { ...person, picksUp: 'Nobody', sentence: 'Nobody answers calls to it' }],
  ['0148', { ...person, picksUp: 'NotInService', sentence: 'Calls to it: not in service' }],
  ['0149', { ...person, picksUp: 'Blocked', sentence: 'Calls to it are blocked' }],
  ['0150', { ...person, hangsUpAfterSeconds: 5, sentence: 'Hangs up five seconds after answering' }],
  ['0151', { ...pressing('*1'), sentence: 'Answers calls and presses *1' }],
  ['0152', { ...pressing('*2'), sentence: 'Answers calls and presses *2' }],
  ['0153', { ...pressing('0'), sentence: 'Answers calls and presses 0' }],
  ['0154', { ...pressing('9'), sentence: 'Answers calls and presses 9' }],
  ['0155', { ...person, picksUp: 'Fax', hangsUpAfterSeconds: faxSeconds, sentence: 'A fax machine answers' }],
  ['0156', { ...person, greetingSeconds: 6, sentence: 'Says hello at such length that it seems a machine' }],
  ['0157', { ...machine, isFull: true, sentence: 'Voicemail picks up, but the mailbox is full' }],
  ['0158', { ...person, picksUp: 'Broken', sentence: 'Calls to it fail in the network' }],
  ['0138', { ...machine, greetingSeconds: 25, sentence: 'Voicemail picks up with a greeting of 25 seconds' }],
  ['0159', { ...pressing('1'), sentence: 'Answers calls and presses 1' }],
] as const satisfies [string, Person & { sentence: string }][]);

/**
 * The person or machine at this number. In a crowd, numbers without a rule are a mix: 45 % people (a fifth of them
 * press *1), 30 % machines, 15 % don't answer, 6 % are busy, 4 % fail.
 */
export function personAt(number: string, { onPage, isCrowd }: { onPage: boolean; isCrowd: boolean }): Person {
  const ruled = number.startsWith('1423555') ? people.get(number.slice(7)) : undefined;
  if (ruled) return ruled;
  if (onPage) return leftAlone;
  if (!isCrowd) return person;
  const draw = scatter(number);
  if (draw < 9) return pressing('*1');
  if (draw < 45) return person;
  if (draw < 75) return machine;
  if (draw < 90) return { ...person, picksUp: 'Nobody' };
  if (draw < 96) return { ...person, picksUp: 'Busy' };
  return { ...person, picksUp: draw < 98 ? 'NotInService' : 'Broken' };
}

/** 0 to 99, the same for the same number. */
function scatter(number: string): number {
  let hash = 2166136261;
  for (const digit of number) hash = Math.imul(hash ^ digit.charCodeAt(0), 16777619);
  hash ^= hash >>> 15;
  return (Math.imul(hash, 2246822507) >>> 8) % 100;
}

export function describePerson(number: string): string | undefined {
  return number.startsWith('1423555') ? people.get(number.slice(7))?.sentence : undefined;
}
