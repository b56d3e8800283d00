// The number that a message goes to decides its result. Every number not in this table is an ordinary phone:
// delivered 0.4 to 2.5 seconds after it was accepted, and silent.
import { describeLine } from './lines.ts';
import { delivered, getOutcome, type OutcomeIndex, outcomeIndex } from './outcomes.ts';

/** Refused in the reply to the request itself; never a message. */
type Refusal = {
  infobip: { id: number; name: string; description: string };
  twilio: { code: number; message: (to: string) => string };
};

export type Rule = {
  ends: OutcomeIndex;
  /** Instead of the ordinary delay. */
  delayMs?: readonly [number, number];
  /** The texts that the telephone writes back by itself. */
  answers?: readonly string[];
  /** The telephone is asleep until somebody wakes it. */
  startsAsleep?: true;
  /** Refused at once, by both carriers or by one of them only. */
  refused?: Refusal;
  refusedByTwilio?: Refusal;
};

const friendly = [
  'Thanks for letting us know!',
  'Got it, thank you. Is the bus still at 7:40?',
  'Thank you! We will be there.',
  'OK. Could someone call me about pickup today?',
  'Thanks, received. Have a good day!',
  'Ok thank you, Mia will bring the form tomorrow.',
  'Yes from us, two adults and one child.',
  'Great, thanks 👍',
] as const;

const optedOut: Refusal = {
  infobip: { id: 14, name: 'REJECTED_DESTINATION_BLOCKLISTED', description: 'Destination blocklisted' },
  twilio: { code: 21610, message: () => 'Attempt to send to unsubscribed recipient' },
};
const invalidTo: Refusal = {
  infobip: { id: 52, name: 'REJECTED_DESTINATION', description: 'Invalid destination address' },
  twilio: { code: 21211, message: (to) => `The 'To' number ${to} is not a valid phone number.` },
};
const noRoute: Refusal = {
  infobip: { id: 19, name: 'REJECTED_ROUTE_NOT_AVAILABLE', description: 'Route not available' },
  twilio: {
    code: 21612,
    message: (to) => `The 'To' phone number ${to} is not currently reachable via SMS.`,
  },
};

const ordinary: Rule = { ends: delivered };

function answering(first: number): Rule {
  return { ends: delivered, answers: [...friendly.slice(first), ...friendly.slice(0, first)] };
}

function ending(label: string): Rule {
  return { ends: outcomeIndex(label) };
}

/** The last four digits of (423) 555-xxxx. */
export const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['0160', answering(0)],
  ['0161', answering(1)],
  ['0162', answering(2)],
  ['0163', answering(3)],
  ['0164', answering(4)],
  ['0165', answering(5)],
  ['0166', answering(6)],
  ['0167', answering(7)],
  ['0168', { ends: delivered, startsAsleep: true }],
  ['0169', answering(2)],
  ['0180', ending('Carrier Limit Exceeded')],
  ['0181', ending('Carrier Rejected Message')],
  ['0182', ending('Rejected by handset')],
  ['0183', ending('Rejected for possible SPAM')],
  ['0184', ending('Text Number Unavailable')],
  ['0185', ending('Unsupported Media')],
  ['0186', ending('Phone Unreachable')],
  ['0187', { ends: outcomeIndex('Opted Out'), refusedByTwilio: optedOut }],
  ['0188', ending('Blacklisted')],
  ['0189', ending('Attempts Exceeded')],
  ['0190', ending('Not Delivered')],
  ['0191', ending('Unknown')],
  ['0192', { ends: outcomeIndex('Text Number Unavailable'), refused: invalidTo }],
  ['0193', { ends: outcomeIndex('Blacklisted'), refused: optedOut }],
  ['0194', { ends: outcomeIndex('Carrier Rejected Message'), refused: noRoute }],
  ['0195', { ends: outcomeIndex('Not Delivered'), delayMs: [20_000, 20_000] }],
  ['0196', { ends: delivered, answers: ['STOP'] }],
  ['0197', ending('Sent To Carrier')],
]);

export function ruleFor(number: string): Rule {
  if (!number.startsWith('1423555')) return ordinary;
  return rules.get(number.slice(7)) ?? ordinary;
}

/** Says in one sentence for the page what is special about the number; undefined for an ordinary telephone. */
export function describeRule(number: string): string | undefined {
  const rule = ruleFor(number);
  if (rule === ordinary) return describeLine(number);
  const { kind, label } = getOutcome(rule.ends);
  if (rule.refused) return 'The carrier refuses every text to it at once';
  if (rule.answers?.[0] === 'STOP') return 'Answers STOP by itself';
  if (rule.answers) return 'Answers by itself after some seconds';
  if (kind === 'delivered') return undefined;
  if (kind === 'silent') {
    return label === 'Unknown' ? 'Nothing is heard of a text to it' : 'A text to it stays with the carrier';
  }
  return `Every text to it fails: ${label}`;
}
