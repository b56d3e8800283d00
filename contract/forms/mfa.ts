import { z } from 'zod';
import { maxLength, required } from '../fields/basic-rules.ts';
import { number } from '../fields/character-rules.ts';
import { trimmedField } from '../fields/form.ts';
import { phoneField } from '../fields/phone-rules.ts';
import { limits } from '../reference/limits.ts';

/** Phone that the code is sent to. */
export function mfaPhoneForm({ countryId = 1 }: { countryId?: number } = {}) {
  return z.object({ PhoneNumber: phoneField(countryId, required('Phone Number')) });
}

/** The code that arrived. The server refuses one with fewer than six digits. */
export const mfaCodeForm = z.object({
  Code: trimmedField(required('Code'), number(), maxLength('Code', limits.mfaCode)),
});
