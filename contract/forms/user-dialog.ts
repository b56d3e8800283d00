import { z } from 'zod';
import { maxLength, minLength, required } from '../fields/basic-rules.ts';
import { email, noWhitespace, password, username } from '../fields/character-rules.ts';
import { failures, fieldErrors, flagField, onlyFields, textField, trimmedField } from '../fields/form.ts';
import { callerId, phoneField } from '../fields/phone-rules.ts';
import { firstFailure, type Rule, ruleThat } from '../fields/rule.ts';
import type { Role } from '../permissions.ts';
import { domesticDigits, normalizePhone } from '../phone/normalize-phone.ts';
import { defaults, limits } from '../reference/limits.ts';
import { callThrottles, characterCounts, messageLengths, retries } from '../reference/sending-options.ts';
import { isZone } from '../time/zone-offset.ts';
import { callingWindowFields, neverOpens } from './calling-window.ts';

export interface UserDialogContext {
  countryId: number;
  /** The user as saved; absent for a new one. */
  existing?: { UserName: string; Email: string };
  /** Names that the server reported as taken while the dialog was open. */
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
  // A name from before these rules stays valid as long as nobody changes it.
  return [(value) => (value !== '' && value === existing?.UserName ? undefined : firstFailure(value, rules))];
}

/** The general rule for users who choose their own name: 4-50 characters. */
export function ownUserNameRules({
  existing,
  takenUserNames = [],
}: Omit<UserDialogContext, 'countryId'>): Rule[] {
  return [
    required('Username'),
    noWhitespace('Username'),
    maxLength('Username', limits.userName.max),
    username(),
    notTaken(takenUserNames, existing?.UserName, userNameTaken),
  ];
}

export function personNameRules(label: string): Rule[] {
  return [required(label), maxLength(label, limits.nameOfUser)];
}

/** The PIN code is the user's password: it has length bounds and the characters of a password. */
export function pinCodeRules(label = 'PIN Code'): Rule[] {
  return [minLength(label, limits.pinCode.min), maxLength(label, limits.pinCode.max), password()];
}

/** It must not equal what others know of the user. */
export function guessablePinCode(
  pinCode: string,
  user: { Email: string; Phone: string; UserName: string },
  label = 'PIN Code',
) {
  const text = pinCode.toLowerCase();
  if (text === '') return undefined;
  if (text === user.Email.toLowerCase()) return `${label} must not be your email`;
  if (text === user.UserName.toLowerCase()) return `${label} must not be your username`;
  const digits = normalizePhone(pinCode);
  const isPhone =
    digits !== undefined && user.Phone !== '' && domesticDigits(digits) === domesticDigits(user.Phone);
  return isPhone ? `${label} must not be your phone number` : undefined;
}

export const noTimeZone = 'Select a time zone';

/** One of the numbers that a menu offers; absent is what a new user begins with. */
function numberOf<Offered extends number>(offered: readonly Offered[], usual: Offered) {
  const message = 'Select one of the choices';
  return z
    .number({ error: message })
    .nullish()
    .transform((value, context): Offered => {
      const found = offered.find((one) => one === (value ?? usual));
      if (found !== undefined) return found;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    });
}

/** The roles, from the least to the most powerful. */
export const userRoles: readonly Role[] = ['user', 'admin', 'owner'];

export const callingOptionFields = {
  CallThrottle: numberOf(callThrottles, defaults.user.CallThrottle),
  Retries: numberOf(
    retries.map(({ value }) => value),
    defaults.user.Retries,
  ),
  MaxMessageLength: numberOf(messageLengths, defaults.user.MaxMessageLength),
};

export const characterCountField = numberOf(characterCounts, defaults.user.DefaultSettingCharacterCount);

export function callerIdField(countryId: number) {
  return textField(required('Caller ID'), callerId(countryId)).transform(
    (value) => normalizePhone(value, countryId) ?? '',
  );
}

export function timeZoneField() {
  return textField(
    required('Time Zone', noTimeZone),
    ruleThat((zone) => isZone(zone), noTimeZone),
  );
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
      /** Ours: a mail with a link to a page where they choose it themselves. */
      Invite: flagField(),
      PinCode: textField(...pinCodeRules()),
      TimeZone: timeZoneField(),
      CallerID: callerIdField(countryId),
      ...callingWindowFields,
      ...callingOptionFields,
      DefaultSettingCharacterCount: characterCountField,
      TextNumbers: z
        .array(z.int())
        .max(1000)
        .nullish()
        .transform((ids) => ids ?? []),
      Role: z
        .enum(['owner', 'admin', 'user'], { error: 'Select a role' })
        .nullish()
        .transform((role) => role ?? 'user'),
      CanCreateBroadcast: flagField(),
      CanSeeAllBroadcasts: flagField(),
      CanSeeAllRoster: flagField(),
      CanSeeGroupAudio: flagField(),
    })
    .superRefine(
      failures((values) => ({
        startTimeText: neverOpens(values.startTimeText, values.stopTimeText),
        PinCode:
          existing === undefined && !values.Invite && values.PinCode === ''
            ? required('PIN Code')('')
            : guessablePinCode(values.PinCode, values),
      })),
    );
}
export type UserDialogForm = z.output<ReturnType<typeof userDialogForm>>;
export type UserDialogValues = z.input<ReturnType<typeof userDialogForm>>;

/** The dialog's tabs in order. "CallerID required on tabs beyond the first." */
export const userDialogTabs = [
  {
    name: 'Details',
    fields: ['FirstName', 'LastName', 'Email', 'Phone', 'UserName', 'Invite', 'PinCode', 'TimeZone'],
  },
  {
    name: 'Calling',
    fields: [
      'CallerID',
      'CallThrottle',
      'CallingWindowDays',
      'startTimeText',
      'stopTimeText',
      'ContinueOnNextDay',
      'Retries',
      'MaxMessageLength',
    ],
  },
  { name: 'Texting', fields: ['TextNumbers', 'DefaultSettingCharacterCount'] },
  {
    name: 'Permissions',
    fields: ['Role', 'CanCreateBroadcast', 'CanSeeAllBroadcasts', 'CanSeeAllRoster', 'CanSeeGroupAudio'],
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
