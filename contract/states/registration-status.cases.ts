import { ruleTable } from '../testing/rule-table.ts';
import type { RegistrationStatus } from './registration-status.ts';

interface NumberCase {
  RegistrationStatus: RegistrationStatus;
  TextPhoneNumber: string;
  CountryID: number;
}
const one = (
  RegistrationStatus: RegistrationStatus,
  TextPhoneNumber: string,
  CountryID: number,
): NumberCase => ({
  RegistrationStatus,
  TextPhoneNumber,
  CountryID,
});

export const registrationShownCases = ruleTable<NumberCase, string>({
  about: 'Registration status of a text number, as shown',
  file: 'contract/states/registration-status.ts',
  rows: [
    {
      rule: 'Text number registration: Not Registered, Pending, Rejected, Registered',
      cases: [
        [one('Not Registered', '4235550143', 1), 'Not Registered'],
        [one('Pending', '4235550143', 1), 'Pending'],
        [one('Registered', '4235550143', 1), 'Registered'],
      ],
    },
    {
      rule: 'For Canadian toll-free, Not Registered shows as Registration Required',
      cases: [
        [one('Not Registered', '8335550143', 2), 'Registration Required'],
        [one('Not Registered', '18335550143', 2), 'Registration Required'],
        [one('Not Registered', '4165550143', 2), 'Not Registered'],
        [one('Not Registered', '8335550143', 1), 'Not Registered'],
        [one('Registered', '8335550143', 2), 'Registered'],
      ],
    },
    {
      rule: 'Rejected is shown as Pending',
      cases: [
        [one('Rejected', '4235550143', 1), 'Pending'],
        [one('Rejected', '8335550143', 2), 'Pending'],
      ],
    },
  ],
});

export const registeredForTextingCases = ruleTable<NumberCase, boolean>({
  about: 'Whether a text number may text',
  file: 'contract/states/registration-status.ts',
  rows: [
    {
      rule: 'Texting to a text number requires a registered US number unless it is toll-free (prefixes 1800, 1833, 1844, 1855, 1866, 1877, 1888)',
      cases: [
        [one('Registered', '4235550143', 1), true],
        [one('Not Registered', '4235550143', 1), false],
        [one('Pending', '4235550143', 1), false],
        [one('Rejected', '4235550143', 1), false],
        [one('Not Registered', '18005550143', 1), true],
        [one('Not Registered', '18335550143', 1), true],
        [one('Not Registered', '18445550143', 1), true],
        [one('Not Registered', '18555550143', 1), true],
        [one('Not Registered', '18665550143', 1), true],
        [one('Not Registered', '18775550143', 1), true],
        [one('Not Registered', '18885550143', 1), true],
        [one('Not Registered', '18225550143', 1), false],
      ],
    },
    {
      rule: 'Ours: numbers of other countries need no US registration',
      cases: [
        [one('Not Registered', '447911123456', 4), true],
        [one('Not Registered', '6512345678', 10), true],
      ],
    },
    {
      rule: 'Ours: the number counts, not the country of its account',
      cases: [
        [one('Not Registered', '4235550143', 2), false],
        [one('Registered', '4235550143', 2), true],
        [one('Not Registered', '4165550143', 2), false],
        [one('Not Registered', '8335550143', 2), true],
        [one('Not Registered', '+14235550143', 4), false],
        [one('Not Registered', '14235550143', 10), false],
        [one('Registered', '+14235550143', 4), true],
        [one('Not Registered', '+18335550143', 4), true],
      ],
    },
  ],
});
