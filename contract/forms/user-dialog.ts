import { z } from 'zod';
import { maxLength, minLength, required } from '../fields/basic-rules.ts';
import { email, noWhitespace, password, username } from '../fields/character-rules.ts';
import { failures, fieldErrors, flagField, onlyFields, textField, trimmedField } from '../fields/form.ts';
import { callerId, phoneField } from '../fields/phone-rules.ts';
import { firstFailure, type Rule, ruleThat, when } from '../fields/rule.ts';
import { domesticDigits, normalisePhone } from '../phone/normalise-phone.ts';
import { limits } from '../reference/limits.ts';
import { callingWindowFields, neverOpens } from './calling-window.ts';

export interface UserDialogContext {
  countryId: number;
  /** The user as saved; absent for a new one. */
  existing?: { UserName: string; Email: string };
  /** What the server said is taken while the dialog was open. */
  takenUserNames?: readonly string[];
  takenEmails?: readonly string[];
}

export const emailTaken = 'This email is already in use.';
export const userNameTaken = 'This username is already in use.';

/** "Unique unless unchanged": compared without case, as people sign in. */
function notTaken(taken: readonly string[], existing: string | undefined, message: string): Rule {
  const own = existing?.toLowerCase();
  return ruleThat((value) => {
    const text = value.toLowerCase();
    return text === own || !taken.some((name) => name.toLowerCase() === text);
  }, message);
}

export function emailRules({ existing, takenEmails = [] }: Omit<UserDialogContext, 'countryId'>): Rule[] {
  return [
    required('Email'),
    maxLength('Email', limits.emailOfUser),
    email('Email'),
    notTaken(takenEmails, existing?.Email, emailTaken),
  ];
}

export function userNameRules({
  existing,
  takenUserNames = [],
}: Omit<UserDialogContext, 'countryId'>): Rule[] {
  const rules = [
    required('Username'),
    noWhitespace('Username'),
    minLength('Username', limits.userName.min),
    maxLength('Username', limits.userName.max),
    username(),
    notTaken(takenUserNames, existing?.UserName, userNameTaken),
  ];
  // A name from before these rules stays good for as long as nobody changes it.
  return [(value) => (value !== '' && value === existing?.UserName ? undefined : firstFailure(value, rules))];
}

export function personNameRules(label: string): Rule[] {
  return [required(label), maxLength(label, limits.nameOfUser)];
}

/** The PIN code is what the user signs in with: length bounds and the characters of a password. */
export function pinCodeRules(label = 'PIN Code'): Rule[] {
  return [minLength(label, limits.pinCode.min), maxLength(label, limits.pinCode.max), password()];
}

/** It must not equal what others know of the user. */
export function guessablePinCode(pinCode: string, user: { Email: string; Phone: string; UserName: string }) {
  const text = pinCode.toLowerCase();
  if (text === '') return undefined;
  if (text === user.Email.toLowerCase()) return 'PIN Code must not be your email';
  if (text === user.UserName.toLowerCase()) return 'PIN Code must not be your username';
  const digits = normalisePhone(pinCode);
  const isPhone =
    digits !== undefined && user.Phone !== '' && domesticDigits(digits) === domesticDigits(user.Phone);
  return isPhone ? 'PIN Code must not be your phone number' : undefined;
}

export function userDialogForm(context: UserDialogContext) {
  const { countryId, existing } = context;
  return z
    .object({
      FirstName: trimmedField(...personNameRules('First Name')),
      LastName: trimmedField(...personNameRules('Last Name')),
      Email: trimmedField(...emailRules(context)),
      Phone: phoneField(countryId, required('Phone Number')),
      UserName: textField(...userNameRules(context)),
      PinCode: textField(...when(existing === undefined, required('PIN Code')), ...pinCodeRules()),
      CallerID: textField(required('Caller ID'), callerId(countryId)).transform(
        (value) => normalisePhone(value, countryId) ?? '',
      ),
      ...callingWindowFields,
      IsAccountAdmin: flagField(),
      CanCreateBroadcast: flagField(),
      CanSeeAllBroadcasts: flagField(),
      CanSeeAllRoster: flagField(),
    })
    .superRefine(
      failures((values) => ({
        startTimeText: neverOpens(values.startTimeText, values.stopTimeText),
        PinCode: guessablePinCode(values.PinCode, values),
      })),
    );
}
export type UserDialogForm = z.output<ReturnType<typeof userDialogForm>>;

/** The dialog's tabs in order. "CallerID required on tabs beyond the first." */
export const userDialogTabs = [
  { name: 'Person', fields: ['FirstName', 'LastName', 'Email', 'Phone', 'UserName', 'PinCode'] },
  {
    name: 'Calling',
    fields: ['CallerID', 'CallingWindowDays', 'startTimeText', 'stopTimeText', 'ContinueOnNextDay'],
  },
  {
    name: 'Permissions',
    fields: ['IsAccountAdmin', 'CanCreateBroadcast', 'CanSeeAllBroadcasts', 'CanSeeAllRoster'],
  },
] as const;
export type UserDialogTab = (typeof userDialogTabs)[number]['name'];

/** A tab's own errors; the dialog goes on to the next tab only when there are none. */
export function userDialogTabErrors(
  tab: UserDialogTab,
  values: unknown,
  context: UserDialogContext,
): Record<string, string> {
  const fields = userDialogTabs.find(({ name }) => name === tab)?.fields ?? [];
  return onlyFields(fieldErrors(userDialogForm(context), values), fields);
}
