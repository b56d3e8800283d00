import { expect, it } from 'vitest';
import { actions, findCommands, hasWords, isAllowed, pages, readRecipient } from './commands.ts';

it('finds pages by their names first, then by other words', () => {
  const labels = (q: string) => findCommands(pages, q).map(({ label }) => label);
  expect(labels('audit')).toEqual(['Audit log']);
  expect(labels('text')[0]).toBe('Text activity');
  expect(labels('invite')).toEqual(['Users']);
  expect(labels('signature numbers')).toEqual(['Text settings']);
  expect(labels('nothing like it')).toEqual([]);
  expect(labels('biling hist')).toEqual(['Billing history']);
  expect(labels('voice setitngs')).toEqual(['Voice settings']);
  expect(labels('webhoks')).toEqual(['Webhooks']);
  expect(findCommands(actions, 'new txt').map(({ label }) => label)).toEqual([]);
  expect(findCommands(actions, 'emergancy').map(({ label }) => label)).toEqual(['Start an emergency']);
  expect(findCommands(actions, 'credits').map(({ label }) => label)).toEqual(['Buy credits']);
  expect(findCommands(actions, 'new b').map(({ label }) => label)).toEqual(['New broadcast']);
});

it('shows voice settings to those who call and to those who set up calling', () => {
  const voice = pages.find(({ label }) => label === 'Voice settings');
  const shown = (denied: object) => voice && isAllowed(voice, denied);
  expect(shown({})).toBe(true);
  expect(shown({ createVoiceBroadcast: 'no' })).toBe(true);
  expect(shown({ editVoiceSettings: 'no' })).toBe(true);
  expect(shown({ createVoiceBroadcast: 'no', editVoiceSettings: 'no' })).toBe(false);
});

it('has the words only as they are spelled', () => {
  const settings = pages.find(({ label }) => label === 'Account settings');
  expect(settings && hasWords(settings, 'quiet hours')).toBe(true);
  expect(settings && hasWords(settings, 'quiet huors')).toBe(false);
});

it.each([
  ['new broadcast to Grade 5', 'Grade 5'],
  ['Broadcast to staff', 'staff'],
  ['text to  Field trip', 'Field trip'],
  ['broadcast to ', undefined],
  ['new broadcast', undefined],
  ['how to', undefined],
])('reads whom “%s” is for', (q, recipient) => {
  expect(readRecipient(q)).toBe(recipient);
});
