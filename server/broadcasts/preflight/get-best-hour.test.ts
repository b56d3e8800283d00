import { describe, expect, it } from 'vitest';
import { findBestHour, type SentBefore } from './get-best-hour.ts';

const zone = 'America/New_York';
/** Creates this many broadcasts at an hour in New York, a hundred texts each. */
const at = (hour: number, count: number, replies: number): SentBefore[] =>
  Array.from({ length: count }, (_, day) => ({
    startedMs: Date.UTC(2026, 0, 5 + day, hour + 5, 20),
    texts: 100,
    replies,
  }));

describe('the best hour to send', () => {
  it('is the one with the highest share of replies, on the user’s clock', () => {
    expect(findBestHour([...at(9, 5, 4), ...at(17, 4, 12)], zone)).toEqual({
      ...{ Hour: 17, RepliesPer100: 12, UsualPer100: 7.6, BroadcastCount: 4, TextCount: 400 },
    });
    expect(findBestHour([...at(9, 5, 4), ...at(17, 4, 12)], 'America/Chicago').Hour).toBe(16);
  });

  it.each<[string, SentBefore[]]>([
    ['nothing was sent', []],
    ['all went out at one hour', at(9, 20, 10)],
    ['too few went out at the other', [...at(9, 10, 4), ...at(17, 2, 40)]],
    ['there is no real difference', [...at(9, 10, 10), ...at(17, 10, 10)]],
    ['nobody ever replied', [...at(9, 10, 0), ...at(17, 10, 0)]],
  ])('is unknown when %s', (_, sent) => {
    expect(findBestHour(sent, zone).Hour).toBeNull();
  });
});
