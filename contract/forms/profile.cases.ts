import { ruleTable } from '../testing/rule-table.ts';

export const validChange = {
  ExistingPinCode: 'old-horse-7',
  PinCode: 'blue-horse-8',
  ConfirmPinCode: 'blue-horse-8',
};

export const passwordChange = ruleTable<Record<string, string>, Record<string, string>>({
  about: 'Password change',
  file: 'contract/forms/profile.ts',
  rows: [
    {
      rule: 'A wrong existing pin code, a username already in use and a non-matching pin code are shown inline, not as a generic error',
      message: 'PIN Codes should match.',
      cases: [
        [{}, {}],
        [{ ConfirmPinCode: 'blue-horse-9' }, { ConfirmPinCode: 'PIN Codes should match.' }],
        [{ ConfirmPinCode: '' }, { ConfirmPinCode: 'Enter a PIN Code' }],
        [{ ExistingPinCode: '' }, { ExistingPinCode: 'Enter your existing PIN Code' }],
      ],
    },
    {
      rule: 'isEqualToValue: "This already matches the existing value"',
      message: 'This already matches the existing value',
      cases: [
        [
          { PinCode: 'old-horse-7', ConfirmPinCode: 'old-horse-7' },
          { PinCode: 'This already matches the existing value' },
        ],
      ],
    },
    {
      rule: 'password: "Use at least one letter and number and no spaces, slashes, or quotation marks"',
      message: 'Use at least one letter and number and no spaces, slashes, or quotation marks',
      cases: [
        [
          { PinCode: 'blue horse 8', ConfirmPinCode: 'blue horse 8' },
          { PinCode: 'Use at least one letter and number and no spaces, slashes, or quotation marks' },
        ],
        [
          { PinCode: 'dolores-1', ConfirmPinCode: 'dolores-1' },
          { PinCode: 'PIN Code must not be your username' },
        ],
      ],
    },
  ],
});
