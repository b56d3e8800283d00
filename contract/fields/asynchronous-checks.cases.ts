import type { BroadcastType } from '../money/units.ts';
import { ruleTable } from '../testing/rule-table.ts';
import type { PhoneLookup } from './asynchronous-checks.ts';

type Case = Partial<PhoneLookup> & { channel: 'text' | 'voice'; requireOptIn?: boolean; countryId?: number };

/** Each case changes a number that can be texted and called; in the United States unless it names another country. */
export const phoneLookups = ruleTable<Case, string | undefined>({
  about: 'Phone number lookup',
  file: 'contract/fields/asynchronous-checks.ts',
  rows: [
    {
      rule: 'phone area code (failure: "This number isn\'t in the US, Puerto Rico, or Canada")',
      message: "This number isn't in the US, Puerto Rico, or Canada",
      cases: [
        [{ channel: 'text' }, undefined],
        [{ channel: 'text', IsValid: false }, "This number isn't in the US, Puerto Rico, or Canada"],
        [{ channel: 'voice', IsValid: false }, "This number isn't in the US, Puerto Rico, or Canada"],
      ],
    },
    {
      rule: 'International hint text: "Must start with [country code]; no more than N digits; use only numbers"',
      message: 'Must start with 44; no more than 12 digits; use only numbers',
      cases: [
        [
          { channel: 'text', IsValid: false, countryId: 4 },
          'Must start with 44; no more than 12 digits; use only numbers',
        ],
        [
          { channel: 'voice', IsValid: false, countryId: 3 },
          'Must start with 52; no more than 13 digits; use only numbers',
        ],
        [
          { channel: 'text', IsValid: false, countryId: 2 },
          "This number isn't in the US, Puerto Rico, or Canada",
        ],
        [{ channel: 'text', countryId: 4 }, undefined],
      ],
    },
    {
      rule: '"This number is not a textable number."',
      message: 'This number is not a textable number.',
      cases: [
        [{ channel: 'text', IsTextable: false }, 'This number is not a textable number.'],
        [{ channel: 'voice', IsTextable: false }, undefined],
      ],
    },
    {
      rule: '"This number hasn\'t opted-in to receiving texts."',
      message: "This number hasn't opted-in to receiving texts.",
      cases: [
        [
          { channel: 'text', OptedIn: false, requireOptIn: true },
          "This number hasn't opted-in to receiving texts.",
        ],
        [{ channel: 'text', OptedIn: false }, undefined],
      ],
    },
    {
      rule: '"This number has opted out of receiving texts."',
      message: 'This number has opted out of receiving texts.',
      cases: [
        [{ channel: 'text', OptedOut: true }, 'This number has opted out of receiving texts.'],
        [
          { channel: 'text', OptedOut: true, OptedIn: false, requireOptIn: true },
          'This number has opted out of receiving texts.',
        ],
      ],
    },
    {
      rule: '"This number has opted out of receiving voice calls."',
      message: 'This number has opted out of receiving voice calls.',
      cases: [
        [{ channel: 'voice', DoNotCall: true }, 'This number has opted out of receiving voice calls.'],
        [{ channel: 'text', DoNotCall: true }, undefined],
        [{ channel: 'voice', OptedOut: true }, undefined],
      ],
    },
  ],
});

type BroadcastCase = Partial<PhoneLookup> & {
  type: BroadcastType;
  requireOptIn?: boolean;
  countryId?: number;
};

/** Each case changes a number that can be texted and called. */
export const broadcastLookups = ruleTable<BroadcastCase, string | undefined>({
  about: 'Phone number of a recipient, by the type of the broadcast',
  file: 'contract/fields/asynchronous-checks.ts',
  rows: [
    {
      rule: 'Ours: a broadcast of texts needs a number that can be texted',
      cases: [
        [{ type: 'GroupSMS', IsTextable: false }, 'This number is not a textable number.'],
        [{ type: 'SMS', OptedOut: true }, 'This number has opted out of receiving texts.'],
        [
          { type: 'SMS', OptedIn: false, requireOptIn: true },
          "This number hasn't opted-in to receiving texts.",
        ],
        [{ type: 'GroupSMS', DoNotCall: true }, undefined],
      ],
    },
    {
      rule: 'Ours: a broadcast of calls needs a number that can be called',
      cases: [
        [{ type: 'Announcement', DoNotCall: true }, 'This number has opted out of receiving voice calls.'],
        [{ type: 'Announcement', IsTextable: false }, undefined],
        [{ type: 'Survey', OptedOut: true }, undefined],
        [{ type: 'Survey', OptedIn: false, requireOptIn: true }, undefined],
        [
          { type: 'Survey', IsValid: false, OptedOut: true },
          "This number isn't in the US, Puerto Rico, or Canada",
        ],
        [
          { type: 'SMSOrSurvey', IsValid: false, countryId: 4 },
          'Must start with 44; no more than 12 digits; use only numbers',
        ],
      ],
    },
    {
      rule: 'Ours: a broadcast of texts and calls needs one of both',
      cases: [
        [{ type: 'SMSOrAnnouncement', IsTextable: false }, undefined],
        [{ type: 'SMSAndSurvey', DoNotCall: true }, undefined],
        [
          { type: 'SMSAndAnnouncement', OptedOut: true, DoNotCall: true },
          'This number has opted out of receiving voice calls.',
        ],
        [
          { type: 'SMSOrSurvey', OptedIn: false, requireOptIn: true, DoNotCall: true },
          'This number has opted out of receiving voice calls.',
        ],
      ],
    },
  ],
});

export const launchIds = ruleTable<number, string | undefined>({
  about: 'Phone launch ID',
  file: 'contract/fields/asynchronous-checks.ts',
  rows: [
    {
      rule: 'GET /ivrauthorization/{id}: 403 means the id is taken, 200 means the user already owns it',
      message: 'This phone launch ID is already taken.',
      cases: [
        [403, 'This phone launch ID is already taken.'],
        [200, 'This is already your existing phone launch ID.'],
        [404, undefined],
      ],
    },
  ],
});

type Reply = [
  what: 'username' | 'email' | 'promocode',
  reply: { Success: boolean; ErrorMessage?: string | null },
];

export const validations = ruleTable<Reply, string | undefined>({
  about: 'Username, e-mail and promo code',
  file: 'contract/fields/asynchronous-checks.ts',
  rows: [
    {
      rule: 'POST validation/username, validation/email, validation/promocode; response Success and ErrorMessage',
      cases: [
        [['username', { Success: true }], undefined],
        [['username', { Success: false, ErrorMessage: 'Taken.' }], 'Taken.'],
        [['username', { Success: false }], 'There was a problem validating this username.'],
        [['email', { Success: false, ErrorMessage: null }], 'There was a problem validating this email.'],
        [['promocode', { Success: false }], 'This is not a valid promo code.'],
      ],
    },
  ],
});
