import { expect, it } from 'vitest';
import { textStatusCodes, textStatuses } from '../../../contract/delivery/text-status.ts';
import { recipientProblems } from '../../../contract/draft-recipients.ts';
import { recipientProblemMessages } from '../../../contract/states/recipient-problem.ts';
import { eventsOf, inOrder, type Recipient, verdictOf } from './judge-result.ts';

const sent = new Date('2026-11-16T15:00:00Z');
const written = new Date('2026-11-16T15:01:00Z');
const handed = new Date('2026-11-16T15:01:01Z');
const ended = new Date('2026-11-16T15:02:00Z');
const say = (at: Date) => at.toISOString().slice(11, 16);

const maria: Recipient = {
  name: 'Maria Lopez',
  typedPhone: '',
  problem: null,
  duplicateOf: '',
  addedAt: new Date('2026-11-16T14:00:00Z'),
  source: 'Parents',
  broadcast: { status: 'broadcasting', heldReason: '', confirmedAt: sent, startAt: sent, endedAt: null },
  opensAt: null,
  credits: 1,
  text: null,
  repliedAt: null,
  answer: null,
  optedOutAt: null,
};

function under(broadcast: Partial<Recipient['broadcast']>, more: Partial<Recipient> = {}): Recipient {
  return { ...maria, broadcast: { ...maria.broadcast, ...broadcast }, ...more };
}

function withText(text: Partial<NonNullable<Recipient['text']>>, more: Partial<Recipient> = {}): Recipient {
  const whole = {
    ...{ status: 'sent' as const, createdAt: written, statusAt: ended, handedAt: handed },
    ...{ carrierError: '', isInDoubt: false },
  };
  return { ...maria, text: { ...whole, ...text }, ...more };
}

const verdicts: [Recipient, string][] = [
  [
    { ...maria, problem: 'duplicate', duplicateOf: 'Ana Lopez' },
    'Maria Lopez was left out: Ana Lopez has the same phone. One phone, one message. The first name in the group is used.',
  ],
  [
    { ...maria, problem: 'invalid', typedPhone: '12-34' },
    'Left out: “12-34” is not a phone number that can be texted.',
  ],
  [
    { ...maria, problem: 'opted_out' },
    'Maria Lopez was left out. This number has opted out of receiving texts.',
  ],
  [maria, 'Maria Lopez is in line. The broadcast has not come to them yet.'],
  [under({ status: 'scheduled' }), 'Maria Lopez is in line. The broadcast starts 15:00.'],
  [under({ status: 'paused' }), 'Maria Lopez is in line. The broadcast is paused until somebody resumes it.'],
  [
    under({ heldReason: 'Quiet hours until 8:00 AM Pacific' }, { opensAt: ended }),
    'Maria Lopez is in line. Quiet hours hold this text until 15:02.',
  ],
  [
    under({ heldReason: 'Daily limit of toll-free numbers: goes on tomorrow' }),
    'Maria Lopez is in line. The broadcast is held: Daily limit of toll-free numbers: goes on tomorrow.',
  ],
  [
    { ...maria, optedOutAt: ended },
    'Maria Lopez will get nothing: they have opted out since the broadcast was sent.',
  ],
  [
    under({ status: 'canceled', endedAt: ended }),
    'Maria Lopez got nothing: the broadcast was canceled before their turn. Nothing was charged for it.',
  ],
  [
    withText({ status: 'waiting', handedAt: null }),
    'The text to Maria Lopez is about to be handed to the carrier.',
  ],
  [
    withText({ status: 'waiting', handedAt: null, isInDoubt: true }),
    'We don’t know yet whether Maria Lopez got it: the carrier didn’t answer when we sent it. We are asking again.',
  ],
  [
    { ...under({ status: 'paused' }), text: withText({ status: 'waiting', handedAt: null }).text },
    'The text to Maria Lopez waits: the broadcast is paused.',
  ],
  [withText({}), 'The text to Maria Lopez is with the carrier, which hasn’t said yet whether it arrived.'],
  [withText({ status: 'delivered' }), 'Maria Lopez got it.'],
  [withText({ status: 'delivered' }, { repliedAt: ended }), 'Maria Lopez got it. They replied.'],
  [
    withText({ status: 'read' }, { repliedAt: ended, answer: 'Yes', optedOutAt: ended }),
    'Maria Lopez got it and opened it. They answered Yes. They have opted out since.',
  ],
  [
    withText({ status: 'opted_out', handedAt: null }, { optedOutAt: sent }),
    'Maria Lopez got nothing: they had opted out before their turn came. Nothing was charged for it.',
  ],
  [withText({ status: 'opted_out' }), 'Maria Lopez got nothing: the carrier says that they have opted out.'],
  [
    withText({ status: 'canceled', handedAt: null }),
    'Maria Lopez got nothing: the text was canceled before it was sent. Nothing was charged for it.',
  ],
  [
    withText({ status: 'unknown', handedAt: null }),
    `Nobody can say whether Maria Lopez got it. ${textStatuses.unknown.tooltip}`,
  ],
  [
    withText({ status: 'phone_unreachable' }, { repliedAt: ended }),
    'Maria Lopez did not get it: Phone Unreachable. The phone is turned off or out of range. They replied all the same.',
  ],
];

it.each(verdicts.map(([recipient, verdict]) => ({ recipient, verdict })))(
  '$verdict',
  ({ recipient, verdict }) => {
    expect(verdictOf(recipient, say)).toBe(verdict);
  },
);

it('there is a sentence for every reason and every state', () => {
  for (const problem of recipientProblems) {
    if (problem !== 'invalid') {
      expect(verdictOf({ ...maria, problem }, say)).toContain(recipientProblemMessages[problem]);
    }
  }
  for (const status of textStatusCodes) expect(verdictOf(withText({ status }), say)).toContain('Maria Lopez');
});

it('events are in order, with the carrier’s words and the cost', () => {
  const kinds = (recipient: Recipient) =>
    inOrder(eventsOf(recipient)).map(({ Kind, Text }) => `${Kind}: ${Text}`);
  expect(kinds(withText({ status: 'phone_unreachable', carrierError: 'EC_27' }))).toEqual([
    'added: Added',
    'credits: 1 credit reserved',
    'waiting: Text written',
    'handed over: Handed to the carrier',
    'credits: 1 credit paid',
    'carrier: Phone Unreachable',
  ]);
  const behind = withText({ status: 'delivered', statusAt: written });
  expect(kinds(behind).at(-1)).toBe('carrier: Delivered');
  const failed = eventsOf(withText({ status: 'phone_unreachable', carrierError: 'EC_27' }));
  expect(failed.at(-1)?.Note).toBe('The phone is turned off or out of range. The carrier’s own code: EC_27');
  expect(kinds(withText({ status: 'opted_out', handedAt: null }, { credits: 2 })).slice(-2)).toEqual([
    'opt-out: Opted Out',
    'credits: 2 credits returned',
  ]);
  expect(kinds({ ...maria, problem: 'unreachable' })).toEqual(['added: Added', 'left out: Unreachable']);
  expect(kinds(under({ heldReason: 'x' }, { opensAt: ended })).at(-1)).toBe('held: Quiet hours');
  expect(kinds(under({ status: 'scheduled' }, { opensAt: ended })).at(-1)).toBe('waiting: Scheduled');
  for (const [status, word] of [
    ['canceled', 'Canceled'],
    ['completed', 'Not sent'],
  ] as const) {
    expect(kinds(under({ status, endedAt: ended })).slice(-2)).toEqual([
      `waiting: ${word}`,
      'credits: 1 credit returned',
    ]);
  }
  expect(kinds({ ...maria, credits: 0 })).toEqual(['added: Added', 'waiting: In line']);
});
