import { ruleTable } from '../../testing/rule-table.ts';
import type { RegistrationOutcome, RegistrationProblem } from './registration-submission.ts';

const exists = 'A registration request already exists for this account.';

export const outcomes = ruleTable<RegistrationProblem | undefined, RegistrationOutcome>({
  about: 'Refused registration',
  file: 'contract/forms/registration/registration-submission.ts',
  rows: [
    {
      rule: 'Error type ending in registration-request-exists: "A registration request already exists for this account.", and EinError is set',
      message: exists,
      cases: [
        [
          { type: 'https://errors.example/registration-request-exists' },
          { show: 'fields', errors: { Ein: exists }, message: exists },
        ],
      ],
    },
    {
      rule: 'Network TypeError: "A network error occurred. Please try again later."',
      message: 'A network error occurred. Please try again later.',
      cases: [[undefined, { show: 'message', message: 'A network error occurred. Please try again later.' }]],
    },
    {
      rule: 'Server detail "One or more fields in the request contained an invalid value.": the user goes to an error route',
      cases: [
        [
          { detail: 'One or more fields in the request contained an invalid value.' },
          { show: 'error-route' },
        ],
      ],
    },
    {
      rule: "Server field errors are mapped to matching fields by case-insensitive name, using the first error's description",
      cases: [
        [
          { errors: { 'NewBrand.companyname': [{ description: 'Not found.' }, { description: 'Second.' }] } },
          { show: 'fields', errors: { CompanyName: 'Not found.' } },
        ],
        [
          { errors: { Website: [{ description: 'Unreachable.' }], EIN: [{ description: 'Unknown.' }] } },
          { show: 'fields', errors: { BrandWebsite: 'Unreachable.', Ein: 'Unknown.' } },
        ],
      ],
    },
    {
      rule: '"Uh oh, something went wrong. Please try again later or contact us."',
      message: 'Uh oh, something went wrong. Please try again later or contact us.',
      cases: [
        [
          { errors: { Unheard: [{ description: 'x' }] } },
          { show: 'message', message: 'Uh oh, something went wrong. Please try again later or contact us.' },
        ],
        [
          {},
          { show: 'message', message: 'Uh oh, something went wrong. Please try again later or contact us.' },
        ],
      ],
    },
  ],
});

type Reply = { Valid?: boolean; OriginalUri?: string; RedirectedUri?: string } | undefined;

export const websites = ruleTable<Reply, { website: string } | { error: string }>({
  about: 'Website validation',
  file: 'contract/forms/registration/registration-submission.ts',
  rows: [
    {
      rule: 'The server checks the URL. Failure shows "Please enter a valid website."',
      message: 'Please enter a valid website.',
      cases: [
        [{ Valid: false }, { error: 'Please enter a valid website.' }],
        [{ Valid: true, OriginalUri: 'http://a.example' }, { website: 'http://a.example' }],
        [
          { Valid: true, OriginalUri: 'http://a.example', RedirectedUri: 'https://a.example/' },
          { website: 'https://a.example/' },
        ],
        [undefined, { error: 'There was an error validating your website' }],
        [{}, { error: 'Unexpected website validation response.' }],
      ],
    },
  ],
});
