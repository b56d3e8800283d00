import { expect, it } from 'vitest';
import { auditAreas } from './audit-areas.ts';
import { areaOf, areaOfPrefix, auditKinds, fieldLabel, readChanges } from './audit-entry.ts';
import { eventKinds } from './event-kinds.ts';

it('every kind has an area', () => {
  expect(areaOf('session.started')).toBe('security');
  expect(areaOf('contacts.joined')).toBe('contacts');
  for (const kind of auditKinds) expect(auditAreas).toContain(areaOf(kind));
  // The only kinds that may be "everything else".
  const others = auditKinds.filter((kind) => areaOf(kind) === 'other');
  expect(others).toEqual(auditKinds.filter((kind) => kind.startsWith('reportView.')));
  const prefixes = Object.keys(eventKinds).map((kind) => kind.split('.')[0]);
  expect(Object.keys(areaOfPrefix).filter((prefix) => !prefixes.includes(prefix))).toEqual([]);
  expect(areaOf('somethingNew.created')).toBe('other');
  expect(auditKinds).not.toContain('text.received');
});

it.each([
  ['Role', 'Role'],
  ['CanSeeAllRoster', 'Can see all roster'],
  ['PAYGPricingPlanID', 'PAYG pricing plan ID'],
  ['StartTimeOfDay', 'Start time of day'],
])('%s reads %s', (field, label) => {
  expect(fieldLabel(field)).toBe(label);
});

it('reads pairs as before and after, and single values as what it is now', () => {
  expect(readChanges({ Role: ['user', 'admin'], IsOn: [false, true], Days: [['Monday'], []] })).toEqual([
    { Field: 'Role', Before: 'user', After: 'admin' },
    { Field: 'Is on', Before: 'Off', After: 'On' },
    { Field: 'Days', Before: 'Monday', After: '(empty)' },
  ]);
  expect(readChanges({ Method: 'totp' })).toEqual([{ Field: 'Method', Before: null, After: 'totp' }]);
  expect(readChanges(null)).toEqual([]);
});
