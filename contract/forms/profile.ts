import { z } from 'zod';
import { isEqualToValue, match, maxLength, required } from '../fields/basic-rules.ts';
import { failures, flagField, textField, trimmedField } from '../fields/form.ts';
import { phoneField } from '../fields/phone-rules.ts';
import { firstFailure } from '../fields/rule.ts';
import {
  characterCountField,
  emailRules,
  guessablePinCode,
  ownUserNameRules,
  personNameRules,
  pinCodeRules,
  type UserDialogContext,
} from './user-dialog.ts';

/** The fields that users change about themselves. */
export function profileForm(context: UserDialogContext) {
  return z.object({
    FirstName: trimmedField(...personNameRules('First Name')),
    LastName: trimmedField(...personNameRules('Last Name')),
    Email: trimmedField(...emailRules(context)),
    Phone: phoneField(context.countryId, required('Phone Number')),
    UserName: textField(...ownUserNameRules(context)),
  });
}

/** The specification's PIN code is the user's password; `label` is the word that the page shows for it. */
export function wrongExistingPinCode(label = 'PIN Code'): string {
  return `This is not your existing ${label}.`;
}

/** POST /user/passwordchange. Only the server knows whether the existing one is right. */
export function passwordChangeForm(
  user: { Email: string; Phone: string; UserName: string },
  label = 'PIN Code',
) {
  return z
    .object({
      ExistingPinCode: textField(required(label, `Enter your existing ${label}`)),
      PinCode: textField(required(label), ...pinCodeRules(label)),
      ConfirmPinCode: textField(required(label)),
    })
    .superRefine(
      failures((values) => ({
        PinCode:
          firstFailure(values.PinCode, [isEqualToValue(values.ExistingPinCode)]) ??
          guessablePinCode(values.PinCode, user, label),
        ConfirmPinCode: firstFailure(values.ConfirmPinCode, [match(label, values.PinCode)]),
      })),
    );
}

/** Server errors that are shown inline at these fields, not as a generic error. */
export const inlineProfileFields = ['ExistingPinCode', 'UserName', 'ConfirmPinCode'] as const;

/** Ours: a signature counts against the 160 characters of a text. */
export const signatureLength = 80;

export const signatureForm = z
  .object({
    IsEnabled: flagField(),
    SignatureText: trimmedField(maxLength('Signature', signatureLength)),
  })
  .superRefine(
    failures(({ IsEnabled, SignatureText }) => ({
      SignatureText: IsEnabled ? firstFailure(SignatureText, [required('Signature')]) : undefined,
    })),
  );

/** The character limit that a user's texts start with. */
export const textSettingsForm = z.object({ DefaultSettingCharacterCount: characterCountField });
