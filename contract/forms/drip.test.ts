import { describe, expect, it } from 'vitest';
import { restrictShortUrls } from '../fields/content-rules.ts';
import { fieldErrors } from '../fields/form.ts';
import { testRuleTable } from '../testing/test-rule-table.ts';
import * as cases from './drip.cases.ts';
import { dripForm, dripStepMs } from './drip.ts';

const context = { nowMs: cases.nowMs, zone: cases.zone, recipientCount: 12 };

testRuleTable(cases.drip, (change) => fieldErrors(dripForm(context), { ...cases.validDrip, ...change }));

testRuleTable(cases.relativeDrip, (change) =>
  fieldErrors(dripForm({ ...context, recipientCount: 0, isRelative: true }), {
    ...cases.validDrip,
    ...change,
  }),
);

describe('drip campaign', () => {
  it('needs at least one recipient', () => {
    expect(fieldErrors(dripForm({ ...context, recipientCount: 0 }), cases.validDrip)).toEqual({
      recipients: 'Please add at least one valid recipient to your drip campaign.',
    });
  });

  it('applies further rules to messages', () => {
    const form = dripForm({ ...context, messageRules: [restrictShortUrls('Message')] });
    const steps = [{ message: 'See bit.ly/abc' }];
    expect(fieldErrors(form, { ...cases.validDrip, steps })).toEqual({
      'steps.0.message': 'Message must not contain a shortened URL',
    });
  });

  it('reads a step’s time on the clocks of the user’s zone, over the change of clocks', () => {
    const at = (date: string) =>
      new Date(dripStepMs({ date, time: '9:00 AM' }, cases.zone) ?? 0).toISOString();
    expect(at('2026-10-31')).toBe('2026-10-31T13:00:00.000Z');
    expect(at('2026-11-01')).toBe('2026-11-01T14:00:00.000Z');
  });

  it('is bounded', () => {
    const steps = Array.from({ length: 101 }, () => ({ message: 'x' }));
    expect(fieldErrors(dripForm(context), { ...cases.validDrip, steps })).toHaveProperty('steps');
  });
});
