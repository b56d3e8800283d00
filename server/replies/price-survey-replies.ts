import type { SurveyAnswer } from '../../contract/text/survey-answer.ts';
import type { Trx } from '../db.ts';
import type { Answer, AskingText } from './answer-texts.ts';
import { findAnsweringNumbers } from './queries.ts';
import { canText, mostLateMs, priceOf, surveySourceId } from './rules.ts';

type SurveyText = AskingText & { broadcastId: number; surveyAnswer: SurveyAnswer; reply: string };

/** A survey's replies to these texts with their prices, in their order; undefined where none can go out. */
export async function priceSurveyReplies(
  trx: Trx,
  texts: SurveyText[],
  now: Date,
): Promise<(Answer | undefined)[]> {
  if (texts.length === 0) return [];
  const numbers = await findAnsweringNumbers(trx, [...new Set(texts.map((text) => text.textNumberId))]);
  return texts.map(({ textNumberId, isFromUs, at, reply, broadcastId, surveyAnswer }) => {
    const number = numbers.get(textNumberId);
    const isLate = now.getTime() - at.getTime() > mostLateMs;
    if (number === undefined || isFromUs || isLate || reply.trim() === '' || !canText(number, now))
      return undefined;
    return {
      ...{ kind: 'survey', sourceId: surveySourceId(broadcastId, surveyAnswer) },
      ...priceOf(reply, number),
      aggregatorId: number.aggregator_id,
    };
  });
}
