import { describe, expect, it } from 'vitest';
import { fieldErrors } from '../fields/form.ts';
import { testRuleTable } from '../testing/test-rule-table.ts';
import { defaultCallingWindow, switchAllDay } from '../time/calling-window.ts';
import * as cases from './calling-window.cases.ts';
import {
  callingWindowForm,
  callingWindowPayload,
  callingWindowValues,
  timeOfPassedText,
} from './calling-window.ts';

testRuleTable(cases.callingWindow, (change) =>
  fieldErrors(callingWindowForm, { ...cases.validWindow, ...change }),
);

describe('calling window', () => {
  it('leaves the form as the wire has it, each day once and in order', () => {
    const form = callingWindowForm.parse({
      ...cases.validWindow,
      CallingWindowDays: ['Tuesday', 'Monday', 'Tuesday'],
      stopTimeText: '9:30 pm',
    });
    expect(callingWindowPayload(form)).toEqual({
      CallingWindowDays: ['Monday', 'Tuesday'],
      StartTimeOfDay: { Hour: 9, Minute: 0 },
      StopTimeOfDay: { Hour: 21, Minute: 30 },
      ContinueOnNextDay: false,
    });
  });

  it('comes back into the form as it was saved, all-day too', () => {
    for (const window of [defaultCallingWindow, switchAllDay(defaultCallingWindow, true)]) {
      const values = callingWindowValues(window);
      expect(fieldErrors(callingWindowForm, values)).toEqual({});
      expect(callingWindowPayload(callingWindowForm.parse(values))).toEqual(window);
    }
  });

  it('never turns something else into a time', () => {
    expect(() => timeOfPassedText('soon')).toThrow('not a time of day');
  });
});
