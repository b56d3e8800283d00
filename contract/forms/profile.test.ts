import { expect, it } from 'vitest';
import { fieldErrors } from '../fields/form.ts';
import { testRuleTable } from '../testing/test-rule-table.ts';
import * as cases from './profile.cases.ts';
import { passwordChangeForm, profileForm } from './profile.ts';

const user = { UserName: 'Dolores-1', Email: 'dolores@district.example', Phone: '14235550143' };

testRuleTable(cases.passwordChange, (change) =>
  fieldErrors(passwordChangeForm(user), { ...cases.validChange, ...change }),
);

it('applies the rules of the user dialog to a profile', () => {
  const form = profileForm({ countryId: 1, existing: user, takenUserNames: ['somebody.else'] });
  const profile = { FirstName: 'Dolores', LastName: 'Núñez', ...user };
  expect(fieldErrors(form, profile)).toEqual({});
  expect(fieldErrors(form, { ...profile, UserName: 'Somebody.Else', Email: '' })).toEqual({
    UserName: 'This username is already in use.',
    Email: 'Enter an Email',
  });
});
