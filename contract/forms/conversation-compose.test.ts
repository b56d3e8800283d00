import { describe, expect, it } from 'vitest';
import { fieldErrors } from '../fields/form.ts';
import { firstFailure } from '../fields/rule.ts';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { cpuMs } from '../text/testing/cpu-ms.ts';
import * as cases from './conversation-compose.cases.ts';
import { composeForm, dialogText, newRecipientFailure } from './conversation-compose.ts';
import { quickSendBroadcastName, quickSendTemplateName } from './quick-send.ts';

const { validMessage } = cases;
const context = { countryId: 1, maxLength: 160, signature: '-Office', requireOptIn: true };

testRuleTable(cases.compose, (change) => fieldErrors(composeForm(context), { ...validMessage, ...change }));
testRuleTable(cases.newRecipient, (text) =>
  newRecipientFailure(text, [{ PrimaryPhone: '(423) 555-0143' }], { countryId: 1 }),
);
testRuleTable(cases.dialogTexts, (text) => firstFailure(text, dialogText({ maxLength: 160 })));
testRuleTable(cases.quickSendNames, quickSendTemplateName);
testRuleTable(cases.quickSendBroadcastNames, quickSendBroadcastName);

describe('compose', () => {
  it('may be scheduled without text', () => {
    const scheduled = composeForm({ ...context, mayBeWithoutText: true });
    expect(fieldErrors(scheduled, { ...validMessage, TextMessage: '' })).toEqual({});
  });

  it('counts the signature only when it is included', () => {
    const text = 'x'.repeat(160 - '\n\n-Office'.length);
    expect(
      fieldErrors(composeForm(context), { ...validMessage, TextMessage: text, IncludeSignature: true }),
    ).toEqual({});
    expect(
      fieldErrors(composeForm(context), { ...validMessage, TextMessage: `${text}x`, IncludeSignature: true }),
    ).toEqual({
      TextMessage: "Your message can't exceed 160 characters.",
    });
  });

  it('does not ask for a textable number where no opt-in is required', () => {
    const Recipients = [{ PrimaryPhone: '4235550143', PrimaryPhoneTextable: false }];
    expect(
      fieldErrors(composeForm({ countryId: 1, maxLength: 160 }), { ...validMessage, Recipients }),
    ).toEqual({});
  });

  it('refuses 100,000 recipients and 100,000 characters at once', () => {
    const Recipients = Array.from({ length: 100_000 }, () => ({ PrimaryPhone: '4235550143' }));
    const ms = cpuMs(() => {
      expect(fieldErrors(composeForm(context), { ...validMessage, Recipients })).toEqual({
        Recipients: 'You can text at most 15 people at a time.',
      });
      expect(
        fieldErrors(composeForm(context), { ...validMessage, TextMessage: '{{'.repeat(50_000) }),
      ).toEqual({ TextMessage: "Your message can't exceed 160 characters." });
    });
    expect(ms).toBeLessThan(900);
  });
});
