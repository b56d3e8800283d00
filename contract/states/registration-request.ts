/** The text registration stepper, and a request's step in it. */
export const registrationSteps = [
  { step: 'Register to Text', header: 'Register to Send Text Messages' },
  { step: 'Email Verification', header: 'Email Verification' },
  { step: 'Phone Verification', header: 'Phone Verification' },
  { step: 'Under Review', header: 'Application Under Review' },
  { step: 'Complete', header: 'Text Registration Complete' },
] as const;
export type RegistrationStep = (typeof registrationSteps)[number]['step'];

export const registrationRequestStatuses = [
  'Complete',
  'Failed',
  'Processing',
  'PendingContactAuthentication',
] as const;
export type RegistrationRequestStatus = (typeof registrationRequestStatuses)[number];

/**
 * PendingContactAuthentication with a PUBLIC_PROFIT brand goes to Email Verification; with a SOLE_PROPRIETOR
 * brand to Phone Verification; Processing to Under Review; Complete to Complete; anything else to Register to
 * Text.
 */
export function registrationStep(
  request: { status: string; brand?: { entityType?: string } } | undefined,
): RegistrationStep {
  switch (request?.status) {
    case 'Complete':
      return 'Complete';
    case 'Processing':
      return 'Under Review';
    case 'PendingContactAuthentication':
      if (request.brand?.entityType === 'PUBLIC_PROFIT') return 'Email Verification';
      if (request.brand?.entityType === 'SOLE_PROPRIETOR') return 'Phone Verification';
      return 'Register to Text';
    default:
      return 'Register to Text';
  }
}
