import { Refusal, refuseField } from '../../../contract/errors.ts';
import { now } from '../../clock.ts';
import type { Trx } from '../../db.ts';
import { refuseUnlessMediaKept } from '../../media/queries.ts';
import { requireTextNumber } from '../../numbers/queries.ts';
import { refuseUnlessCanText, refuseUnlessTakesPictures } from '../../numbers/rules.ts';
import type { Actor } from '../../serve.ts';
import { createTexts } from '../../texts/create-texts.ts';
import { judgeTexts } from '../../texts/judge-texts.ts';
import { touchConversations } from './touch-conversations.ts';

export interface NewText {
  textNumberId: number;
  /** International digits without the plus. */
  phone: string;
  message: string;
  mediaIds: number[];
  includeSignature: boolean;
  keepCharacters?: boolean | undefined;
  /** The values of personalized fields; without them, the text is sent unchanged, including braces. */
  values?: Readonly<Record<string, string>>;
}

/**
 * One text from a user to a phone, in an existing thread: refused with the specification's sentence, or
 * created as createTexts does for many. The conversation shows it afterwards.
 */
export async function createText(
  trx: Trx,
  actor: Actor,
  text: NewText,
): Promise<{ messageId: number; createdAt: Date; conversationId: number }> {
  const number = await requireTextNumber(trx, actor, text.textNumberId);
  const [judged] = await judgeTexts(trx, actor, {
    drafts: [{ phone: text.phone, message: text.message, values: text.values }],
    includeSignature: text.includeSignature,
    keepCharacters: text.keepCharacters,
    hasMedia: text.mediaIds.length > 0,
    flatRateStatus: number.flat_rate_status,
    asksForLine: false,
  });
  if (judged?.fault === 'account') throw new Refusal('forbidden', judged.error);
  if (judged?.fault === 'text') throw refuseField('Message', judged.error);
  refuseUnlessCanText(number, now());
  refuseUnlessTakesPictures(number, text.mediaIds);
  if (judged === undefined || judged.fault === 'phone') throw new Refusal('refused', judged?.error);
  await refuseUnlessMediaKept(trx, actor, text.mediaIds);
  const [created] = await createTexts(
    trx,
    [
      {
        accountId: actor.accountId,
        textNumberId: text.textNumberId,
        aggregatorId: number.aggregator_id,
        phone: text.phone,
        body: judged.body,
        mediaIds: text.mediaIds,
        segments: judged.segments,
        credits: judged.credits,
        origin: 'conversation',
        userId: actor.userId,
      },
    ],
    { showIn: (texts) => touchConversations(trx, texts) },
  );
  if (created?.conversationId === undefined) throw new Error('a text was not created');
  return { ...created, conversationId: created.conversationId };
}
