import { ruleTable } from '../testing/rule-table.ts';

export const validUser = {
  FirstName: 'Dolores',
  LastName: 'Núñez',
  Email: 'dolores@district.example',
  Phone: '(423) 555-0143',
  UserName: 'dolores.nunez',
  PinCode: 'blue-horse-7',
  TimeZone: 'America/New_York',
  CallerID: '423-555-0199',
  CallingWindowDays: ['Monday'],
  startTimeText: '9:00 AM',
  stopTimeText: '9:00 PM',
};

/** The dialog for a new user of an account in the United States. */
export const userDialog = ruleTable<Record<string, unknown>, Record<string, string>>({
  about: 'User dialog',
  file: 'contract/forms/user-dialog.ts',
  rows: [
    {
      rule: 'Email required, max 50, unique, email format',
      message: 'Use a valid Email',
      cases: [
        [{}, {}],
        [{ Email: '' }, { Email: 'Enter an Email' }],
        [{ Email: `${'x'.repeat(40)}@district.example` }, { Email: 'Email must be at most 50 characters' }],
        [{ Email: 'dolores' }, { Email: 'Use a valid Email' }],
        [{ Email: 'Taken@district.example' }, { Email: 'This email is already in use.' }],
      ],
    },
    {
      rule: 'FirstName/LastName required max 50',
      cases: [
        [{ FirstName: ' ' }, { FirstName: 'Enter a First Name' }],
        [{ LastName: '' }, { LastName: 'Enter a Last Name' }],
        [{ LastName: 'x'.repeat(51) }, { LastName: 'Last Name must be at most 50 characters' }],
      ],
    },
    {
      rule: 'Phone required (international)',
      cases: [
        [{ Phone: '' }, { Phone: 'Enter a Phone Number' }],
        [{ Phone: '555-0143' }, { Phone: 'Must be 10 digits; use only numbers' }],
      ],
    },
    {
      rule: 'CallerID required ("Enter a Caller ID") on tabs beyond the first',
      message: 'Enter a Caller ID',
      cases: [[{ CallerID: '' }, { CallerID: 'Enter a Caller ID' }]],
    },
    {
      rule: 'at least one calling day ("Select at least one Calling Day")',
      message: 'Select at least one Calling Day',
      cases: [[{ CallingWindowDays: [] }, { CallingWindowDays: 'Select at least one Calling Day' }]],
    },
    {
      rule: 'UserName required, 8-50 chars, no spaces ("Username cannot contain any spaces"), unique unless unchanged',
      message: 'Username cannot contain any spaces',
      cases: [
        [{ UserName: '' }, { UserName: 'Enter a Username' }],
        [{ UserName: 'dolores' }, { UserName: 'Username must be at least 8 characters' }],
        [{ UserName: 'x'.repeat(51) }, { UserName: 'Username must be at most 50 characters' }],
        [{ UserName: 'dolores nunez' }, { UserName: 'Username cannot contain any spaces' }],
        [{ UserName: 'dolores,nunez' }, { UserName: "Use alphanumeric characters or ._~!@#$%^&*-/+'?" }],
        [{ UserName: 'TAKEN.NAME' }, { UserName: 'This username is already in use.' }],
      ],
    },
    {
      rule: 'PIN code with length bounds and must not equal e-mail, phone or username',
      message: 'PIN Code must not contain [x]',
      cases: [
        [{ PinCode: '' }, { PinCode: 'Enter a PIN Code' }],
        [{ PinCode: '', Invite: true }, {}],
        [{ PinCode: 'short-1' }, { PinCode: 'PIN Code must be at least 8 characters' }],
        [{ PinCode: `1${'x'.repeat(128)}` }, { PinCode: 'PIN Code must be at most 128 characters' }],
        [
          { PinCode: 'no-digit-here' },
          {
            PinCode: 'Use at least one letter and number and no spaces, slashes, or quotation marks',
          },
        ],
        [
          { UserName: 'dolores.1999', PinCode: 'Dolores.1999' },
          { PinCode: 'PIN Code must not be your username' },
        ],
        [
          { Email: 'd1@district.example', PinCode: 'D1@district.example' },
          { PinCode: 'PIN Code must not be your email' },
        ],
      ],
    },
    {
      rule: 'Ours: time zone, calls at a time, retries, message length and character count are among the choices',
      cases: [
        [{ TimeZone: 'Mars/Olympus' }, { TimeZone: 'Select a time zone' }],
        [{ CallThrottle: 7 }, { CallThrottle: 'Select one of the choices' }],
        [{ Retries: 4 }, { Retries: 'Select one of the choices' }],
        [{ MaxMessageLength: 121 }, { MaxMessageLength: 'Select one of the choices' }],
        [
          { DefaultSettingCharacterCount: 161 },
          { DefaultSettingCharacterCount: 'Select one of the choices' },
        ],
        [{ Role: 'king' }, { Role: 'Select a role' }],
      ],
    },
  ],
});
