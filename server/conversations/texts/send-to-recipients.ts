import { Refusal } from '../../../contract/errors.ts';
import { now } from '../../clock.ts';
import type { Trx } from '../../db.ts';
import { refuseUnlessMediaKept } from '../../media/queries.ts';
import { notify } from '../../notify.ts';
import { requireTextNumber } from '../../numbers/queries.ts';
import { refuseUnlessCanText, refuseUnlessTakesPictures } from '../../numbers/rules.ts';
import type { Actor } from '../../serve.ts';
import { createTexts } from '../../texts/create-texts.ts';
import { type JudgedText, judgeTexts } from '../../texts/judge-texts.ts';
import { type Addressee, draftTexts } from './read-recipients.ts';
import { touchConversations } from './touch-conversations.ts';

export interface NewTexts<One extends Addressee> {
  addressees: One[];
  textNumberId: number;
  message: string;
  mediaIds: number[];
  includeSignature: boolean;
  keepCharacters?: boolean | undefined;
  /** Nobody viewed the conversations: unread texts in them stay unread. */
  isUnattended?: boolean;
}

/** The result of one: a text in a conversation, or the reason why there is none. */
export interface SentTo {
  conversationId: number | null;
  messageId: number | null;
  error: string;
  /** The source of the error: the recipient, or the text. */
  fault: JudgedText['fault'];
}

/**
 * Writes to several people at once, in the given order, and returns a result for each: possible texts are
 * sent, with their credits reserved together. Refused as a whole if the account or the number can't text, a
 * picture is gone, or the credits aren't enough for all possible ones.
 */
export async function sendToRecipients<One extends Addressee>(
  trx: Trx,
  actor: Actor,
  texts: NewTexts<One>,
): Promise<(SentTo & { to: One })[]> {
  const {
    addressees,
    textNumberId,
    message,
    mediaIds,
    includeSignature,
    keepCharacters,
    isUnattended = false,
  } = texts;
  const number = await requireTextNumber(trx, actor, textNumberId);
  refuseUnlessCanText(number, now());
  refuseUnlessTakesPictures(number, mediaIds);
  await refuseUnlessMediaKept(trx, actor, mediaIds);
  const drafts = await draftTexts(trx, actor, addressees, message);
  const judged = await judgeTexts(trx, actor, {
    drafts,
    includeSignature,
    keepCharacters,
    hasMedia: mediaIds.length > 0,
    flatRateStatus: number.flat_rate_status,
    asksForLine: true,
  });
  const blocked = judged.find(({ fault }) => fault === 'account');
  if (blocked !== undefined) throw new Refusal('forbidden', blocked.error);
  const ready = judged.flatMap(({ draft, fault, body, segments, credits }) =>
    fault === undefined ? [{ to: draft.to, phone: draft.phone, body, segments, credits }] : [],
  );
  const created = await createTexts(
    trx,
    ready.map((text) => ({
      ...text,
      accountId: actor.accountId,
      textNumberId,
      aggregatorId: number.aggregator_id,
      mediaIds,
      origin: 'conversation',
      userId: actor.userId,
    })),
    {
      note: ready.length > 1 ? 'Texts in conversations' : 'Text in a conversation',
      showIn: (inserted) => touchConversations(trx, inserted, { isUnattended }),
    },
  );
  const createdFor = new Map(created.map((text) => [text.to, text]));
  await notify(trx, actor.accountId, [
    ...created.flatMap((text) =>
      text.conversationId === undefined
        ? []
        : [{ type: 'conversation.changed' as const, ConversationID: text.conversationId }],
    ),
    ...(ready.some(({ credits }) => credits > 0) ? [{ type: 'credits.changed' as const }] : []),
  ]);
  return judged.map(({ draft: { to }, fault, error }) => {
    const text = createdFor.get(to);
    return {
      to,
      conversationId: text?.conversationId ?? null,
      messageId: text?.messageId ?? null,
      error: fault === undefined ? '' : error,
      fault,
    };
  });
}
