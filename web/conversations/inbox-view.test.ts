import { describe, expect, it } from 'vitest';
import type { TextNumber } from '../../contract/numbers.ts';
import { readInboxSearch } from './inbox-address.ts';
import { inboxTitle, listQueryOf, searchOfView, viewOf } from './inbox-view.ts';

const mainOffice = { TextNumberID: 7, Name: 'Main office', TextPhoneNumber: '4235550100' } as TextNumber;
const nameless = { TextNumberID: 8, Name: ' ', TextPhoneNumber: '4235550101' } as TextNumber;
const numbers = [mainOffice, nameless];

describe('readInboxSearch', () => {
  it('takes what the router parsed and what stands as text', () => {
    expect(readInboxSearch({ isDone: 'true', textNumberId: '7', q: 5550143, compose: true })).toEqual({
      isDone: true,
      textNumberId: 7,
      q: '5550143',
      compose: true,
    });
  });

  it('drops what is malformed', () => {
    expect(
      readInboxSearch({ isDone: 'false', tag: 'spam', textNumberId: '-1', q: '  ', compose: 'no', x: 1 }),
    ).toEqual({});
  });
});

describe('inboxTitle, in order', () => {
  it.each([
    ['Done', { isDone: true, tag: 'autooptout', textNumberId: 7 }],
    ['Auto Opt-Outs', { tag: 'autooptout', textNumberId: 7 }],
    ['Main office', { textNumberId: 7 }],
    ['(423) 555-0101', { textNumberId: 8 }],
    ['Inbox', { textNumberId: 99 }],
    ['Inbox', {}],
  ] as const)('%s', (title, search) => {
    expect(inboxTitle(search, numbers)).toBe(title);
  });
});

describe('listQueryOf', () => {
  it('never shows an auto opt-out outside its tab', () => {
    expect(listQueryOf({})).toEqual({ isDone: false, notags: true });
    expect(listQueryOf({ unread: true })).toEqual({ isDone: false, unread: true, notags: true });
    expect(listQueryOf({ isDone: true })).toEqual({ isDone: true, notags: true });
    expect(listQueryOf({ tag: 'autooptout', q: 'bus', textNumberId: 7 })).toEqual({
      tag: 'autooptout',
      q: 'bus',
      textNumberId: 7,
    });
  });
});

it('keeps number and search from tab to tab, but not an open dialog', () => {
  const search = { isDone: true, textNumberId: 7, q: 'bus', compose: true } as const;
  expect(viewOf(searchOfView('unread', search))).toBe('unread');
  expect(searchOfView('unread', search)).toEqual({ unread: true, textNumberId: 7, q: 'bus' });
});
