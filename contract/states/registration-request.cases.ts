import { ruleTable } from '../testing/rule-table.ts';
import type { RegistrationStep } from './registration-request.ts';

export const registrationStepCases = ruleTable<
  { status: string; entityType?: string } | undefined,
  RegistrationStep
>({
  about: 'Registration request to step',
  file: 'contract/states/registration-request.ts',
  rows: [
    {
      rule: 'PendingContactAuthentication with a PUBLIC_PROFIT brand goes to Email Verification',
      cases: [
        [{ status: 'PendingContactAuthentication', entityType: 'PUBLIC_PROFIT' }, 'Email Verification'],
      ],
    },
    {
      rule: 'With a SOLE_PROPRIETOR brand to Phone Verification',
      cases: [
        [{ status: 'PendingContactAuthentication', entityType: 'SOLE_PROPRIETOR' }, 'Phone Verification'],
      ],
    },
    { rule: 'Processing to Under Review', cases: [[{ status: 'Processing' }, 'Under Review']] },
    {
      rule: 'Complete to Complete',
      cases: [[{ status: 'Complete', entityType: 'SOLE_PROPRIETOR' }, 'Complete']],
    },
    {
      rule: 'Anything else to Register to Text',
      cases: [
        [{ status: 'Failed' }, 'Register to Text'],
        [{ status: 'PendingContactAuthentication', entityType: 'NON_PROFIT' }, 'Register to Text'],
        [{ status: 'PendingContactAuthentication' }, 'Register to Text'],
        [undefined, 'Register to Text'],
      ],
    },
  ],
});
