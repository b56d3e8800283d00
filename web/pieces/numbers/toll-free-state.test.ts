import { expect, it } from 'vitest';
import { tollFreeNotice, tollFreeTitle, type unregisteredTollFree } from './toll-free-state.ts';

type Number = Parameters<typeof unregisteredTollFree>[0][number];
const local: Number = { TextPhoneNumber: '4235550100', RegistrationStatus: 'Registered' };
const tollFree = (RegistrationStatus: Number['RegistrationStatus']): Number => ({
  TextPhoneNumber: '8445550100',
  RegistrationStatus,
});
const complete = { status: 'Complete' } as const;
const failed = { status: 'Failed' } as const;
const processing = { status: 'Processing' } as const;

it('offers the application once the organization is registered', () => {
  const of = { application: undefined, organization: complete, numbers: [local], isBrief: true };
  expect(tollFreeNotice(of)).toBe('apply');
  expect(tollFreeNotice({ ...of, numbers: [tollFree('Not Registered')] })).toBe('apply');
  expect(tollFreeNotice({ ...of, numbers: [tollFree('Registered')] })).toBeUndefined();
  expect(tollFreeNotice({ ...of, numbers: undefined })).toBeUndefined();
  expect(tollFreeNotice({ ...of, organization: undefined })).toBeUndefined();
  expect(tollFreeNotice({ ...of, organization: processing })).toBeUndefined();
  expect(tollFreeNotice({ ...of, organization: processing, isBrief: false })).toBe('apply');
});

it('tells where the application is, and briefly only what is left to do', () => {
  const of = { application: complete, organization: complete, numbers: [local], isBrief: true };
  expect(tollFreeNotice(of)).toBeUndefined();
  expect(tollFreeNotice({ ...of, isBrief: false })).toBe('status');
  expect(tollFreeNotice({ ...of, application: failed })).toBe('status');
  expect(tollFreeNotice({ ...of, application: processing })).toBe('status');
});

it('names an unregistered or refused toll-free number', () => {
  expect(tollFreeTitle(undefined, [local])).toBe('Do you text people in Canada?');
  expect(tollFreeTitle(undefined, [local, tollFree('Not Registered')])).toBe(
    '(844) 555-0100 isn’t registered',
  );
  expect(tollFreeTitle(failed, [tollFree('Rejected')])).toBe('The registry didn’t accept (844) 555-0100');
  expect(tollFreeTitle(failed, [])).toBe('The registry didn’t accept your toll-free number');
});
