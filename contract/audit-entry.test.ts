import { expect, it } from 'vitest';
import { auditAreas } from './audit-areas.ts';
import { areaOf, auditKinds, fieldLabel, readChanges } from './audit-entry.ts';

it('every kind has an area', () => {
  expect(areaOf('session.started')).toBe('security');
  expect(areaOf('contacts.joined')).toBe('contacts');
  for (const kind of auditKinds) expect(auditAreas).toContain(areaOf(kind));
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
