import type { TextNumber } from '../../../contract/numbers.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { isTollFree } from '../../../contract/phone/toll-free.ts';
import type { RegistrationRequest } from '../../../contract/registration.ts';

type Request = Pick<RegistrationRequest, 'status'>;
type Number = Pick<TextNumber, 'TextPhoneNumber' | 'RegistrationStatus'>;

/** Toll-free numbers that nobody is registering. */
export function unregisteredTollFree<N extends Number>(numbers: readonly N[]): N[] {
  return numbers.filter(
    ({ TextPhoneNumber, RegistrationStatus }) =>
      isTollFree(TextPhoneNumber) &&
      (RegistrationStatus === 'Not Registered' || RegistrationStatus === 'Rejected'),
  );
}

/**
 * Decides whether to offer an application for a toll-free number or to show its progress. The application uses the
 * answers of the organization’s. A brief one leaves out what is done, and is offered when the organization is
 * registered.
 */
export function tollFreeNotice(of: {
  application: Request | undefined;
  organization: Request | undefined;
  numbers: readonly Number[] | undefined;
  isBrief: boolean;
}): 'apply' | 'status' | undefined {
  const { application, organization, numbers, isBrief } = of;
  if (application) return isBrief && application.status === 'Complete' ? undefined : 'status';
  if (organization === undefined || numbers === undefined) return undefined;
  if (isBrief && organization.status !== 'Complete') return undefined;
  // A number from before registrations were kept here has no application.
  const isRegistered = numbers.some(
    ({ TextPhoneNumber, RegistrationStatus }) =>
      isTollFree(TextPhoneNumber) && RegistrationStatus === 'Registered',
  );
  return isRegistered ? undefined : 'apply';
}

/** Names the number that it is about. */
export function tollFreeTitle(application: Request | undefined, numbers: readonly Number[]): string {
  const [number] = unregisteredTollFree(numbers);
  const phone = number && formatPhone(number.TextPhoneNumber);
  if (application?.status === 'Failed')
    return phone === undefined
      ? 'The registry didn’t accept your toll-free number'
      : `The registry didn’t accept ${phone}`;
  return phone === undefined ? 'Do you text people in Canada?' : `${phone} isn’t registered`;
}
