import { z } from 'zod';
import { required } from '../fields/basic-rules.ts';
import { textField, trimmedField } from '../fields/form.ts';
import type { Rule } from '../fields/rule.ts';
import { limits } from '../reference/limits.ts';

const { launchId, launchPin, phoneListId } = limits;

/**
 * Ours: the specification has a phone launch ID and a PIN, but doesn't say how long they are. Both are typed
 * on a telephone.
 */
export const launchHints = {
  launchId: `Use ${launchId.min} to ${launchId.max} digits`,
  pin: `Use ${launchPin.min} to ${launchPin.max} digits`,
  easyPin: 'Choose a PIN that’s harder to guess',
  pinIsId: 'PIN must not be your phone launch ID',
  pinInPhone: 'PIN must not be part of your phone number',
  phoneListId: `Use at most ${phoneListId} digits`,
} as const;

function digits(least: number, most: number, message: string): Rule {
  const pattern = new RegExp(`^[0-9]{${least},${most}}$`);
  return (value) => (value === '' || pattern.test(value) ? undefined : message);
}

/** 111111, 123456 and 987654 are the first that anybody tries. */
const notEasy: Rule = (value) => {
  const steps = [...value].slice(1).map((digit, index) => Number(digit) - Number(value[index]));
  const isRun = steps.length > 0 && [0, 1, -1].includes(steps[0] ?? 9) && new Set(steps).size === 1;
  return isRun ? launchHints.easyPin : undefined;
};

export const phoneListIdField = trimmedField(digits(1, phoneListId, launchHints.phoneListId));

/** Users who already have a PIN may leave it empty to keep it. */
export function phoneLaunchForm({ phone, hasPin }: { phone: string; hasPin: boolean }) {
  const ownDigits = phone.replace(/\D/g, '');
  return z
    .object({
      PhoneLaunchID: trimmedField(
        required('phone launch ID'),
        digits(launchId.min, launchId.max, launchHints.launchId),
      ),
      PIN: textField(
        ...(hasPin ? [] : [required('PIN')]),
        digits(launchPin.min, launchPin.max, launchHints.pin),
        notEasy,
        (value) => (value !== '' && ownDigits.includes(value) ? launchHints.pinInPhone : undefined),
      ),
    })
    .superRefine(({ PhoneLaunchID, PIN }, context) => {
      if (PIN !== '' && PIN === PhoneLaunchID) {
        context.addIssue({ code: 'custom', path: ['PIN'], message: launchHints.pinIsId });
      }
    });
}
