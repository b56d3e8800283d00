import { expect, it } from 'vitest';
import { everyCall } from './calls.ts';
import { fieldErrors } from './fields/form.ts';
import { apiKeyForm } from './forms/api-key.ts';
import { capabilityNames } from './permissions.ts';
import {
  hasScope,
  scopeAreaNames,
  scopeChoice,
  scopeLabel,
  scopeOf,
  scopeOfCapability,
  scopes,
  tidyScopes,
} from './scopes.ts';

const scopeOfName = (wanted: string) => {
  const found = everyCall.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`there is no call ${wanted}`);
  return scopeOf(found.name, found.call);
};

it('no key can sign in, change who may sign in, manage keys, people, cards or purchases', () => {
  const never = ['auth', 'onboarding', 'factors', 'sso', 'keys'];
  const offered = everyCall.filter(({ name, call }) => scopeOf(name, call) !== undefined);
  expect(offered.filter(({ domain }) => never.includes(domain)).map(({ name }) => name)).toEqual([]);
  for (const name of [
    ...[
      'addAccountUser',
      'updateAccountUser',
      'addCreditCard',
      'getCreditCard',
      'createCharge',
      'payInvoice',
    ],
    ...[
      'cancelAccount',
      'buyLocalNumber',
      'releaseTextNumber',
      'updateUser',
      'updateAccount',
      'getSocketKey',
    ],
  ]) {
    expect([name, scopeOfName(name)]).toEqual([name, undefined]);
  }
  expect(offered.every(({ call }) => call.allow !== 'public' && !call.confirm)).toBe(true);
  expect(offered.length).toBeGreaterThan(150);
});

it('looking, changing and sending are three levels', () => {
  expect(scopeOfName('listContacts')).toBe('contacts:read');
  expect(scopeOfName('listDuplicates')).toBe('contacts:read');
  expect(scopeOfName('addContact')).toBe('contacts:write');
  expect(scopeOfName('countSegment')).toBe('contacts:read');
  expect(scopeOfName('createDraft')).toBe('broadcasts:write');
  expect(scopeOfName('previewSequenceStep')).toBe('broadcasts:read');
  expect(scopeOfName('getPreflight')).toBe('broadcasts:read');
  expect(scopeOfName('getUser')).toBe('any');
  // Whatever sends, begins or resumes sending.
  for (const name of [
    ...['createBroadcast', 'quickSend', 'sendTest', 'testCall', 'createRepeating', 'updateRepeating'],
    ...['chooseText', 'createSequence', 'addSequenceStep', 'resumeSequence'],
  ]) {
    expect([name, scopeOfName(name)]).toEqual([name, 'broadcasts:send']);
  }
  for (const name of [
    ...['createConversation', 'sendTextMessage', 'resendTextMessage', 'scheduleConversation'],
    ...['sendScheduledConversation', 'updateScheduledConversation'],
  ]) {
    expect([name, scopeOfName(name)]).toEqual([name, 'conversations:send']);
  }
});

it('a level includes those before it, in its own area only', () => {
  expect(hasScope(['contacts:write'], 'contacts:read')).toBe(true);
  expect(hasScope(['contacts:read'], 'contacts:write')).toBe(false);
  expect(hasScope(['broadcasts:send'], 'broadcasts:write')).toBe(true);
  expect(hasScope(['broadcasts:send'], 'conversations:send')).toBe(false);
  expect(hasScope([], 'contacts:read')).toBe(false);
  expect(tidyScopes(['reports:read', 'contacts:read', 'contacts:write'])).toEqual([
    'contacts:write',
    'reports:read',
  ]);
});

it('every capability is of one area at most, and every area has words', () => {
  const placed = capabilityNames.filter((name) => scopeOfCapability(name) !== undefined);
  expect(placed.length).toBeGreaterThan(30);
  expect(
    scopeAreaNames.map((area) => scopeLabel(scopes.findLast((scope) => scope.startsWith(area)) ?? '')),
  ).toEqual([
    ...['Contacts', 'Opt-ins and opt-outs', 'Inbox', 'Broadcasts', 'Message library', 'Text numbers'],
    ...['Reports, read only', 'Webhooks', 'Audit log, read only'],
  ]);
  expect(scopeLabel('broadcasts:write')).toBe('Broadcasts, no sending');
  expect(scopeChoice('conversations:send')).toBe('Inbox: See, change and send');
});

it('the form of a key judges names, scopes and addresses', () => {
  const good = {
    Name: ' Bus tracker ',
    Scopes: ['contacts:read'],
    Addresses: ['203.0.113.7', '2001:db8::/32'],
  };
  expect(apiKeyForm.parse(good)).toEqual({ ...good, Name: 'Bus tracker', ExpireTimestamp: null });
  const bad = 'Use an address such as 203.0.113.7 or a range such as 203.0.113.0/24';
  expect(
    fieldErrors(apiKeyForm, {
      Name: '',
      Scopes: [],
      Addresses: ['203.0.113.7', 'example.org', '1.2.3.4/33'],
    }),
  ).toEqual({
    Name: 'Enter a name',
    Scopes: 'Choose at least one thing that the key can do',
    'Addresses.1': bad,
    'Addresses.2': bad,
  });
  expect(Object.keys(fieldErrors(apiKeyForm, { Name: 'x', Scopes: ['billing:write'] }))).toEqual([
    'Scopes.0',
  ]);
});
