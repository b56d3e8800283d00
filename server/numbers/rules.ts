import { Refusal } from '../../contract/errors.ts';
import { isTollFree } from '../../contract/phone/toll-free.ts';

interface Sender {
  phone: string;
  registration_status: string;
  is_blocked: boolean;
  can_text: boolean;
  is_free_trial: boolean;
  flat_rate_status: string | null;
  flat_rate_end_at: Date | null;
}

const blocked = new Refusal(
  'refused',
  "This text number is blocked. We're working to resolve this for you...",
  {
    extendedData: { Name: 'TextNumberBlocked' },
  },
);
const notRegistered = new Refusal(
  'refused',
  'This text number has to be registered before it can send texts.',
  {
    extendedData: { Name: 'TextNumberNotRegistered' },
  },
);

/**
 * Reason why a number may not text; undefined when it may: it is registered, the operator hasn't blocked it or its texts
 * (`npx muster number`), and its unlimited-conversations bill isn't overdue. Toll-free numbers needn't be registered, nor does the number of a free
 * trial: a trial can't register one and texts verified phones only (server/texts/find-barred.ts).
 */
export function findTextingProblem(number: Sender, now: Date): Refusal | undefined {
  const isOverdue =
    number.flat_rate_status === 'BillingProblem' &&
    number.flat_rate_end_at !== null &&
    number.flat_rate_end_at < now;
  if (number.is_blocked || isOverdue) return blocked;
  if (!isRegistered(number)) return notRegistered;
  return number.can_text ? undefined : blocked;
}

/** True if carriers accept texts from it, whatever else may keep it from sending. */
export function isRegistered({
  phone,
  is_free_trial,
  registration_status,
}: Pick<Sender, 'phone' | 'is_free_trial' | 'registration_status'>): boolean {
  const isDomestic = phone.startsWith('1');
  return !isDomestic || is_free_trial || isTollFree(phone) || registration_status === 'Registered';
}

export function refuseUnlessCanText(number: Sender, now: Date): void {
  const problem = findTextingProblem(number, now);
  // Created again, so that its stack shows where it was thrown.
  if (problem !== undefined)
    throw new Refusal(problem.kind, problem.message, { extendedData: problem.extendedData });
}

/** Pictures from a number whose carrier uses SMPP, which can't carry them. */
export function refuseUnlessTakesPictures(
  number: { aggregator_id: number },
  mediaIds: readonly unknown[],
): void {
  if (mediaIds.length > 0 && number.aggregator_id === 6)
    throw new Refusal('refused', 'This text number can’t send pictures: its carrier takes text only.');
}
