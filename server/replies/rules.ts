import { Refusal } from '../../contract/errors.ts';
import { isInternational } from '../../contract/reference/countries.ts';
import { isMonthly } from '../../contract/states/account-status.ts';
import type { InboundWord } from '../../contract/text/inbound-word.ts';
import { lettersOf } from '../../contract/text/letters-of.ts';
import type { SurveyAnswer } from '../../contract/text/survey-answer.ts';
import {
  type AutoReplySchedule,
  autoReplyPauseMs,
  isAutoReplyOn,
} from '../../contract/time/auto-reply-schedule.ts';
import { hourMs, minuteMs } from '../../contract/time/wall-clock.ts';
import { inLanguage } from '../in-language.ts';
import { refuseUnlessCanText } from '../numbers/rules.ts';
import { weighText } from '../texts/create-texts.ts';

/**
 * The kinds of automatic replies: to a carrier's keyword, a survey's reply, a keyword's message, or the auto
 * reply.
 */
export type AnswerKind = InboundWord | 'survey' | 'keyword' | 'auto';

/** Time during which nobody gets the same kind of answer again, in the same conversation. */
export const pausesMs: Record<AnswerKind, number> = {
  auto: autoReplyPauseMs,
  keyword: minuteMs,
  // As long as these rows are kept; and a repeated answer isn't answered at all.
  survey: 48 * hourMs,
  stop: hourMs,
  unstop: hourMs,
  join: hourMs,
  help: hourMs,
};

/**
 * Answers of all kinds in one conversation, in one window: two machines that answer each other come to an
 * end.
 */
export const mostAnswers = 6;
export const answersWindowMs = 12 * hourMs;

/**
 * A text that is this late was answered by a person or not at all; an automatic reply would only confuse
 * them.
 */
export const mostLateMs = hourMs;

/** A text number with its own and its account's settings for answers. */
export interface AnsweringNumber {
  account_id: number;
  text_number_id: number;
  phone: string;
  aggregator_id: number;
  registration_status: string;
  is_blocked: boolean;
  can_text: boolean;
  is_free_trial: boolean;
  flat_rate_status: string | null;
  flat_rate_end_at: Date | null;
  /** Null: by the carrier that brought the text. */
  carrier_answers_words: boolean | null;
  company_name: string;
  country_id: number;
  type_id: number;
  time_zone: string;
  /** The account's own auto reply; null while it is off. */
  account_message: string | null;
  /** The number's own, which overrides it, also when it is off. */
  own_reply: (AutoReplySchedule & { Message: string }) | null;
}

export interface MatchedKeyword {
  keywordId: number;
  message: string;
  groupId: number | null;
}

export interface PlannedAnswer {
  kind: AnswerKind;
  /** The keyword's id; for a survey the broadcast and answer; 0 for the others. */
  sourceId: number;
  body: string;
}

/**
 * The automatic reply to a text, in order: a carrier's keyword, else a keyword, else the auto reply. The
 * first match is used.
 */
export function planAnswer(
  text: { word: InboundWord | undefined; body: string; at: Date; aggregator_id: number },
  number: AnsweringNumber,
  keyword: MatchedKeyword | undefined,
): PlannedAnswer | undefined {
  if (text.word !== undefined) {
    if (isAnsweredByCarrier(text, number)) return undefined;
    return {
      kind: text.word,
      sourceId: 0,
      body: wordAnswer(text.word, number.company_name, isSpanishWord(text.body) ? 2 : 1),
    };
  }
  if (keyword !== undefined) return { kind: 'keyword', sourceId: keyword.keywordId, body: keyword.message };
  const message = autoReplyAt(number, text.at);
  return message === undefined ? undefined : { kind: 'auto', sourceId: 0, body: message };
}

/** Yes and No of one survey are two answers, each sent once. */
export function surveySourceId(broadcastId: number, answer: SurveyAnswer): number {
  return broadcastId * 2 + (answer === 'Yes' ? 1 : 0);
}

/**
 * The words that answering carriers handle themselves. They pass on others (BAJA, "please stop texting me").
 */
const carrierWords = new Set(
  'stop stopall unsubscribe cancel end quit revoke optout start unstop help info'.split(' '),
);

/**
 * Twilio answers them unless configured otherwise; the others don't. The carrier that delivered the text
 * counts.
 */
function isAnsweredByCarrier(
  text: { body: string; aggregator_id: number },
  number: AnsweringNumber,
): boolean {
  const answers = number.carrier_answers_words ?? text.aggregator_id === 2;
  return answers && carrierWords.has(lettersOf(text.body));
}

/** Leaves room for the sentence in one text of 160 characters. */
const longestName = 40;

/** Our answer to a word. None of them is a word itself, in case the other side is a machine like this one. */
export function wordAnswer(word: InboundWord, companyName: string, languageId = 1): string {
  return inLanguage(languageId)(englishAnswer(word, companyName));
}

/** Words that Spanish speakers send; they are answered in Spanish. */
const spanishWords = new Set(
  'alto baja bajas parar pare detener detenga cancelar cancela salir terminar ayuda unirse unirme iniciar'.split(
    ' ',
  ),
);

function isSpanishWord(body: string): boolean {
  const plain = body.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return (plain.match(/\p{L}+/gu) ?? []).some((word) => spanishWords.has(word));
}

function englishAnswer(word: InboundWord, companyName: string): string {
  const name = [...companyName].slice(0, longestName).join('').trim();
  switch (word) {
    case 'stop':
      return `${name}: You have opted out and won't get any more texts. Reply UNSTOP to get them again.`;
    case 'unstop':
      return `${name}: You have opted in again. Reply HELP for help, STOP to opt out. Msg & data rates may apply.`;
    case 'join':
      return `${name}: You have joined and will get our texts. Reply HELP for help, STOP to opt out. Msg & data rates may apply.`;
    case 'help':
      return `${name}: Write back and somebody here will read it. Reply STOP to opt out. Msg & data rates may apply.`;
  }
}

/** The auto reply that is currently on: the number's own if it has one, else the account's. */
function autoReplyAt(number: AnsweringNumber, at: Date): string | undefined {
  const own = number.own_reply;
  const message =
    own === null
      ? number.account_message
      : isAutoReplyOn(own, at.getTime(), number.time_zone)
        ? own.Message
        : null;
  return message === null || message.trim() === '' ? undefined : message;
}

export function canText(number: AnsweringNumber, now: Date): boolean {
  try {
    refuseUnlessCanText(number, now);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/**
 * The words and the price of an answer, in plain characters. Monthly accounts and unlimited numbers don't pay
 * by the text.
 */
export function priceOf(
  body: string,
  number: AnsweringNumber,
): { body: string; segments: number; credits: number } {
  return weighText(
    { message: body, hasMedia: false },
    {
      international: isInternational(number.country_id),
      takesCredits: !isMonthly({ AccountTypeID: number.type_id }),
      flatRateStatus: number.flat_rate_status,
    },
  );
}
