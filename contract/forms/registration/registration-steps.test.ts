import { describe, expect, it } from 'vitest';
import { testRuleTable } from '../../testing/test-rule-table.ts';
import { validRegistration } from './registration-form.cases.ts';
import { registrationForm } from './registration-form.ts';
import * as cases from './registration-steps.cases.ts';
import {
  fieldsOfRoute,
  nextRoute,
  previousRoute,
  registrationRoutes,
  registrationStepErrors,
  registrationStepGroup,
  registrationStepGroups,
} from './registration-steps.ts';

const usual = {
  sendsTextsToCanada: false,
  isSoleProprietor: false,
  hasInfobipNumbers: false,
  productPrivacyHost: 'muster.example',
};

testRuleTable(cases.forward, ([from, way]) => nextRoute(from, { ...usual, ...way }));
testRuleTable(cases.back, ([from, way]) => previousRoute(from, { ...usual, ...way }));

describe('steps', () => {
  it('a step advances only when it validates: each shows its own errors', () => {
    const values = { ...validRegistration, Ein: '', City: '', Sample1: '' };
    expect(registrationStepErrors('contacts', values, usual)).toEqual({});
    expect(registrationStepErrors('tax-id', values, usual)).toEqual({ Ein: 'Enter an EIN' });
    expect(registrationStepErrors('organization-details', values, usual)).toEqual({ City: 'Enter a City' });
    expect(registrationStepErrors('message-details', values, usual)).toEqual({
      Sample1: 'Enter a Sample Message',
    });
    expect(Object.keys(registrationStepErrors('review', values, usual)).toSorted()).toEqual([
      'City',
      'Ein',
      'Sample1',
    ]);
  });

  it('hold every field of the form', () => {
    const fields = Object.keys(registrationForm(usual).parse(validRegistration));
    expect(fieldsOfRoute.review.toSorted()).toEqual(
      fields.filter((field) => field !== 'IsSoleProprietor').toSorted(),
    );
  });

  it('belong to five groups, in order, and every way forward ends at a review', () => {
    const groups = [...new Set(registrationRoutes.map(registrationStepGroup))];
    expect(groups).toEqual([...registrationStepGroups]);
    for (const isSoleProprietor of [false, true]) {
      for (const sendsTextsToCanada of [false, true]) {
        let route: (typeof registrationRoutes)[number] = 'contacts';
        for (let step = 0; step < 7; step++)
          route = nextRoute(route, { ...usual, isSoleProprietor, sendsTextsToCanada });
        expect(registrationStepGroup(route)).toBe('Review & Submit');
      }
    }
  });
});
