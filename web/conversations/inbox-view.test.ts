import { describe, expect, it } from 'vitest';
import type { TextNumber } from '../../contract/numbers.ts';
import type { SelectionOfIds } from '../../contract/selection.ts';
import { readInboxSearch } from './inbox-address.ts';
import { filtersOf, inboxTitle, listQueryOf, rangeOf, searchOfView, viewOf } from './inbox-view.ts';

const mainOffice = { TextNumberID: 7, Name: 'Main office', TextPhoneNumber: '4235550100' } as TextNumber;
const nameless = { TextNumberID: 8, Name: ' ', TextPhoneNumber: '4235550101' } as TextNumber;
const numbers = [mainOffice, nameless];

it('looks for rows in the list only where they have to be in it', () => {
  const search = { viewing: 'noanswer', textNumberId: 7 } as const;
  const selected: SelectionOfIds = { Type: 'Selected', Items: [1] };
  expect(rangeOf(selected, search)).toEqual({});
  // Somebody who has asked something since needs an answer, and isn't in the list any more.
  expect(rangeOf(selected, search, { isOfList: true })).toEqual(listQueryOf(search));
  expect(rangeOf({ Type: 'SelectedAll', Items: [] }, search)).toEqual(listQueryOf(search));
});

describe('readInboxSearch', () => {
  it('accepts parsed values and plain text', () => {
    const search = { isDone: 'true', textNumberId: '7', q: 5550143, compose: true };
    expect(readInboxSearch(search)).toEqual({ isDone: true, textNumberId: 7, q: '5550143', compose: true });
    expect(readInboxSearch({ tag: '12', viewing: 'mine', assignedTo: 3, broadcastId: '4' })).toEqual({
      tag: 12,
      viewing: 'mine',
      assignedTo: 3,
      broadcastId: 4,
    });
    expect(readInboxSearch({ viewing: 'unread', 'date-from': '2026-03-01' })).toEqual({
      unread: true,
      'date-from': '2026-03-01',
    });
  });

  it('drops malformed values', () => {
    const search = { isDone: 'false', tag: 'spam', textNumberId: '-1', q: '  ', compose: 'no', x: 1 };
    expect(readInboxSearch(search)).toEqual({});
    expect(readInboxSearch({ viewing: 'everything', 'date-from': '2026-02-99', 'date-to': 'now' })).toEqual(
      {},
    );
  });

  it('keeps search options only with a search', () => {
    expect(readInboxSearch({ searchin: 'texts', further: true })).toEqual({});
    expect(readInboxSearch({ q: 'bus', searchin: 'texts', further: true })).toEqual({
      q: 'bus',
      searchin: 'texts',
      further: true,
    });
  });
});

describe('inboxTitle, in order', () => {
  it.each([
    ['Done', { isDone: true, tag: 'autooptout', broadcastId: 4, textNumberId: 7 }],
    ['Auto Opt-Outs', { tag: 'autooptout', broadcastId: 4, textNumberId: 7 }],
    ['Broadcast', { broadcastId: 4, textNumberId: 7 }],
    ['Main office', { textNumberId: 7 }],
    ['(423) 555-0101', { textNumberId: 8 }],
    ['Inbox', { textNumberId: 99 }],
    ['Inbox', { tag: 12, viewing: 'mine' }],
    ['Inbox', {}],
  ] as const)('%s', (title, search) => {
    expect(inboxTitle(search, numbers)).toBe(title);
  });

  it('names the broadcast as soon as its name is known', () => {
    expect(inboxTitle({ broadcastId: 4, textNumberId: 7 }, numbers, 'Early dismissal')).toBe(
      'Early dismissal',
    );
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

  it('filters by assignee, by tag and by the broadcast that was answered', () => {
    expect(listQueryOf({ viewing: 'mine', unread: true })).toEqual({
      isDone: false,
      unread: true,
      notags: true,
      viewing: 'mine',
    });
    expect(listQueryOf({ viewing: 'snoozed', tag: 12 })).toEqual({
      isDone: false,
      viewing: 'snoozed',
      tag: 12,
    });
    expect(listQueryOf({ broadcastId: 4, assignedTo: 3 })).toEqual({
      isDone: false,
      notags: true,
      broadcastId: 4,
      assignedTo: 3,
    });
  });

  it('searches further back when asked to, and never further than the dates', () => {
    expect(listQueryOf({ q: 'bus' })).not.toHaveProperty('date-from');
    expect(listQueryOf({ q: 'bus', further: true })).toHaveProperty('date-from', '2000-01-01');
    const dated = { q: 'bus', further: true, 'date-from': '2026-03-01' } as const;
    expect(listQueryOf(dated)).toHaveProperty('date-from', '2026-03-01');
    expect(listQueryOf({ further: true })).not.toHaveProperty('date-from');
  });
});

describe('searchOfView', () => {
  it('keeps number, filters and search from tab to tab, but neither an open dialog nor a text', () => {
    const search = {
      isDone: true,
      textNumberId: 7,
      tag: 12,
      viewing: 'mine',
      q: 'bus',
      compose: true,
      textMessageId: 5,
    } as const;
    expect(viewOf(searchOfView('unread', search))).toBe('unread');
    expect(searchOfView('unread', search)).toEqual({
      unread: true,
      textNumberId: 7,
      tag: 12,
      viewing: 'mine',
      q: 'bus',
    });
  });

  it('drops filters that only open conversations can match', () => {
    expect(searchOfView('done', { viewing: 'snoozed', textNumberId: 7 })).toEqual({
      isDone: true,
      textNumberId: 7,
    });
    expect(searchOfView('autooptout', { tag: 12 })).toEqual({ tag: 'autooptout' });
  });
});

it('counts the active filters', () => {
  expect(filtersOf({ isDone: true, q: 'bus', textNumberId: 7, sortby: 'oldest' })).toEqual({});
  expect(Object.keys(filtersOf({ tag: 'autooptout', viewing: 'mine', assignedTo: 2 }))).toEqual([
    'viewing',
    'assignedTo',
  ]);
});

describe('triage', () => {
  it('lists the longest wait first by default, and drops a chosen order with the view', () => {
    const search = { ...readInboxSearch({ viewing: 'waiting' }), textNumberId: 7 };
    expect(listQueryOf(search)).toEqual({
      ...{ isDone: false, notags: true, viewing: 'waiting', sortby: 'oldest' },
      textNumberId: 7,
    });
    expect(searchOfView('open', search)).toEqual({ textNumberId: 7 });
    const newest = readInboxSearch({ viewing: 'waiting', sortby: 'latest' });
    expect(listQueryOf(newest)).toEqual({ isDone: false, notags: true, viewing: 'waiting' });
    expect(searchOfView('open', newest)).toEqual({});
    expect(searchOfView('waiting', { sortby: 'oldest' })).toEqual({ viewing: 'waiting' });
    // An order from a bookmark, and an order that isn't in the address because every other list has it.
    expect(readInboxSearch({ viewing: 'waiting', sortby: 'oldest' })).toEqual({ viewing: 'waiting' });
    expect(listQueryOf(readInboxSearch({ sortby: 'latest' }))).toEqual({ isDone: false, notags: true });
    expect(searchOfView('open', { sortby: 'oldest' })).toEqual({ sortby: 'oldest' });
  });

  it.each([
    ['a search', { q: 'bus' }],
    ['a tag', { tag: 12 }],
    ['replies to a broadcast', { broadcastId: 4 }],
  ])('lists %s newest first among those who wait too: their order isn’t by the wait', (_name, more) => {
    const search = readInboxSearch({ viewing: 'waiting', ...more });
    expect(listQueryOf(search)).not.toHaveProperty('sortby');
    expect(listQueryOf(readInboxSearch({ ...search, sortby: 'oldest' }))).toHaveProperty('sortby', 'oldest');
    const { q: _q, tag: _tag, broadcastId: _id, ...cleared } = search;
    expect(listQueryOf(readInboxSearch(cleared))).toHaveProperty('sortby', 'oldest');
    // Whoever chose the newest finds them first again without the search.
    const newest = readInboxSearch({ ...search, sortby: 'latest' });
    expect(readInboxSearch({ ...newest, q: '', tag: '', broadcastId: '' })).toEqual({
      ...{ viewing: 'waiting', sortby: 'latest' },
    });
  });

  it('lists conversations that need no answer among the open ones', () => {
    const search = searchOfView('noanswer', { isDone: true });
    expect(viewOf(search)).toBe('noanswer');
    expect(listQueryOf(search)).toEqual({ isDone: false, notags: true, viewing: 'noanswer' });
    expect(readInboxSearch({ viewing: 'noanswer' })).toEqual({ viewing: 'noanswer' });
  });
});
