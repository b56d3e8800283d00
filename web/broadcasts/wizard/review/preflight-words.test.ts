import { describe, expect, it } from 'vitest';
import type { Preflight } from '../../../../contract/drafts.ts';
import { planWords, segmentsWords, sendWords } from './preflight-words.ts';

/** Tuesday, March 10, 2026, 10:46 AM Eastern. */
const clock = { now: Date.parse('2026-03-10T14:46:00Z'), zone: 'America/New_York' };
const going = (Good: number, Starts: string) => ({ Summary: { Good }, Starts }) as Preflight;

describe('the label of the button', () => {
  it.each([
    ['START_IMMEDIATELY', '2026-03-10T14:46:00Z', 'Send now to 1,871 people'],
    ['START_LATER', '2026-03-10T20:00:00Z', 'Send today at 4:00 PM'],
    ['START_LATER', '2026-03-11T12:00:00Z', 'Send tomorrow at 8:00 AM'],
    ['START_LATER', '2026-03-13T12:00:00Z', 'Send Friday at 8:00 AM'],
    ['START_LATER', '2026-03-24T12:00:00Z', 'Send March 24 at 8:00 AM'],
    ['REPEATING', '2026-03-13T12:00:00Z', 'Repeat from Friday at 8:00 AM'],
  ] as const)('%s %s', (startOption, starts, words) => {
    expect(sendWords({ startOption }, going(1871, starts), clock)).toBe(words);
  });
  it('counts one person as one', () => {
    expect(sendWords({ startOption: 'START_IMMEDIATELY' }, going(1, ''), clock)).toBe('Send now to 1 person');
  });
});

describe('when a place gets it', () => {
  const at = (Zones: string[], Opens: string, Done: string) => {
    const { time, rest } = planWords({ Zones, Opens, Done }, clock);
    return `${time}${rest}`;
  };
  it('says their time and ours where they differ', () => {
    expect(at(['America/New_York'], '2026-03-11T12:00:00Z', '2026-03-11T12:05:00Z')).toBe(
      '8:00 AM, done by 8:05',
    );
    expect(at(['America/Chicago'], '2026-03-11T13:00:00Z', '2026-03-11T13:01:00Z')).toBe(
      '8:00 AM there, 9:00 AM for you',
    );
    expect(at(['America/New_York'], '2026-03-11T15:30:00Z', '2026-03-11T16:30:00Z')).toBe(
      '11:30 AM, done by 12:30 PM',
    );
  });
  it('names the days of one that lasts', () => {
    expect(at(['America/New_York'], '2026-03-11T12:00:00Z', '2026-03-13T18:00:00Z')).toBe(
      'Wednesday, March 11 8:00 AM, done by Friday, March 13 2:00 PM',
    );
  });
});

describe('segments', () => {
  it('is a range where they differ', () => {
    expect(segmentsWords([{ Segments: 1, Count: 5 }])).toBe('1 segment each');
    expect(
      segmentsWords([
        { Segments: 1, Count: 5 },
        { Segments: 3, Count: 1 },
      ]),
    ).toBe('1 to 3 segments each');
  });
});
