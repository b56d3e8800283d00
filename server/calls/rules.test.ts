import { describe, expect, it } from 'vitest';
import type { CallFlow } from '../outside/calls.ts';
import { answerKeysOf, languageOf } from './queries.ts';
import {
  callsAgain,
  callWords,
  chargeOf,
  nextSteps,
  readCallKey,
  resultOfAttempt,
  secondsToEnd,
  stopsCalls,
  verdictIn,
  writeCallKey,
} from './rules.ts';

const survey: CallFlow = {
  kind: 'survey',
  liveUrl: 'https://muster.example/live.wav',
  voicemailUrl: 'https://muster.example/vm.wav',
  mayOptOut: true,
  answerKeys: null,
  languageId: 1,
  transfer: { to: '14235550199', callerId: '14235550100' },
  isCallback: false,
  words: '',
};
const announcement: CallFlow = { ...survey, kind: 'announcement', transfer: null };
const at = (place: string, keys = '', more = {}) => ({ at: place, keys, repeats: 0, ...more });
const said = (flow: CallFlow, moment: Parameters<typeof nextSteps>[1]) =>
  nextSteps(flow, moment).steps.map((step) => (step.do === 'say' ? step.text : step.do));

describe('the flow of a call', () => {
  it('plays the message while it listens for keys', () => {
    expect(nextSteps(survey, at('answered')).steps).toEqual([
      {
        do: 'ask',
        first: [
          { do: 'play', url: survey.liveUrl },
          { do: 'say', text: callWords.optOut },
        ],
        mostKeys: 2,
        waitSeconds: 6,
        next: 'keys',
      },
    ]);
  });

  it('marks its words with the language to read them in', () => {
    const [asked] = nextSteps({ ...survey, languageId: 2 }, at('answered')).steps;
    expect(asked).toMatchObject({
      first: [{ do: 'play' }, { do: 'say', text: callWords.optOut, languageId: 2 }],
    });
  });

  it.each([
    ['the voice that reads the message', { live_voice: 'google:es-US-Neural2-A', language_id: 1 }, 2],
    ['the built-in voices', { live_voice: 'flite:slt', language_id: 2 }, 1],
    ['the built-in voices of Spanish', { live_voice: 'flite:slt-es', language_id: 1 }, 2],
    ['the sender of a recording', { live_voice: null, language_id: 2 }, 2],
    ['the sender where a voice doesn’t say what it reads', { live_voice: 'open:nova', language_id: 2 }, 2],
    ['nobody', { live_voice: null, language_id: null }, 1],
  ])('speaks the language of %s', (_, row, language) => {
    expect(languageOf(row)).toBe(language);
  });

  it('accepts *1 to *9, and 1 to 8 for them', () => {
    for (const [keys, key] of [
      ['*1', '*1'],
      ['*9', '*9'],
      ['4', '*4'],
    ]) {
      expect(nextSteps(survey, at('keys', keys)).effects).toEqual([{ kind: 'answer', key }]);
    }
  });

  it('asks again after a key that a typed message doesn’t offer', () => {
    const typed = { ...survey, answerKeys: ['*1', '*2'] };
    expect(nextSteps(typed, at('keys', '2')).effects).toEqual([{ kind: 'answer', key: '*2' }]);
    for (const keys of ['7', '*7', '*9']) {
      const next = nextSteps(typed, at('keys', keys));
      expect(next.effects).toEqual([{ kind: 'repeat' }]);
      expect(next.steps).toMatchObject([
        { do: 'ask', first: [{ text: callWords.again }, { do: 'play' }, {}] },
      ]);
    }
    expect(said(typed, at('keys', '7', { repeats: 2 }))).toEqual([callWords.goodbye, 'hangUp']);
    // 0 and 9 keep their meaning, whatever the message says.
    expect(nextSteps(typed, at('keys', '0')).effects).toEqual([{ kind: 'takeLine' }]);
    expect(nextSteps(typed, at('keys', '9')).effects).toEqual([{ kind: 'optOut' }]);
  });

  it.each([
    ['Press 1 for yes or 2 for no.', ['*1', '*2']],
    ['Press a number between 1 and 3.', ['*1', '*2', '*3']],
    ['Press 1 if you will come. Press any other key if you won’t.', null],
    ['Will you come?', null],
    [null, null],
  ])('takes the keys that a message offers: %s', (live_text, keys) => {
    expect(answerKeysOf({ live_text })).toEqual(keys);
  });

  it('stops these calls for 9, in a survey too', () => {
    for (const flow of [survey, announcement]) {
      expect(nextSteps(flow, at('keys', '9')).effects).toEqual([{ kind: 'optOut' }]);
      expect(said(flow, at('keys', '9'))).toEqual([callWords.stopped, 'hangUp']);
    }
  });

  it('stops these calls for a 9 after another key, and connects for 0 twice', () => {
    for (const keys of ['99', '19', '09', '#9']) {
      expect(nextSteps(survey, at('keys', keys)).effects).toEqual([{ kind: 'optOut' }]);
    }
    expect(nextSteps(survey, at('keys', '*9')).effects).toEqual([{ kind: 'answer', key: '*9' }]);
    expect(nextSteps({ ...survey, answerKeys: ['*1'] }, at('keys', '*9')).effects).toEqual([
      { kind: 'repeat' },
    ]);
    expect(nextSteps(survey, at('keys', '00')).effects).toEqual([{ kind: 'takeLine' }]);
    expect(secondsToEnd(at('keys', '00'))).toBeUndefined();
  });

  it('stops these calls for a 9 at its end, and not for *9', () => {
    expect(['9', '19', '*9', '4*9', '91', ''].filter(stopsCalls)).toEqual(['9', '19']);
  });

  it('is looked at soon after its last words, and not before the next message has been played', () => {
    for (const keys of ['', '9', '*1']) expect(secondsToEnd(at('keys', keys))).toBe(6);
    expect(secondsToEnd(at('left'))).toBe(3);
    for (const moment of [at('answered'), at('voicemail'), at('keys', '0'), at('waited')]) {
      expect(secondsToEnd(moment)).toBeUndefined();
    }
  });

  it('asks a question again, three times at most; an announcement isn’t repeated', () => {
    expect(nextSteps(survey, at('keys')).effects).toEqual([{ kind: 'repeat' }]);
    expect(said(survey, at('keys', '', { repeats: 2 }))).toEqual([callWords.goodbye, 'hangUp']);
    expect(said(announcement, at('keys'))).toEqual([callWords.goodbye, 'hangUp']);
    // Without a transfer number, 0 is a wrong key.
    expect(nextSteps(announcement, at('keys', '0')).effects).toEqual([{ kind: 'repeat' }]);
  });

  it('waits for the end of a long greeting before it hangs up', () => {
    const end = nextSteps(announcement, at('keys', '', { verdictInSeconds: 14 })).steps;
    expect(end).toMatchObject([{ text: callWords.goodbye }, { do: 'pause', seconds: 14 }, { do: 'hangUp' }]);
    const row = { purpose: 'broadcast', is_callback: false, provider: 2, answered_by: null };
    const answered_at = new Date(1_000_000);
    expect(verdictIn({ ...row, answered_at }, 1_016_200)).toBe(14);
    expect(verdictIn({ ...row, answered_at }, 1_060_000)).toBe(0);
    expect(verdictIn({ ...row, answered_at, answered_by: 'human' }, 1_016_000)).toBeUndefined();
    expect(verdictIn({ ...row, answered_at, purpose: 'test' }, 1_016_000)).toBeUndefined();
    expect(verdictIn({ ...row, answered_at, provider: 5 }, 1_016_000)).toBeUndefined();
  });

  it('reserves a line for 0, tells people who find none, and lets them wait once', () => {
    expect(nextSteps(survey, at('keys', '0')).effects).toEqual([{ kind: 'takeLine' }]);
    expect(said(survey, at('keys', '0', { line: 'taken' }))).toEqual([callWords.connecting, 'dial']);
    expect(said(survey, at('keys', '0', { line: 'none' }))).toEqual([callWords.allBusy, 'pause', 'go']);
    // Counted before the wait, in which many hang up.
    expect(nextSteps(survey, at('keys', '0', { line: 'none' })).effects).toEqual([{ kind: 'abandon' }]);
    const offer = nextSteps(survey, at('waited', '', { line: 'none' }));
    expect(offer).toMatchObject({ steps: [{ do: 'ask', next: 'offered' }], effects: [{ kind: 'abandon' }] });
    expect(nextSteps(survey, at('offered', '1')).effects).toEqual([{ kind: 'callBack' }]);
    expect(nextSteps(survey, at('offered', '9')).effects).toEqual([{ kind: 'optOut' }]);
    expect(nextSteps(survey, at('offered')).effects).toEqual([]);
    expect(said(survey, at('waited', '', { line: 'taken' }))).toEqual([callWords.connecting, 'dial']);
    const bridged = at('transferred', '', { dial: { isBridged: true, seconds: 31 } });
    expect(nextSteps(survey, bridged)).toEqual({
      steps: [{ do: 'hangUp' }],
      effects: [{ kind: 'transferred', isBridged: true, seconds: 31 }],
    });
    // The transfer number is busy or doesn't answer.
    const alone = at('transferred', '', { dial: { isBridged: false, seconds: 0 } });
    expect(said(survey, alone)).toEqual([callWords.notReached, 'hangUp']);
    expect(nextSteps(survey, alone).effects).toEqual([{ kind: 'transferred', isBridged: false, seconds: 0 }]);
  });

  it('asks people who are called back for a key before it connects them', () => {
    const back = { ...survey, isCallback: true };
    expect(nextSteps(back, at('answered')).steps).toMatchObject([{ do: 'ask', next: 'calledBack' }]);
    expect(nextSteps(back, at('calledBack', '1')).effects).toEqual([{ kind: 'takeLine' }]);
    expect(said(back, at('calledBack', '1', { line: 'taken' }))).toEqual([callWords.connecting, 'dial']);
    expect(said(back, at('calledBack', '1', { line: 'none' }))).toEqual([callWords.stillBusy, 'hangUp']);
    expect(said(back, at('calledBack'))).toEqual([callWords.goodbye, 'hangUp']);
  });

  it('plays the other message to a machine, and asks once more when it has been played', () => {
    expect(nextSteps(survey, at('voicemail')).steps).toEqual([
      { do: 'play', url: survey.voicemailUrl },
      { do: 'go', next: 'left' },
    ]);
  });

  it('records, plays it back, keeps it with 1 and starts over with 2', () => {
    const record: CallFlow = { ...announcement, kind: 'record' };
    const recording = { url: 'https://twilio.example/RE1', seconds: 12 };
    expect(said(record, at('answered'))).toEqual(['pause', callWords.record, 'record']);
    expect(nextSteps(record, at('recorded', '', { recording })).effects).toEqual([
      { kind: 'recorded', url: recording.url },
    ]);
    expect(said(record, at('chosen', '2', { recording }))).toEqual([callWords.record, 'record']);
    expect(nextSteps(record, at('chosen', '1', { recording })).effects).toEqual([
      { kind: 'keep', url: recording.url },
    ]);
    expect(said(record, at('recorded', '', { recording: { ...recording, seconds: 0 } }))).toEqual([
      callWords.tooShort,
      callWords.record,
      'record',
    ]);
  });
});

describe('the result of an attempt', () => {
  const ended = {
    ...{ answeredBy: null, heardMs: 1000, voicemailMs: null, isLeft: false, endedMs: 9000 },
    ...{ isPlayed: false, isPressed: false, isDetected: true, isCanceled: false, seconds: 3 },
  } as const;
  it.each([
    [{ ...ended, end: 'completed' }, 'live_answer'],
    [{ ...ended, end: 'completed', answeredBy: 'unknown' }, 'live_answer'],
    // A machine hung up in the middle of its greeting, before it could be classified.
    [{ ...ended, end: 'completed', seconds: 7 }, 'no_answer'],
    [{ ...ended, end: 'completed', seconds: 7, isPlayed: true }, 'live_answer'],
    [{ ...ended, end: 'completed', seconds: 7, isDetected: false }, 'live_answer'],
    [{ ...ended, end: 'completed', seconds: 7, answeredBy: 'human' }, 'live_answer'],
    [{ ...ended, end: 'completed', answeredBy: 'machine', isPressed: true }, 'live_answer'],
    [{ ...ended, end: 'completed', heardMs: null }, 'call_failed'],
    // Answered after its broadcast was canceled: hung up before the message.
    [{ ...ended, end: 'completed', heardMs: null, isCanceled: true }, 'canceled'],
    [{ ...ended, end: 'completed', heardMs: null, answeredBy: 'machine', isCanceled: true }, 'canceled'],
    [{ ...ended, end: 'completed', isCanceled: true }, 'live_answer'],
    [{ ...ended, end: 'completed', answeredBy: 'machine' }, 'no_answer'],
    [{ ...ended, end: 'completed', answeredBy: 'machine', voicemailMs: 8000 }, 'no_answer'],
    [{ ...ended, end: 'completed', answeredBy: 'machine', voicemailMs: 5000 }, 'voicemail'],
    [{ ...ended, end: 'completed', answeredBy: 'machine', voicemailMs: 8999, isLeft: true }, 'voicemail'],
    [{ ...ended, end: 'completed', answeredBy: 'fax' }, 'call_failed'],
    [{ ...ended, end: 'busy' }, 'busy'],
  ] as const)('%o is %s', (attempt, result) => {
    expect(resultOfAttempt(attempt)).toBe(result);
  });

  it('is tried again after temporary failures, as often as configured, and never after a doubt', () => {
    const tries = { attempts: 1, retries: 1, isDoubt: false };
    expect(callsAgain('busy', tries)).toBe(true);
    expect(callsAgain('busy', { ...tries, attempts: 2 })).toBe(false);
    expect(callsAgain('call_failed', { ...tries, isDoubt: true })).toBe(false);
    expect(callsAgain('invalid', tries)).toBe(false);
    expect(callsAgain('live_answer', tries)).toBe(false);
  });

  it('costs by started half minutes played, and nothing if nobody was reached', () => {
    const lengths = { reserved: 2, liveMs: 29_000, voicemailMs: 31_000 };
    expect(chargeOf('live_answer', lengths)).toBe(1);
    expect(chargeOf('voicemail', lengths)).toBe(2);
    expect(chargeOf('busy', lengths)).toBe(0);
    expect(chargeOf('live_answer', { ...lengths, reserved: 0 })).toBe(0);
  });
});

it('parses the keys that it writes, and nothing else', () => {
  const key = { accountId: 7, callId: 12, attempt: 2, nonce: 99 };
  expect(readCallKey(writeCallKey(key))).toEqual(key);
  for (const text of ['', 'c1-2-3', 'x1-2-3-4', 'c1-2-3-4;drop']) expect(readCallKey(text)).toBeUndefined();
});
