import { ruleTable } from '../testing/rule-table.ts';

/** 10:00 AM in New York. */
export const nowMs = Date.parse('2026-11-15T15:00:00Z');
export const zone = 'America/New_York';

const first = { message: 'Welcome!', hasWait: false };
const second = { message: 'Did you know?', hasWait: true, date: '2026-11-16', time: '9:00 AM' };
export const validDrip = { name: 'New members', textNumberId: 3, steps: [first, second] };

const earlier = 'Your start date and time cannot be earlier than previous step.';

export const drip = ruleTable<Record<string, unknown>, Record<string, string>>({
  about: 'Drip campaign',
  file: 'contract/forms/drip.ts',
  rows: [
    {
      rule: 'Name: min 1 ("Name must be at least 1 character."), max ("Name cannot be longer than {n} characters."). The form\'s max length is 255',
      message: 'Name must be at least 1 character.',
      cases: [
        [{}, {}],
        [{ name: '' }, { name: 'Name must be at least 1 character.' }],
        [{ name: 'x'.repeat(255) }, {}],
        [{ name: 'x'.repeat(256) }, { name: 'Name cannot be longer than 255 characters.' }],
      ],
    },
    {
      rule: 'Message: min 1 ("Message cannot be empty.")',
      message: 'Message cannot be empty.',
      cases: [
        [{ steps: [{ ...first, message: '' }, second] }, { 'steps.0.message': 'Message cannot be empty.' }],
        [{ steps: [] }, { steps: 'Message cannot be empty.' }],
      ],
    },
    {
      rule: 'Step date and time: later than the previous step ("Your start date and time cannot be earlier than previous step.")',
      message: earlier,
      cases: [
        [{ steps: [first, second, { ...second, time: '9:01 AM' }] }, {}],
        [{ steps: [first, second, { ...second, time: '8:59 AM' }] }, { 'steps.2.date': earlier }],
        [{ steps: [first, second, second] }, { 'steps.2.date': earlier }],
        [{ steps: [first, { ...second, date: '2026-11-15', time: '9:59 AM' }] }, { 'steps.1.date': earlier }],
      ],
    },
    {
      rule: 'Time required, in format',
      message: 'Time must follow the format 5:00 AM or 5:00 PM.',
      cases: [
        [{ steps: [first, { ...second, time: '' }] }, { 'steps.1.time': 'Enter a Time' }],
        [
          { steps: [first, { ...second, time: '9' }] },
          { 'steps.1.time': 'Time must follow the format 5:00 AM or 5:00 PM.' },
        ],
        [{ steps: [first, { ...second, date: '' }] }, { 'steps.1.date': 'Enter a Date' }],
      ],
    },
    {
      rule: 'Ours: a first step that waits is in the future; a step after the first always has a date',
      message: 'Start Time must be in the future as per your timezone settings',
      cases: [
        [
          { steps: [{ ...second, date: '2026-11-15', time: '9:00 AM' }] },
          { 'steps.0.date': 'Start Time must be in the future as per your timezone settings' },
        ],
        [{ steps: [first, first] }, { 'steps.1.date': 'Enter a Date', 'steps.1.time': 'Enter a Time' }],
      ],
    },
    {
      rule: 'Ours: a picture may go out without words',
      message: 'Message cannot be empty.',
      cases: [[{ steps: [{ ...first, message: '', hasMedia: true }, second] }, {}]],
    },
    {
      rule: 'TextNumberID required ("Select a Text Phone Number")',
      message: 'Select a Text Phone Number',
      cases: [[{ textNumberId: null }, { textNumberId: 'Select a Text Phone Number' }]],
    },
  ],
});

const daysAfter = (afterDays: number | null, time = '9:00 AM') => ({
  message: 'Hi',
  hasWait: true,
  afterDays,
  time,
});
const badDays = 'Days must be between 1 and 365.';

export const relativeDrip = ruleTable<Record<string, unknown>, Record<string, string>>({
  about: 'Drip campaign that begins when somebody joins',
  file: 'contract/forms/drip.ts',
  rows: [
    {
      rule: 'Ours: steps are in days after joining, each later than the one before; the first may go right away',
      message: badDays,
      cases: [
        [{ steps: [first, daysAfter(1), daysAfter(3)] }, {}],
        [{ steps: [daysAfter(1), daysAfter(1, '9:01 AM')] }, {}],
        [{ steps: [daysAfter(1), daysAfter(1)] }, { 'steps.1.afterDays': earlier }],
        [{ steps: [daysAfter(3), daysAfter(2, '5:00 PM')] }, { 'steps.1.afterDays': earlier }],
        [{ steps: [daysAfter(0)] }, { 'steps.0.afterDays': badDays }],
        [{ steps: [first, daysAfter(null)] }, { 'steps.1.afterDays': badDays }],
        [{ steps: [first, daysAfter(366)] }, { 'steps.1.afterDays': badDays }],
        [{ steps: [first, daysAfter(1.5)] }, { 'steps.1.afterDays': badDays }],
        [{ steps: [first, daysAfter(1, '')] }, { 'steps.1.time': 'Enter a Time' }],
      ],
    },
  ],
});
