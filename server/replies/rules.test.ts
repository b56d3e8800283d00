import { describe, expect, it } from 'vitest';
import { recognizeInbound } from '../../contract/text/inbound-word.ts';
import { charsetOf } from '../../contract/text/segments.ts';
import { type AnsweringNumber, planAnswer, wordAnswer } from './rules.ts';

const number: AnsweringNumber = {
  account_id: 1,
  text_number_id: 2,
  phone: '14235550100',
  aggregator_id: 5,
  registration_status: 'Registered',
  is_blocked: false,
  can_text: true,
  is_free_trial: false,
  flat_rate_status: null,
  flat_rate_end_at: null,
  carrier_answers_words: false,
  company_name: 'Harlow Creek Schools',
  country_id: 1,
  type_id: 0,
  time_zone: 'America/New_York',
  account_message: 'We are closed',
  own_reply: null,
};
/** A Sunday, eight in the morning in New York. */
const at = new Date('2026-11-15T13:00:00Z');
const keyword = { keywordId: 7, message: 'Bus 4 at eight', groupId: null };

describe('answers to keywords of carriers', () => {
  const words = ['stop', 'unstop', 'join', 'help'] as const;
  it.each(words.flatMap((word) => [1, 2].map((language) => [word, language] as const)))(
    '%s in language %i: one plain text with the name in it that is not a keyword itself',
    (word, language) => {
      const name = 'The very long name of an organization that nobody can remember at all';
      const body = wordAnswer(word, name, language);
      expect(body.includes('Responda')).toBe(language === 2);
      expect(body.length).toBeLessThanOrEqual(160);
      expect(charsetOf(body)).toBe('GSM');
      expect(body).toContain('The very long name');
      expect(recognizeInbound(body)).toBeUndefined();
    },
  );

  it('are left to a carrier that answers, for the keywords that it handles', () => {
    const answers = { ...number, carrier_answers_words: true };
    const plan = (word: 'stop' | 'unstop' | 'join' | 'help', body: string) =>
      planAnswer({ word, body, at, aggregator_id: 5 }, answers, undefined)?.kind;
    expect(plan('stop', 'Stop.')).toBeUndefined();
    expect(plan('unstop', 'START')).toBeUndefined();
    expect(plan('help', 'info')).toBeUndefined();
    expect(plan('join', 'JOIN')).toBe('join');
    expect(plan('stop', 'please stop texting me')).toBe('stop');
    expect(plan('stop', 'BAJA')).toBe('stop');
  });

  it('are Twilio’s to answer by default, by the carrier that delivered the text', () => {
    const plan = (aggregator_id: number) =>
      planAnswer(
        { word: 'stop', body: 'STOP', at, aggregator_id },
        { ...number, carrier_answers_words: null },
        undefined,
      )?.kind;
    expect([2, 5, 6].map(plan)).toEqual([undefined, 'stop', 'stop']);
  });
});

describe('the order', () => {
  const ask = (
    text: Partial<Parameters<typeof planAnswer>[0]>,
    more: Partial<AnsweringNumber> = {},
    found?: typeof keyword,
  ) =>
    planAnswer(
      { word: undefined, body: 'Hello', at, aggregator_id: 5, ...text },
      { ...number, ...more },
      found,
    );
  const own = { Active: true, AutoReplyTypeID: 1 as const, DaySchedules: null, Message: 'Out for lunch' };

  it('a carrier’s keyword comes before a keyword, a keyword before the auto reply', () => {
    expect(ask({ word: 'help' }, {}, keyword)).toMatchObject({ kind: 'help', sourceId: 0 });
    expect(ask({}, {}, keyword)).toEqual({ kind: 'keyword', sourceId: 7, body: 'Bus 4 at eight' });
    expect(ask({})).toEqual({ kind: 'auto', sourceId: 0, body: 'We are closed' });
  });

  it('a word that the carrier answers is also not answered by a keyword or the auto reply', () => {
    expect(ask({ word: 'help', body: 'HELP' }, { carrier_answers_words: true }, keyword)).toBeUndefined();
  });

  it('the number’s own auto reply overrides the account’s, also when it is Never', () => {
    expect(ask({}, { own_reply: own })?.body).toBe('Out for lunch');
    expect(ask({}, { own_reply: { ...own, Active: false } })).toBeUndefined();
    expect(ask({}, { account_message: null })).toBeUndefined();
    expect(ask({}, { account_message: '  ' })).toBeUndefined();
  });

  it('Custom uses the account’s time zone', () => {
    const schedule = {
      ...own,
      AutoReplyTypeID: 2 as const,
      DaySchedules: { Sunday: { StartTime: '8:00 AM', StopTime: '8:30 AM' } },
    };
    expect(ask({}, { own_reply: schedule })?.body).toBe('Out for lunch');
    expect(ask({ at: new Date('2026-11-15T13:30:00Z') }, { own_reply: schedule })).toBeUndefined();
    expect(ask({}, { own_reply: schedule, time_zone: 'America/Chicago' })).toBeUndefined();
  });
});
