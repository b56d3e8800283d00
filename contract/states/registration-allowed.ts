/** Registration-disallowed reasons, in the order in which they are given. */
export const registrationDisallowedReasons = [
  'USER_NOT_AUTHORIZED',
  'HAS_REGISTERED_NUMBER',
  'IN_REGISTRATION_GROUP',
  'NOT_PAYING_CUSTOMER',
] as const;
export type RegistrationDisallowedReason = (typeof registrationDisallowedReasons)[number];

export interface RegistrationQuestion {
  IsMasterUser: boolean;
  IsFreeTrial: boolean;
  hasRegisteredNumber: boolean;
  /** Registered together with other accounts under one brand, by staff. */
  isInRegistrationGroup: boolean;
}

/** The capability texting.createRegistrationRequest: (allowed, reasons[].type). Only owners register. */
export function createRegistrationRequest(question: RegistrationQuestion): {
  allowed: boolean;
  reasons: { type: RegistrationDisallowedReason }[];
} {
  const holds: Record<RegistrationDisallowedReason, boolean> = {
    USER_NOT_AUTHORIZED: !question.IsMasterUser,
    HAS_REGISTERED_NUMBER: question.hasRegisteredNumber,
    IN_REGISTRATION_GROUP: question.isInRegistrationGroup,
    NOT_PAYING_CUSTOMER: question.IsFreeTrial,
  };
  const reasons = registrationDisallowedReasons.filter((type) => holds[type]).map((type) => ({ type }));
  return { allowed: reasons.length === 0, reasons };
}
