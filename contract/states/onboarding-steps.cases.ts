import { ruleTable } from '../testing/rule-table.ts';
import type { OnboardingStep } from './onboarding-steps.ts';

/** Steps as the server gives them; a completed one with a tick. */
export const onboardingCases = ruleTable<string, { visible: string; current: OnboardingStep | undefined }>({
  about: 'Onboarding steps',
  file: 'contract/states/onboarding-steps.ts',
  rows: [
    {
      rule: 'Onboarding steps (one list): welcome, terms, location, company, useCase, verifyEmail, mfa, browserNotifications, addLocalNumber, done',
      cases: [
        ['done company welcome', { visible: 'welcome company done', current: 'welcome' }],
        [
          'welcome✓ terms✓ location company',
          { visible: 'welcome✓ terms✓ location company', current: 'location' },
        ],
        ['welcome✓ done✓', { visible: 'welcome✓ done✓', current: undefined }],
      ],
    },
    {
      rule: 'The NOTIFY step is hidden until earlier steps are complete',
      cases: [
        [
          'welcome✓ mfa browserNotifications addLocalNumber',
          { visible: 'welcome✓ mfa addLocalNumber', current: 'mfa' },
        ],
        [
          'welcome✓ mfa✓ browserNotifications addLocalNumber',
          { visible: 'welcome✓ mfa✓ browserNotifications addLocalNumber', current: 'browserNotifications' },
        ],
      ],
    },
    {
      rule: 'A use-case step replaces VERIFY until submitted',
      cases: [
        ['welcome✓ useCase verifyEmail', { visible: 'welcome✓ useCase', current: 'useCase' }],
        ['welcome✓ useCase✓ verifyEmail', { visible: 'welcome✓ verifyEmail', current: 'verifyEmail' }],
        ['welcome✓ verifyEmail', { visible: 'welcome✓ verifyEmail', current: 'verifyEmail' }],
      ],
    },
  ],
});

export const termsCases = ruleTable<{ AgreedToTermsOfUse: boolean; IsTermsOfUseCurrent: boolean }, boolean>({
  about: 'Terms',
  file: 'contract/states/onboarding-steps.ts',
  rows: [
    {
      rule: 'A user must re-accept when not agreed or out of date',
      cases: [
        [{ AgreedToTermsOfUse: true, IsTermsOfUseCurrent: true }, false],
        [{ AgreedToTermsOfUse: true, IsTermsOfUseCurrent: false }, true],
        [{ AgreedToTermsOfUse: false, IsTermsOfUseCurrent: true }, true],
      ],
    },
  ],
});
