import type { TextNumber } from '../../contract/numbers.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { isTollFree } from '../../contract/phone/toll-free.ts';
import type { RegistrationRequest } from '../../contract/registration.ts';
import { unregisteredTollFree } from '../pieces/numbers/toll-free-state.ts';

interface RegistrationNotice {
  kind: 'error' | 'info' | 'warning';
  title: string;
  words: string;
  action: string;
  step: string;
}

/** Above the text numbers: what the organization’s registration waits for, or which number needs it. */
export function registrationNotice(
  registration: Pick<RegistrationRequest, 'status' | 'brand'> | undefined,
  numbers: readonly Pick<TextNumber, 'TextPhoneNumber' | 'RegistrationStatus'>[],
  isFreeTrial: boolean,
): RegistrationNotice | undefined {
  const isSole = registration?.brand.entityType === 'SOLE_PROPRIETOR';
  switch (registration?.status) {
    case 'Failed':
      return {
        kind: 'error',
        title: 'Your registration needs a correction',
        words: 'The registry didn’t accept it. Everything you typed is still there.',
        action: 'Correct it',
        step: 'returning-user',
      };
    case 'Processing':
      return {
        kind: 'info',
        title: 'Application Under Review',
        words: 'The registry is looking at it. Local numbers can text when it’s done.',
        action: 'See the status',
        step: 'processing',
      };
    case 'PendingContactAuthentication':
      return {
        kind: 'warning',
        title: 'The registry is waiting for you',
        words: isSole
          ? 'Answer its text to verify your phone.'
          : 'Open its email to verify your business contact.',
        action: 'See how',
        step: isSole ? 'verify-phone' : 'verify-email',
      };
    case 'Complete':
      return undefined;
    default:
      return unregisteredNotice(numbers, isFreeTrial);
  }
}

function unregisteredNotice(
  numbers: Parameters<typeof registrationNotice>[1],
  isFreeTrial: boolean,
): RegistrationNotice | undefined {
  const [tollFree] = unregisteredTollFree(numbers);
  const notice = {
    kind: 'warning' as const,
    title: 'Register your organization',
    action: 'Register',
    step: 'landing',
  };
  if (
    numbers.some(
      ({ TextPhoneNumber, RegistrationStatus }) =>
        !isTollFree(TextPhoneNumber) && RegistrationStatus === 'Not Registered',
    )
  )
    return {
      ...notice,
      words: 'Carriers deliver texts from local numbers only if they know who sends them.',
    };
  // A trial can’t register one.
  if (tollFree === undefined || isFreeTrial) return undefined;
  const phone = formatPhone(tollFree.TextPhoneNumber);
  return { ...notice, words: `Carriers limit how many texts ${phone} sends until it is registered.` };
}
