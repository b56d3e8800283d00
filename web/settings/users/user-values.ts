import type { Member } from '../../../contract/account-users.ts';
import type { Account } from '../../../contract/accounts.ts';
import { callingWindowPayload, callingWindowValues } from '../../../contract/forms/calling-window.ts';
import type { UserDialogForm, UserDialogValues } from '../../../contract/forms/user-dialog.ts';
import { roleOf } from '../../../contract/permissions.ts';
import { formatPhone, typedPhone } from '../../../contract/phone/format-phone.ts';
import { defaults } from '../../../contract/reference/limits.ts';
import { defaultCallingWindow } from '../../../contract/time/calling-window.ts';

/** The dialog's values for a saved user, or for a new one. */
export function userValues(member: Member | undefined, account: Account, zone: string): UserDialogValues {
  const window = callingWindowValues(member ?? defaultCallingWindow);
  return {
    FirstName: member?.FirstName ?? '',
    LastName: member?.LastName ?? '',
    Email: member?.Email ?? '',
    Phone: shownPhone(member?.Phone, account),
    UserName: member?.UserName ?? '',
    Invite: member === undefined,
    PinCode: '',
    TimeZone: member?.TimeZone ?? zone,
    CallerID: shownPhone(member?.CallerID, account),
    ...window,
    CallThrottle: member?.CallThrottle ?? defaults.user.CallThrottle,
    Retries: member?.Retries ?? defaults.user.Retries,
    MaxMessageLength: member?.MaxMessageLength ?? defaults.user.MaxMessageLength,
    DefaultSettingCharacterCount:
      member?.DefaultSettingCharacterCount ?? defaults.user.DefaultSettingCharacterCount,
    TextNumbers: member?.TextNumbers ?? [],
    Role: member ? roleOf(member) : 'user',
    CanCreateBroadcast: member?.CanCreateBroadcast ?? true,
    CanSeeAllBroadcasts: member?.Permissions.CanSeeAllBroadcasts ?? false,
    CanSeeAllRoster: member?.Permissions.CanSeeAllRoster ?? false,
    CanSeeGroupAudio: member?.Permissions.CanSeeGroupAudio ?? false,
  };
}

/** As people write it; abroad as it is. */
export function shownPhone(digits: string | undefined, { CountryID }: Pick<Account, 'CountryID'>): string {
  if (!digits) return '';
  return CountryID <= 2 ? formatPhone(digits) : typedPhone(digits, CountryID);
}

/** The body of a form that passed. */
export function userBody(form: UserDialogForm) {
  const { Role, PinCode, TextNumbers, CanSeeAllBroadcasts, CanSeeAllRoster, CanSeeGroupAudio } = form;
  const { FirstName, LastName, Email, Phone, UserName, TimeZone, CallerID } = form;
  const { CallThrottle, Retries, MaxMessageLength, DefaultSettingCharacterCount, CanCreateBroadcast } = form;
  return {
    ...{ FirstName, LastName, Email, Phone, UserName, TimeZone, CallerID },
    ...{ CallThrottle, Retries, MaxMessageLength, DefaultSettingCharacterCount, CanCreateBroadcast },
    ...callingWindowPayload(form),
    IsMasterUser: Role === 'owner',
    IsAccountAdmin: Role === 'admin',
    Permissions: { CanSeeAllBroadcasts, CanSeeAllRoster, CanSeeGroupAudio },
    ...(PinCode === '' ? {} : { PinCode }),
    // Owners and admins use every number; what somebody had as a user stays for when they are one again.
    ...(Role === 'user' ? { TextNumbers } : {}),
  };
}
