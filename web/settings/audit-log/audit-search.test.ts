import { expect, it } from 'vitest';
import { auditQuery } from './audit-query.ts';
import { readAuditSearch } from './audit-search.ts';

// Late in the evening of March 10 in New York, and March 11 in UTC.
const now = Date.parse('2026-03-11T02:30:00Z');
const ask = (search: Record<string, unknown>) => auditQuery(readAuditSearch(search), now, 'America/New_York');

it('asks for days as the user lives them', () => {
  expect(ask({ days: 'today' })).toEqual({ 'date-from': '2026-03-10' });
  expect(ask({ days: 'week' })).toEqual({ 'date-from': '2026-03-04' });
  expect(ask({ days: 'month' })).toEqual({ 'date-from': '2026-02-09' });
  expect(ask({ days: 'custom', from: '2026-03-04', to: '2026-03-05' })).toEqual({
    'date-from': '2026-03-04',
    'date-to': '2026-03-05',
  });
  expect(ask({ days: 'custom' })).toEqual({});
});

it('passes people, areas and objects on, and drops what is none', () => {
  expect(ask({ who: '7', what: 'contacts', object: '12', q: 'ann' })).toEqual({
    q: 'ann',
    who: 7,
    what: 'contacts',
    object: 12,
  });
  expect(ask({ who: 'system' })).toEqual({ who: 'system' });
  expect(ask({ who: 'x', what: 'nothing', object: '12', days: 'ever', from: 'x' })).toEqual({});
});
