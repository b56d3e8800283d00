import { ruleTable } from '../testing/rule-table.ts';
import type { FailedReply } from './error-catalog.ts';
import type { SalesTaxError } from './error-codes.ts';

export const phoneHints = ruleTable<number, string>({
  about: 'Phone hint by CountryID',
  file: 'contract/reference/countries.ts',
  rows: [
    {
      rule: 'International hint text: "Must start with [country code]; no more than N digits; use only numbers"; default "Must be 10 digits; use only numbers"',
      cases: [
        [1, 'Must be 10 digits; use only numbers'],
        [2, 'Must be 10 digits; use only numbers'],
        [3, 'Must start with 52; no more than 13 digits; use only numbers'],
        [4, 'Must start with 44; no more than 12 digits; use only numbers'],
        [5, 'Must start with 49; no more than 13 digits; use only numbers'],
        [6, 'Must start with 48; no more than 12 digits; use only numbers'],
        [7, 'Must start with 63; no more than 12 digits; use only numbers'],
        [8, 'Must start with 421; no more than 12 digits; use only numbers'],
        [9, 'Must start with 61; no more than 11 digits; use only numbers'],
        [10, 'Must start with 65; no more than 10 digits; use only numbers'],
        [11, 'Must start with 33; no more than 11 digits; use only numbers'],
        [12, 'Must start with 39; no more than 13 digits; use only numbers'],
        [13, 'Must start with 34; no more than 11 digits; use only numbers'],
        [14, 'Must start with 43; no more than 14 digits; use only numbers'],
        [15, 'Must start with 420; no more than 15 digits; use only numbers'],
        [16, 'Must start with 353; no more than 12 digits; use only numbers'],
        [21, 'Must start with 971; no more than 12 digits; use only numbers'],
        [22, 'Must start with 20; no more than 12 digits; use only numbers'],
        [23, 'Must start with 966; no more than 12 digits; use only numbers'],
        [24, 'Must start with 31; no more than 9 digits; use only numbers'],
        [25, 'Must start with 32; no more than 11 digits; use only numbers'],
        [26, 'Must start with 82; no more than 12 digits; use only numbers'],
        [27, 'Must start with 90; no more than 12 digits; use only numbers'],
        [17, 'Must be 10 digits; use only numbers'],
      ],
    },
  ],
});

export const stateNames = ruleTable<string, string | undefined>({
  about: 'States, territories and provinces',
  file: 'contract/reference/states.ts',
  rows: [
    {
      rule: 'All US states, territories and Canadian provinces are selectable',
      cases: [
        ['tn', 'TN'],
        ['New York', 'NY'],
        ['Québec', 'QC'],
        ['quebec', 'QC'],
        ['Puerto Rico', 'PR'],
        ['Virgin Islands', 'VI'],
        ['Washington, D.C.', 'DC'],
        ['CA', 'CA'],
        ['Bavaria', undefined],
        ['', undefined],
      ],
    },
  ],
});

export const pageSizes = ruleTable<string, number>({
  about: 'Page size by list',
  file: 'contract/reference/paging.ts',
  rows: [
    {
      rule: 'pagesize 10 (5 for auto-replies, billing contacts, integration contacts, conversation broadcasts; 2000 groups; 1000 unread notifications and merges; 100 invoices; 15 conversations; 50 text messages)',
      cases: [
        ['broadcasts', 10],
        ['autoReplies', 5],
        ['billingContacts', 5],
        ['integrationContacts', 5],
        ['conversationBroadcasts', 5],
        ['groups', 2000],
        ['unreadNotifications', 1000],
        ['merges', 1000],
        ['invoices', 100],
        ['conversations', 15],
        ['textMessages', 50],
        ['constructor', 10],
      ],
    },
  ],
});

export const contactPages = ruleTable<number, number>({
  about: 'Contact add page size by number selected',
  file: 'contract/reference/paging.ts',
  rows: [
    {
      rule: '50 if none selected, 10 if under 10, 25 if under 25, else 50',
      cases: [
        [0, 50],
        [1, 10],
        [9, 10],
        [10, 25],
        [24, 25],
        [25, 50],
      ],
    },
  ],
});

export const mfaErrors = ruleTable<number | undefined, string>({
  about: 'MFA errors',
  file: 'contract/reference/error-codes.ts',
  rows: [
    {
      rule: 'MFA send errors: 1003 do-not-call, 1006 invalid, 1007 not supported, 1008 blocked, 1009 not textable, 1010 max send attempts reached. MFA verify: 1012 code incorrect',
      cases: [
        [1003, 'This number is on the do-not-call list, so we can’t send it a code.'],
        [1006, 'This number is invalid. Check it and try again.'],
        [1007, 'This kind of number is not supported. Use a mobile number.'],
        [1008, 'This number is blocked, so we can’t send it a code.'],
        [1009, 'This number is not textable. Use a number that can receive texts.'],
        [1010, 'You have reached the maximum number of codes. Please try again later.'],
        [1012, 'The code is incorrect. Check it and try again.'],
        [undefined, 'There was an error verifying your phone number.'],
      ],
    },
  ],
});

export const salesTax = ruleTable<[SalesTaxError, { hasMaskedCard: boolean }], string | undefined>({
  about: 'Sales tax errors',
  file: 'contract/reference/error-codes.ts',
  rows: [
    {
      rule: 'malformed request; zip not found; city not found; invalid; service failure',
      cases: [
        [['MalformedRequest', { hasMaskedCard: false }], "We weren't able to verify your billing address."],
        [
          ['ZipNotFound', { hasMaskedCard: false }],
          "We weren't able to verify your billing address. ZIP Code not found in State.",
        ],
        [
          ['CityNotFound', { hasMaskedCard: true }],
          "We weren't able to verify your billing address. City not found in State.",
        ],
        [['Invalid', { hasMaskedCard: false }], 'Address is not valid. Please correct your billing address'],
        [['ServiceFailure', { hasMaskedCard: false }], 'Cannot calculate sales tax at this time.'],
      ],
    },
    {
      rule: 'incomplete "We only have a partial billing address on file. Please enter your full billing address below." (hidden when a masked card is on file)',
      cases: [
        [
          ['Incomplete', { hasMaskedCard: false }],
          'We only have a partial billing address on file. Please enter your full billing address below.',
        ],
        [['Incomplete', { hasMaskedCard: true }], undefined],
      ],
    },
  ],
});

export const cardErrors = ruleTable<string, string>({
  about: 'Payment errors',
  file: 'contract/reference/error-codes.ts',
  rows: [
    {
      rule: 'a payment error containing "03 Invalid Merchant ID" is replaced',
      cases: [
        [
          'Declined: 03 Invalid Merchant ID',
          'There was a problem with your card. In most cases, this means you are using a P card that has new or existing purchase restrictions. Please try a different card or contact the cardholder.',
        ],
        ['Your card was declined.', 'Your card was declined.'],
      ],
    },
  ],
});

export const productErrors = ruleTable<[status: number, code: number | undefined], boolean>({
  about: 'Product-level errors',
  file: 'contract/reference/error-codes.ts',
  rows: [
    {
      rule: 'Product-level means status 500 with ErrorCode 4000-4003',
      cases: [
        [[500, 4000], true],
        [[500, 4003], true],
        [[500, 4004], false],
        [[500, 3999], false],
        [[400, 4000], false],
        [[500, undefined], false],
      ],
    },
  ],
});

export const createBroadcastErrors = ruleTable<FailedReply, unknown>({
  about: 'Creating a broadcast fails',
  file: 'contract/reference/error-catalog.ts',
  rows: [
    {
      rule: 'Network failure: "An unknown network error occurred. Please verify that you have an internet connection and try again."',
      cases: [
        [
          {},
          {
            show: 'message',
            message:
              'An unknown network error occurred. Please verify that you have an internet connection and try again.',
          },
        ],
      ],
    },
    {
      rule: 'Status 504: "The connection timed out. However, the broadcast may have been created successfully. Please check the home page before trying again."',
      cases: [
        [
          { status: 504 },
          {
            show: 'message',
            message:
              'The connection timed out. However, the broadcast may have been created successfully. Please check the home page before trying again.',
          },
        ],
      ],
    },
    {
      rule: 'Blocked text number error name: "This text number is blocked. We\'re working to resolve this for you..." with a help link',
      cases: [
        [
          { status: 422, name: 'TextNumberBlocked' },
          {
            show: 'blocked-number',
            message: "This text number is blocked. We're working to resolve this for you...",
          },
        ],
      ],
    },
    {
      rule: 'Code 4100 opens the more-credits dialog. Otherwise the server Message is shown',
      cases: [
        [{ status: 402, body: { ErrorCode: 4100, Message: 'x' } }, { show: 'more-credits' }],
        [
          { status: 400, body: { Message: 'Too late.' } },
          { show: 'message', message: 'Too late.' },
        ],
        [{ status: 500 }, { show: 'message', message: 'There was an error creating your broadcast' }],
        [
          { status: 500, body: { ErrorCode: 500, ErrorType: 'Unknown', Message: 'Unknown error' } },
          { show: 'message', message: 'There was an error creating your broadcast' },
        ],
      ],
    },
  ],
});

export const sendErrors = ruleTable<FailedReply, string>({
  about: 'Sending a message fails',
  file: 'contract/reference/error-catalog.ts',
  rows: [
    {
      rule: 'Server "Internal Server Error" becomes "Something went wrong when sending your message"; "There was an error sending your message." (uses ExtendedData if present)',
      cases: [
        [
          { status: 500, body: { Message: 'Internal Server Error' } },
          'Something went wrong when sending your message',
        ],
        [{ status: 400, body: { ExtendedData: 'The number is blocked.' } }, 'The number is blocked.'],
        [{ status: 400, body: { ErrorType: 'Display', Message: 'Opted out.' } }, 'Opted out.'],
        [
          { status: 400, body: { ErrorType: 'Unknown', Message: 'x' } },
          'There was an error sending your message.',
        ],
        [{}, 'There was an error sending your message.'],
      ],
    },
  ],
});

export const invoicePreviews = ruleTable<string | undefined, string>({
  about: 'Invoice preview fails',
  file: 'contract/reference/error-catalog.ts',
  rows: [
    {
      rule: 'when the server says invoice address ID 0 is missing: "Please add an invoice billing address."',
      cases: [
        ['Invoice address ID 0 was not found.', 'Please add an invoice billing address.'],
        [
          'Invoice address ID 10 was not found.',
          'There was an error getting the preview for the invoice. Try again.',
        ],
        [undefined, 'There was an error getting the preview for the invoice. Try again.'],
      ],
    },
  ],
});

export const tabTitles = ruleTable<number, string>({
  about: 'Tab title',
  file: 'contract/reference/limits.ts',
  rows: [
    {
      rule: 'Tab title shows unread count as (n) or (999+)',
      cases: [
        [0, 'Inbox'],
        [7, '(7) Inbox'],
        [999, '(999) Inbox'],
        [1000, '(999+) Inbox'],
      ],
    },
  ],
});
