import { expect, it } from 'vitest';
import { registrationNotice } from './registration-notice.ts';

const local = { TextPhoneNumber: '4235550100', RegistrationStatus: 'Not Registered' } as const;
const tollFree = { TextPhoneNumber: '8445550100', RegistrationStatus: 'Not Registered' } as const;

it('leads owners of an unregistered number to the registration, and names a toll-free one', () => {
  expect(registrationNotice(undefined, [], false)).toBeUndefined();
  expect(registrationNotice(undefined, [local, tollFree], false)?.words).toContain('local numbers');
  expect(registrationNotice(undefined, [tollFree], false)).toMatchObject({
    title: 'Register your organization',
    words: 'Carriers limit how many texts (844) 555-0100 sends until it is registered.',
  });
  expect(registrationNotice(undefined, [tollFree], true)).toBeUndefined();
  expect(
    registrationNotice(undefined, [{ ...tollFree, RegistrationStatus: 'Registered' }], false),
  ).toBeUndefined();
});
