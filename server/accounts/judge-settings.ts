import type { z } from 'zod';
import type { userSettings } from '../../contract/accounts.ts';
import { Refusal } from '../../contract/errors.ts';
import { fieldErrors, onlyFields } from '../../contract/fields/form.ts';
import { firstFailure } from '../../contract/fields/rule.ts';
import {
  noTimeZone,
  ownUserNameRules,
  type UserDialogValues,
  userDialogForm,
} from '../../contract/forms/user-dialog.ts';
import { validatePhone } from '../../contract/phone/validate-phone.ts';
import { formatClockTime, parseClockTime } from '../../contract/time/clock-time.ts';
import { findZoneOfSetting } from '../../contract/time/zones.ts';
import type { UserRow } from './queries.ts';
import { timeOfDay } from './rules.ts';

type GivenSettings = { [Name in keyof typeof userSettings]?: z.output<(typeof userSettings)[Name]> } & {
  PinCode?: string | undefined;
  Invite?: boolean | undefined;
};

/** The form's names for fields that have another name in the API. */
const formNames: Readonly<Record<string, string>> = {
  StartTimeOfDay: 'startTimeText',
  StopTimeOfDay: 'stopTimeText',
  TimeZoneOffset: 'TimeZone',
  ObservesDaylightSavings: 'TimeZone',
};
const wireNames: Readonly<Record<string, string>> = {
  startTimeText: 'StartTimeOfDay',
  stopTimeText: 'StopTimeOfDay',
};

interface Judged {
  countryId: number;
  /** The saved user; undefined for a new one, where everything is validated. */
  before: UserRow | undefined;
  /** The organization’s time zone, the default for a new user. */
  timeZone: string;
  /** True when users edit their own settings: then the name may be as short as the general rule allows. */
  isOwn?: boolean;
}

/**
 * The columns that a change of settings writes, or a refusal at its fields. Only given fields are validated:
 * a name from before today's rules must not keep other settings from being saved.
 */
export function judgeSettings(given: GivenSettings, about: Judged) {
  const { before, countryId, isOwn = false } = about;
  const values = valuesOf(given, about);
  const existing = before && { UserName: before.user_name, Email: before.email };
  const form = userDialogForm({ countryId, ...(existing ? { existing } : {}) });
  const errors = fieldErrors(form, values);
  if (isOwn) {
    delete errors.UserName;
    const message = firstFailure(
      String(values.UserName ?? ''),
      ownUserNameRules(existing ? { existing } : {}),
    );
    if (message !== undefined) errors.UserName = message;
  }
  const { error } = validatePhone(given.Phone ?? '', countryId);
  if (given.Phone !== undefined && error !== undefined) errors.Phone ??= error;
  const names = Object.keys(given).map((name) => formNames[name] ?? name);
  refuseErrors(before === undefined ? errors : onlyFields(errors, names));
  return columnsOf(given, values, { countryId, isNew: before === undefined });
}

function refuseErrors(errors: Record<string, string>): void {
  const fields = Object.entries(errors).map(([field, Message]) => ({
    Field: wireNames[field] ?? field,
    Message,
  }));
  if (fields[0] !== undefined) throw new Refusal('invalid', fields[0].Message, { fields });
}

/** Values that the dialog would show: given values first, then saved ones, then the defaults of a new user. */
function valuesOf(given: GivenSettings, { before, timeZone, countryId }: Judged): UserDialogValues {
  return {
    FirstName: given.FirstName ?? before?.first_name,
    LastName: given.LastName ?? before?.last_name,
    Email: given.Email ?? before?.email,
    Phone: given.Phone ?? before?.phone,
    UserName: given.UserName ?? before?.user_name,
    PinCode: given.PinCode ?? '',
    Invite: given.Invite ?? false,
    TimeZone: zoneOf(given, countryId) ?? before?.time_zone ?? timeZone,
    CallerID: given.CallerID ?? before?.caller_id,
    CallThrottle: given.CallThrottle ?? before?.call_throttle,
    Retries: given.Retries ?? before?.retries,
    MaxMessageLength: given.MaxMessageLength ?? before?.max_message_length,
    CallingWindowDays: given.CallingWindowDays ?? before?.calling_days ?? [...everyDay],
    startTimeText: formatClockTime(given.StartTimeOfDay ?? timeOfDay(before?.calling_start ?? '09:00')),
    stopTimeText: formatClockTime(given.StopTimeOfDay ?? timeOfDay(before?.calling_stop ?? '21:00')),
    ContinueOnNextDay: given.ContinueOnNextDay ?? before?.continue_on_next_day,
    DefaultSettingCharacterCount: given.DefaultSettingCharacterCount ?? before?.default_character_count,
  };
}

const everyDay = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** A time zone by its name, or by the specification's offset with or without daylight saving. */
function zoneOf(given: GivenSettings, countryId: number): string | undefined {
  if (given.TimeZone !== undefined) return given.TimeZone;
  const { TimeZoneOffset, ObservesDaylightSavings } = given;
  if (TimeZoneOffset === undefined && ObservesDaylightSavings === undefined) return undefined;
  const zone =
    TimeZoneOffset === undefined || ObservesDaylightSavings === undefined
      ? undefined
      : findZoneOfSetting({ TimeZoneOffset, ObservesDaylightSavings }, countryId);
  if (zone !== undefined) return zone.iana;
  throw new Refusal('invalid', noTimeZone, { fields: [{ Field: 'TimeZoneOffset', Message: noTimeZone }] });
}

function columnsOf(
  given: GivenSettings,
  values: UserDialogValues,
  { countryId, isNew }: { countryId: number; isNew: boolean },
) {
  const shape = userDialogForm({ countryId }).shape;
  const isGiven = (name: keyof GivenSettings) => isNew || given[name] !== undefined;
  const hasZone = isNew || zoneOf(given, countryId) !== undefined;
  return {
    ...(isGiven('FirstName') && { first_name: shape.FirstName.parse(values.FirstName) }),
    ...(isGiven('LastName') && { last_name: shape.LastName.parse(values.LastName) }),
    ...(isGiven('Email') && { email: String(values.Email).trim() }),
    ...(isGiven('Phone') && { phone: shape.Phone.parse(values.Phone) }),
    ...(isGiven('UserName') && { user_name: String(values.UserName) }),
    ...(hasZone && { time_zone: String(values.TimeZone) }),
    ...(given.LanguageID !== undefined && { language_id: given.LanguageID }),
    ...(isGiven('CallerID') && { caller_id: shape.CallerID.parse(values.CallerID) }),
    ...(isGiven('CallThrottle') && { call_throttle: shape.CallThrottle.parse(values.CallThrottle) }),
    ...(isGiven('Retries') && { retries: shape.Retries.parse(values.Retries) }),
    ...(isGiven('MaxMessageLength') && {
      max_message_length: shape.MaxMessageLength.parse(values.MaxMessageLength),
    }),
    ...(isGiven('CallingWindowDays') && {
      calling_days: shape.CallingWindowDays.parse(values.CallingWindowDays),
    }),
    ...(isGiven('StartTimeOfDay') && { calling_start: clockColumn(values.startTimeText) }),
    ...(isGiven('StopTimeOfDay') && { calling_stop: clockColumn(values.stopTimeText) }),
    ...(isGiven('ContinueOnNextDay') && { continue_on_next_day: values.ContinueOnNextDay ?? false }),
    ...(isGiven('DefaultSettingCharacterCount') && {
      default_character_count: shape.DefaultSettingCharacterCount.parse(values.DefaultSettingCharacterCount),
    }),
  };
}

/** "5:30 PM" as stored in the column: "17:30". */
function clockColumn(text: string | null | undefined): string {
  const { Hour, Minute } = parseClockTime(text ?? '') ?? { Hour: 0, Minute: 0 };
  return `${Hour}:${String(Minute).padStart(2, '0')}`;
}
