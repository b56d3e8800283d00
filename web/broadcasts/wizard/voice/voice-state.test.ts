import { describe, expect, test } from 'vitest';
import type { DraftBroadcast } from '../../../../contract/drafts.ts';
import { newDraft } from '../draft-state.ts';
import { chosenVoice, costlySilence, creditsPerCall, lengthProblem, wordsProblem } from './voice-state.ts';

const audio = (Length: number) => ({
  AudioID: 7,
  Name: 'Bus',
  Length,
  Uri: '',
  PlayUri: '',
  Peaks: [],
  Text: null,
});
const draftOf = (by: Partial<DraftBroadcast>): DraftBroadcast => ({
  ...newDraft,
  BroadcastType: 'Announcement',
  ...by,
});

describe('the messages of a call', () => {
  test('"Voice option required for both live answer and voicemail."', () => {
    const draft = draftOf({ Audio: audio(20), RecordLaterVM: true });
    expect(chosenVoice(draft, 'Audio')).toBe('audio');
    expect(chosenVoice(draft, 'AudioVM')).toBe('record later');
    expect(chosenVoice(draftOf({}), 'Audio')).toBe('none');
  });

  test('two minutes at most, and no more than this broadcast allows', () => {
    expect(lengthProblem(draftOf({ Audio: audio(120.4), MaxMessageLength: 120 }), 'Audio')).toBe(
      'Your message cannot exceed 2 minutes. The message you selected is 121 seconds long.',
    );
    expect(lengthProblem(draftOf({ Audio: audio(60), MaxMessageLength: 60 }), 'Audio')).toBeUndefined();
    expect(lengthProblem(draftOf({ AudioVM: audio(61), MaxMessageLength: 60 }), 'AudioVM')).toContain(
      'up to 60 seconds',
    );
    expect(lengthProblem(draftOf({ Audio: audio(200), RecordLater: true }), 'Audio')).toBeUndefined();
  });

  test('a typed survey names its keys, and a transfer tells people to press 0', () => {
    const typed = (Text: string | null, by: Partial<DraftBroadcast> = {}) =>
      wordsProblem(draftOf({ BroadcastType: 'Survey', Audio: { ...audio(20), Text }, ...by }));
    expect(typed('Will you come on May 4, 2026 at 6 pm?')).toBe(
      'Survey messages must include the question and possible answers.',
    );
    expect(typed('Will you come? For yes, press 1.')).toBeUndefined();
    expect(typed('Will you come? For yes, press 1.', { IsTransfer: true })).toBe(
      'Transfer messages must tell recipients to press 0.',
    );
    // We can't check the words of a recording, and one that is recorded later doesn't exist yet.
    expect(typed(null)).toBeUndefined();
    expect(typed('Will you come?', { RecordLater: true })).toBeUndefined();
    expect(typed('We are closed.', { BroadcastType: 'Announcement' })).toBeUndefined();
  });

  test('a call costs as much as the more expensive message; silence that costs a credit is found', () => {
    expect(creditsPerCall(draftOf({ Audio: audio(27), AudioVM: audio(33) }))).toEqual({ least: 1, most: 2 });
    expect(creditsPerCall(draftOf({}))).toEqual({ least: 1, most: 1 });
    // One that is recorded later may take all that is allowed.
    const later = draftOf({ Audio: audio(27), RecordLaterVM: true, MaxMessageLength: 120 });
    expect(creditsPerCall(later)).toEqual({ least: 1, most: 4 });
    const silent = { Length: 33, SilenceBefore: 0.5, SilenceAfter: 3.5, SilenceCut: false };
    expect(costlySilence(silent)).toEqual({ seconds: 4, saved: 1 });
    expect(costlySilence({ ...silent, Length: 28 })).toBeUndefined();
    expect(costlySilence({ ...silent, SilenceCut: true })).toBeUndefined();
  });
});
