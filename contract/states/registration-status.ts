import { isTollFree } from '../phone/toll-free.ts';

/** Text number registration: Not Registered, Pending, Rejected, Registered. */
const registrationStatuses = ['Not Registered', 'Pending', 'Rejected', 'Registered'] as const;
export type RegistrationStatus = (typeof registrationStatuses)[number];

/** Country ids of contract/reference/countries.ts; any above Canada's is international. */
const unitedStates = 1;
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
 * countries need no registration.
 */
export function isRegisteredForTexting(
  { RegistrationStatus, TextPhoneNumber }: NumberToShow,
  countryId: number,
): boolean {
  if (isTollFree(TextPhoneNumber)) return true;
  if (countryId !== unitedStates) return true;
  return RegistrationStatus === 'Registered';
}
