import { expect, it } from 'vitest';
import { zonedTime } from '../consents/rules.ts';
import { zonedTimes } from './zoned-times.ts';

it.each(['America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe'])(
  'matches the slow implementation, also where clocks change: %s',
  (zone) => {
    const time = zonedTimes(zone);
    for (
      let ms = Date.parse('2026-03-08T04:00:00Z');
      ms < Date.parse('2026-11-02T12:00:00Z');
      ms += 7_777_777
    ) {
      expect(time(new Date(ms))).toBe(zonedTime(new Date(ms), zone));
    }
  },
);
