import { Refusal } from '../../contract/errors.ts';
import { isTollFree } from '../../contract/phone/toll-free.ts';

interface Sender {
  phone: string;
  registration_status: string;
  is_blocked: boolean;
  can_text: boolean;
  flat_rate_status: string | null;
  flat_rate_end_at: Date | null;
}

/**
 * A number may text when it is registered (toll-free ones needn't be), not blocked, and its
 * unlimited-conversations bill isn't overdue.
 */
export function refuseUnlessCanText(number: Sender, now: Date): void {
  const isOverdue =
    number.flat_rate_status === 'BillingProblem' &&
    number.flat_rate_end_at !== null &&
    number.flat_rate_end_at < now;
  if (number.is_blocked || isOverdue) {
    throw new Refusal('refused', "This text number is blocked. We're working to resolve this for you...", {
      extendedData: { Name: 'TextNumberBlocked' },
    });
  }
  const isDomestic = number.phone.startsWith('1');
  const isRegistered = !isDomestic || isTollFree(number.phone) || number.registration_status === 'Registered';
  if (!number.can_text || !isRegistered) {
    throw new Refusal('refused', 'This text number has to be registered before it can send texts.', {
      extendedData: { Name: 'TextNumberNotRegistered' },
    });
  }
}
