import { expect, it } from 'vitest';
import { callingRefusals } from '../../contract/calling.ts';
import { Refusal } from '../../contract/errors.ts';
import { audioTooLong } from '../../contract/uploads/audio.ts';
import { shortAudio, silentAudio } from '../audio/rules.ts';
import { draftRefusals } from '../broadcasts/preflight/judge-draft.ts';
import { launchReason } from './launch-reason.ts';

it.each([
  draftRefusals.nobody,
  draftRefusals.adding,
  draftRefusals.tooManyADay(2100, 2000),
  callingRefusals.notYours,
  callingRefusals.noProvider,
  'Choose a Start Time within your Calling Window',
  'Enter a Caller ID',
  'Your message cannot exceed 30 seconds. The message you selected is 40 seconds long.',
  audioTooLong(121) ?? '',
  shortAudio,
  silentAudio,
  new Refusal('notEnoughCredits').message,
  new Refusal('groupSizeExceeded').message,
  new Refusal('forbidden').message,
])('says the reason in Spanish too: %s', (note) => {
  expect(launchReason(note, 2)).toMatch(/\.$/);
});

it('leaves a reason out that has no translation, whole or in part, and says it in English', () => {
  for (const note of ['The moon is full.', `${draftRefusals.nobody} The moon is full.`]) {
    expect(launchReason(note, 2)).toBe('');
    expect(launchReason(note, 1)).toBe(note);
  }
});
