import { describe, expect, it } from 'vitest';
import type { TextNumber } from '../../../contract/numbers.ts';
import { defaultNotificationSetting } from '../../../contract/time/notification-window.ts';
import { blockedSentence, numberState, unregisteredSentence } from './number-state.ts';
import { namesOf } from './text-number-names.ts';

const nowMs = Date.parse('2026-11-15T12:00:00Z');
const office: TextNumber = {
  TextNumberID: 1,
  Name: 'Main office',
  TextPhoneNumber: '4235550100',
  Description: '',
  RegistrationStatus: 'Registered',
  IsDefault: true,
  IsBlocked: false,
  CanCreateBroadcast: true,
  CanText: true,
  FlatRateConversation: false,
  FlatRateConversationStatus: null,
  FlatRateSubscriptionEndDate: null,
  AggregatorID: 5,
  RcsAgent: null,
  ReleaseDate: null,
  Notifications: { ...defaultNotificationSetting, NotificationWindow: window() },
  BrowserNotificationsEnabled: true,
  AudioNotificationsEnabled: false,
};
function window() {
  return {
    Days: ['Monday' as const],
    StartTimeOfDay: { Hour: 9, Minute: 0 },
    StopTimeOfDay: { Hour: 17, Minute: 0 },
  };
}
const inTheUs = { CountryID: 1, IsFreeTrial: false };
const stateOf = (change: Partial<TextNumber>, account = inTheUs) =>
  numberState({ ...office, ...change }, account, nowMs);

describe('the state of a text number', () => {
  it('registered', () => {
    expect(stateOf({})).toEqual({ word: 'Registered', kind: 'good' });
  });
  it('blocked, by the carrier or by a bill that is overdue', () => {
    const blocked = { word: 'Blocked', kind: 'bad', sentence: blockedSentence };
    expect(stateOf({ IsBlocked: true, RegistrationStatus: 'Not Registered' })).toEqual(blocked);
    const overdue = { FlatRateConversationStatus: 'BillingProblem' as const };
    expect(stateOf({ ...overdue, FlatRateSubscriptionEndDate: '2026-11-01T00:00:00Z' })).toEqual(blocked);
    expect(stateOf({ ...overdue, FlatRateSubscriptionEndDate: '2026-12-01T00:00:00Z' }).kind).toBe('good');
  });
  it('kept from texting though it is registered, or needs no registration', () => {
    const blocked = { word: 'Blocked', kind: 'bad', sentence: blockedSentence };
    expect(stateOf({ CanText: false })).toEqual(blocked);
    expect(stateOf({ CanText: false, TextPhoneNumber: '8445550100' })).toEqual(blocked);
  });
  it('not registered, and a refusal is shown as pending', () => {
    expect(stateOf({ RegistrationStatus: 'Not Registered' })).toEqual({
      word: 'Not Registered',
      kind: 'bad',
      sentence: unregisteredSentence,
    });
    expect(stateOf({ RegistrationStatus: 'Rejected' })).toMatchObject({ word: 'Pending', kind: 'waiting' });
  });
  it('the number of a free trial, until the trial ends', () => {
    const free = { RegistrationStatus: 'Not Registered' as const };
    expect(stateOf(free, { ...inTheUs, IsFreeTrial: true })).toEqual({ word: 'Free trial', kind: 'good' });
    expect(stateOf({ ...free, CanText: false }).sentence).toBe(unregisteredSentence);
  });
  it('a toll-free number texts before it is registered, and says where its registration is', () => {
    const inCanada = { CountryID: 2, IsFreeTrial: false };
    const tollFree = (RegistrationStatus: TextNumber['RegistrationStatus'], account = inCanada) =>
      stateOf({ TextPhoneNumber: '8445550100', RegistrationStatus }, account);
    expect(tollFree('Not Registered')).toEqual({ word: 'Registration Required', kind: 'waiting' });
    expect(tollFree('Pending')).toEqual({ word: 'Pending', kind: 'waiting' });
    expect(tollFree('Rejected')).toEqual({ word: 'Pending', kind: 'waiting' });
    expect(tollFree('Registered')).toEqual({ word: 'Registered', kind: 'good' });
    expect(tollFree('Not Registered', inTheUs)).toEqual({ word: 'Not Registered', kind: 'waiting' });
    const trial = { CountryID: 2, IsFreeTrial: true };
    expect(tollFree('Not Registered', trial)).toEqual({ word: 'Free trial', kind: 'good' });
  });
  it('a local number of the United States has to be registered, whoever has it', () => {
    const local = { RegistrationStatus: 'Not Registered' as const, CanText: false };
    const unregistered = { kind: 'bad', sentence: unregisteredSentence };
    expect(stateOf(local, { CountryID: 2, IsFreeTrial: false })).toMatchObject(unregistered);
    const abroad = { ...local, TextPhoneNumber: '+14235550100' };
    expect(stateOf(abroad, { CountryID: 4, IsFreeTrial: false })).toMatchObject(unregistered);
  });
  it('a number abroad needs no registration', () => {
    const abroad = { TextPhoneNumber: '447911123456', RegistrationStatus: 'Not Registered' as const };
    expect(stateOf(abroad, { CountryID: 4, IsFreeTrial: false })).toEqual({ word: 'Ready', kind: 'good' });
  });
});

it('names text numbers', () => {
  const buses = { ...office, TextNumberID: 2, Name: '', TextPhoneNumber: '4235550105' };
  const numbers = [office, buses];
  expect(namesOf([], numbers)).toBe('No text number');
  expect(namesOf([2], numbers)).toBe('(423) 555-0105');
  expect(namesOf([1, 2], numbers)).toBe('Main office and (423) 555-0105');
  expect(namesOf([1, 2, 9], numbers)).toBe('Main office and 2 more');
  expect(namesOf([9], numbers)).toBe('Another text number');
});
