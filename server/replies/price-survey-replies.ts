import type { SurveyAnswer } from '../../contract/text/survey-answer.ts';
import type { Trx } from '../db.ts';
import type { Answer, AskingText } from './answer-texts.ts';
import { findAnsweringNumbers } from './queries.ts';
import { canText, mostLateMs, priceOf, surveySourceId } from './rules.ts';

type SurveyText = AskingText & { broadcastId: number; surveyAnswer: SurveyAnswer; reply: string };

/** A survey's replies to these texts with their prices, if one can be sent. */
export async function priceSurveyReplies<Text extends SurveyText>(
  trx: Trx,
  texts: Text[],
  now: Date,
): Promise<Map<Text, Answer>> {
  const priced = new Map<Text, Answer>();
  if (texts.length === 0) return priced;
  const numbers = await findAnsweringNumbers(trx, [...new Set(texts.map((text) => text.textNumberId))]);
  for (const text of texts) {
    const { textNumberId, isFromUs, at, reply, broadcastId, surveyAnswer } = text;
    const number = numbers.get(textNumberId);
    const isLate = now.getTime() - at.getTime() > mostLateMs;
    if (number === undefined || isFromUs || isLate || reply.trim() === '' || !canText(number, now)) continue;
    priced.set(text, {
      ...{ kind: 'survey', sourceId: surveySourceId(broadcastId, surveyAnswer) },
      ...priceOf(reply, number),
      aggregatorId: number.aggregator_id,
    });
  }
  return priced;
}
