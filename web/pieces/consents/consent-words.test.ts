import { describe, expect, it } from 'vitest';
import { consentHeadline, consentWording, consentWords } from './consent-words.ts';

describe('how consent came', () => {
  it.each([
    [{ Source: 'inbound', Wording: ' STOP ' }, 'Replied “STOP”'],
    [{ Source: 'inbound', Wording: '' }, 'By text from this phone'],
    [{ Source: 'user', Wording: 'Called the office', UserName: 'Dana Whitfield' }, 'By Dana Whitfield'],
    [{ Source: 'user', Wording: '' }, 'Changed manually'],
    [{ Source: 'import', Wording: '', FileName: 'parents.csv' }, 'From parents.csv'],
    [{ Source: '', Wording: '' }, ''],
    [{ Source: 'a newer way', Wording: '' }, ''],
  ])('%o is told as %s', (evidence, words) => expect(consentWords(evidence)).toBe(words));

  it('says words once', () => {
    expect(consentWording({ Source: 'inbound', Wording: 'STOP' })).toBe('');
    expect(consentWording({ Source: 'user', Wording: 'Called the office' })).toBe('Called the office');
  });

  it.each([
    ['in', 'both', 'Opted in to texts and calls'],
    ['out', 'text', 'Opted out of texts'],
    ['none', 'voice', 'Undid the last change for calls'],
  ])('%s of %s is "%s"', (state, channel, words) => expect(consentHeadline(state, channel)).toBe(words));
});
