import { describe, expect, it } from 'vitest';
import { startWords } from '../pieces/broadcasts/start-words.ts';
import { readScheduledSearch } from './scheduled-address.ts';
import { peopleWords, type ScheduledPerson, sentWords, stateOf } from './scheduled-words.ts';

const zone = 'America/New_York';
// Tuesday, 22:10 in New York; in UTC it is Wednesday.
const now = Date.parse('2026-03-11T02:10:00Z');

const person = (FirstName: string, problem = ''): ScheduledPerson => ({
  PersonID: null,
  FirstName,
  LastName: '',
  PhoneNumber: '4235550123',
  TextMessage: null,
  ConversationID: null,
  Error: problem,
});

describe('startWords', () => {
  it.each([
    ['2026-03-11T03:00:00Z', 'Today at 11:00 PM'],
    ['2026-03-11T12:00:00Z', 'Tomorrow at 8:00 AM'],
    ['2026-03-12T12:00:00Z', 'Thursday, March 12 at 8:00 AM'],
    ['2026-03-10T01:00:00Z', 'Yesterday at 9:00 PM'],
    ['2027-01-04T13:00:00Z', 'Monday, January 4, 2027 at 8:00 AM'],
  ])('%s is %s', (at, words) => {
    expect(startWords(at, now, zone)).toBe(words);
  });
});

describe('the sentence about recipients', () => {
  it('names two, and counts more', () => {
    expect(peopleWords([person('Ana')])).toBe('Ana');
    expect(peopleWords([person('Ana'), person('')])).toBe('Ana and (423) 555-0123');
    expect(peopleWords([person('Ana'), person('Bo'), person('Cy')])).toBe('Ana and 2 others');
  });

  it('says how many were reached', () => {
    expect(sentWords([person('Ana')])).toBe('The text was sent to Ana.');
    expect(sentWords([person('Ana'), person('Bo')])).toBe('The text was sent to 2 people.');
    expect(sentWords([person('Ana'), person('Bo', 'Opted out')])).toBe('The text was sent to 1 of 2 people.');
  });
});

describe('stateOf', () => {
  it('is due once its minute has come', () => {
    const waiting = { Status: 'Scheduled', StartDate: '2026-03-11T02:10:00Z' } as const;
    expect(stateOf(waiting, now - 1)).toBe('Scheduled');
    expect(stateOf(waiting, now)).toBe('Due');
    expect(stateOf({ ...waiting, Status: 'Sent' }, now)).toBe('Sent');
  });
});

describe('the address', () => {
  it('takes what is well-formed and drops the rest', () => {
    expect(readScheduledSearch({ ended: 'true', textNumberId: '3', q: 4235550123, page: 2 })).toEqual({
      ended: true,
      textNumberId: 3,
      q: '4235550123',
      page: 2,
    });
    expect(readScheduledSearch({ ended: 'no', textNumberId: -1, q: ' ', page: 1 })).toEqual({});
  });
});
