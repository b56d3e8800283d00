import { isTollFree } from '../phone/toll-free.ts';
import { isInternational } from '../reference/countries.ts';

/** Text number registration: Not Registered, Pending, Rejected, Registered. */
const registrationStatuses = ['Not Registered', 'Pending', 'Rejected', 'Registered'] as const;
export type RegistrationStatus = (typeof registrationStatuses)[number];

/** Its id in contract/reference/countries.ts. */
const canada = 2;

export interface NumberToShow {
  RegistrationStatus: RegistrationStatus;
  TextPhoneNumber: string;
}

/**
 * The status that is shown. For Canadian toll-free, Not Registered is shown as Registration Required, and
 * Rejected as Pending (staff contacts the carrier about a refusal before the customer has to act).
 */
export function registrationStatusShown(
  { RegistrationStatus, TextPhoneNumber }: NumberToShow,
  countryId: number,
): 'Not Registered' | 'Registration Required' | 'Pending' | 'Registered' {
  if (RegistrationStatus === 'Rejected') return 'Pending';
  if (RegistrationStatus === 'Not Registered' && countryId === canada && isTollFree(TextPhoneNumber)) {
    return 'Registration Required';
  }
  return RegistrationStatus;
}

/**
 * Texting to a text number requires a registered US number unless it is toll-free. Numbers of other
 * countries need no registration. The number counts, not the account's country: carriers in the United States and Canada
 * take texts from a local number there only if it is registered, whoever has it.
 */
export function isRegisteredForTexting(
  { RegistrationStatus, TextPhoneNumber }: NumberToShow,
  countryId: number,
): boolean {
  if (!isNorthAmerican(TextPhoneNumber, countryId) || isTollFree(TextPhoneNumber)) return true;
  return RegistrationStatus === 'Registered';
}

/** Abroad, ten digits aren't one of them: Singapore's numbers have ten with their calling code. */
function isNorthAmerican(phone: string, countryId: number): boolean {
  const digits = phone.startsWith('+') ? phone.slice(1) : phone;
  if (digits.length === 11) return digits.startsWith('1');
  return phone.length === 10 && !phone.startsWith('+') && !isInternational(countryId);
}
