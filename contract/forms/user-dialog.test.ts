import { describe, expect, it } from 'vitest';
import { fieldErrors } from '../fields/form.ts';
import { testRuleTable } from '../testing/test-rule-table.ts';
import * as cases from './user-dialog.cases.ts';
import { guessablePinCode, userDialogForm, userDialogTabErrors, userDialogTabs } from './user-dialog.ts';

const { validUser } = cases;
const context = { countryId: 1, takenUserNames: ['taken.name'], takenEmails: ['taken@district.example'] };

testRuleTable(cases.userDialog, (change) =>
  fieldErrors(userDialogForm(context), { ...validUser, ...change }),
);

describe('an existing user', () => {
  const existing = { UserName: 'old', Email: 'taken@district.example' };
  const form = userDialogForm({ ...context, existing });

  it('keeps a name and an address that are unchanged, and needs no new PIN code', () => {
    expect(fieldErrors(form, { ...validUser, ...existing, PinCode: '' })).toEqual({});
  });

  it('follows today’s rules once the name changes', () => {
    expect(fieldErrors(form, { ...validUser, UserName: 'older' })).toEqual({
      UserName: 'Username must be at least 8 characters',
    });
  });
});

describe('PIN code', () => {
  it('is not the phone number, however it is written', () => {
    const user = { Email: '', UserName: '', Phone: '14235550143' };
    expect(guessablePinCode('423-555-0143', user)).toBe('PIN Code must not be your phone number');
    expect(guessablePinCode('423-555-0144', user)).toBeUndefined();
    expect(guessablePinCode('', user)).toBeUndefined();
  });
});

describe('tabs', () => {
  const empty = {};

  it('advance only after validation passes, and each shows its own errors', () => {
    expect(Object.keys(userDialogTabErrors('Details', empty, context))).toEqual([
      'FirstName',
      'LastName',
      'Email',
      'Phone',
      'UserName',
      'TimeZone',
      'PinCode',
    ]);
    expect(userDialogTabErrors('Calling', empty, context)).toEqual({
      CallerID: 'Enter a Caller ID',
      CallingWindowDays: 'Select at least one Calling Day',
      startTimeText: 'Enter a Start Time',
      stopTimeText: 'Enter a Stop Time',
    });
    expect(userDialogTabErrors('Permissions', empty, context)).toEqual({});
  });

  it('hold every field of the form once', () => {
    const fields: string[] = userDialogTabs.flatMap((tab) => [...tab.fields]);
    expect(fields.toSorted()).toEqual(Object.keys(userDialogForm(context).parse(validUser)).toSorted());
  });
});

it('leaves numbers normalized', () => {
  expect(userDialogForm(context).parse(validUser)).toMatchObject({
    Phone: '14235550143',
    CallerID: '14235550199',
  });
});
