import type { z } from 'zod';
import type { DraftForm } from '../../contract/drafts.ts';
import type { repeatingSchedule } from '../../contract/repeating-broadcasts.ts';
import type { SecondTextForm } from '../../contract/second-text.ts';

/** A finished broadcast. */
export interface FinishedBroadcast {
  name: string;
  text: string;
  /** Empty: Everyone. */
  groups: readonly string[];
  /** Position of the number among the organization's numbers. */
  number: number;
  daysAgo: number;
  time: string;
  perMinute?: 50;
  hasMap?: true;
  /** Canceled after this share of it was sent. */
  canceledAfter?: number;
  /** For an A/B test, `to` says which of the two texts it answers; without it, one of the rest. */
  replies: readonly { text: string; answer?: 'Yes' | 'No'; to?: 1 | 2 }[];
  /** The second text of an A/B test. The one with more replies went to the rest. */
  second?: SecondTextForm;
  /** For a survey: the replies to its answers. */
  answers?: readonly { Label: 'Yes' | 'No'; Message: string }[];
}

const say = (...texts: string[]) => texts.map((text) => ({ text }));
const repeat = (text: string, answer: 'Yes' | 'No', times: number) =>
  Array.from({ length: times }, () => ({ text, answer }));

export const finished: readonly FinishedBroadcast[] = [
  {
    name: 'Picture day',
    text: 'Hi {{FirstName}}, picture day is this Thursday. Order forms went home in the blue folder; online orders close Friday at 4 PM.',
    groups: ['Kindergarten', 'Grade 1', 'Grade 2'],
    number: 0,
    daysAgo: 16,
    time: '10:00:00',
    replies: say(
      'Thank you!',
      'Can siblings be in one photo?',
      'We will be away on Thursday, is there a second date?',
    ),
  },
  {
    name: 'Water main break at Creekside',
    text: 'Creekside Middle has no water this morning. Bottled water is provided; please send a filled bottle if you can.',
    groups: ['Creekside Middle'],
    number: 0,
    daysAgo: 12,
    time: '09:10:00',
    perMinute: 50,
    // It was corrected before everybody had been texted.
    canceledAfter: 0.62,
    replies: say('Are they still having lunch?', 'ok', 'Thanks for the heads up'),
  },
  {
    name: 'Early dismissal Friday',
    text: 'Harlow Creek Schools: early dismissal this Friday at 1:30 PM. Buses run two hours early. Questions? Just text us back.',
    groups: [],
    number: 0,
    daysAgo: 9,
    time: '15:05:00',
    replies: say(
      'Is after-care open?',
      'Thanks!',
      'Does that include the high school?',
      'Gracias',
      'Who do I tell that grandma picks up?',
      'Got it',
      'Wrong number, I have no kids there',
      'Is lunch served?',
      'ty',
      'Will bus 7 be at 1:45 then?',
      'Is after-care open that day?',
      'Will after-care be open Friday',
      'will there be after-care?',
      'Is after-care open until 6?',
      'Is lunch served before they leave?',
      'Do they get lunch?',
      'will lunch be served on friday',
      'What time does bus 12 come?',
      'What time will the bus be at Mill St?',
      'when does the bus get to Creek Rd',
      'Who picks up the pre-K kids?',
      'Yes, I can pick her up',
      'Yes',
      'Yes we will be there. Is after-care open?',
      'No, I work until 5',
      'No, he has practice',
      '¿A qué hora llega el autobús?',
      'Mi hijo está enfermo, no va el viernes',
      'Во сколько закончатся уроки?',
      'You have the wrong person',
      '👍',
      'Thank you so much',
      'My daughter has a dentist appointment anyway',
    ),
  },
  {
    name: 'Fall festival helpers',
    text: 'Can you help at the PTA booth at the fall festival on Saturday, 10 AM to noon? Reply YES or NO.',
    groups: ['PTA'],
    number: 0,
    daysAgo: 5,
    time: '17:30:00',
    answers: [
      { Label: 'Yes', Message: 'Wonderful, thank you! Becky will text you the shift list.' },
      { Label: 'No', Message: 'No problem, see you at the festival!' },
    ],
    replies: [
      ...repeat('YES', 'Yes', 14),
      ...repeat('yes!', 'Yes', 9),
      ...repeat('No', 'No', 8),
      ...repeat('nope, sorry', 'No', 5),
      ...repeat('Y', 'Yes', 6),
      { text: 'Maybe, can I tell you on Friday?' },
    ],
  },
  {
    name: 'Bus 14 detour',
    text: 'Route 14 runs via Mill St today, Creek Rd is closed. Stops 5 to 8 are about 10 minutes later.',
    groups: ['Bus 14 riders'],
    number: 1,
    daysAgo: 2,
    time: '13:10:00',
    hasMap: true,
    replies: say('Does that mean the morning too?', 'Thanks for letting us know', 'What about tomorrow?'),
  },
  {
    name: 'Parent survey reminder',
    text: 'Harlow Creek Schools: the parent survey closes on Friday. Did you get the link? Text us back if you didn’t.',
    second: {
      TextMessage:
        'Did you get the link to our parent survey? It takes three minutes and closes on Friday. Text us back if you need it.',
      ...{ Share: 20, DecideBy: 'Replies', Hours: 2 },
    },
    groups: ['Creekside Middle'],
    number: 0,
    daysAgo: 7,
    time: '10:00:00',
    replies: [
      ...say('I did, thanks', 'No link here').map((reply) => ({ ...reply, to: 1 as const })),
      ...say('Please send it again', 'Got it', 'I need it', 'Can you resend?', 'Done!').map((reply) => ({
        ...reply,
        to: 2 as const,
      })),
      ...say('Where do I find it?', 'Just did it', 'I need the link please', 'Thanks for the reminder'),
    ],
  },
];

interface PlannedBroadcast {
  name: string;
  text: string;
  groups: readonly string[];
  startOption: NonNullable<DraftForm['startOption']>;
  inDays?: number;
  time?: string;
  schedule?: z.output<typeof repeatingSchedule>;
  isDraft?: true;
}

export const plannedBroadcasts: readonly PlannedBroadcast[] = [
  {
    name: 'Report cards',
    text: 'Report cards go home on Thursday. Conferences are the week after; text CONFERENCE to pick a time.',
    groups: ['Creekside Middle', 'Harlow Creek High'],
    startOption: 'START_LATER',
    inDays: 2,
    time: '16:00:00',
  },
  {
    name: 'Lunch menu',
    text: 'This week in the cafeteria: tacos on Tuesday, soup on Wednesday, pizza on Friday. Lunch accounts can be topped up online.',
    groups: ['Kindergarten', 'Harlow Elementary'],
    startOption: 'REPEATING',
    inDays: 1,
    time: '08:15:00',
    schedule: { Interval: 1, IntervalFrequency: 'weeks', DaysOfWeek: ['Monday'] },
  },
  {
    name: 'Winter concert',
    text: 'The winter concert is on December 17 at 6:30 PM in the high school gym. Doors open at 6.',
    groups: ['Grade 4', 'Grade 5'],
    startOption: 'START_LATER',
    isDraft: true,
  },
];
