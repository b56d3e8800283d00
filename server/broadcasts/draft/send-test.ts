import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import type { sendTest as definition } from '../../../contract/drafts.ts';
import { Refusal, refuseField } from '../../../contract/errors.ts';
import { composeMessages } from '../../../contract/forms/compose-text.ts';
import { domesticDigits } from '../../../contract/phone/normalize-phone.ts';
import { validatePhone } from '../../../contract/phone/validate-phone.ts';
import { mergeValues } from '../../../contract/text/merge-fields.ts';
import { textToSend } from '../../../contract/text/normalize-text.ts';
import { now } from '../../clock.ts';
import { getPlace } from '../../consents/queries.ts';
import type { Trx } from '../../db.ts';
import { refuseUnlessMediaKept } from '../../media/queries.ts';
import { notify } from '../../notify.ts';
import { requireTextNumber } from '../../numbers/queries.ts';
import { refuseUnlessCanText } from '../../numbers/rules.ts';
import type { Actor } from '../../serve.ts';
import { createTexts } from '../../texts/create-texts.ts';
import { judgeTexts } from '../../texts/judge-texts.ts';
import { readMergeRecipients } from './merge-recipients.ts';
import { requireDraft } from './queries.ts';
import { readSending, type Sending } from './read-sending.ts';

/** Sends the text once to the user's own phone, as the given or the first recipient gets it. */
export async function sendTest(trx: Trx, actor: Actor, { params, body }: Input<typeof definition>) {
  await requireDraft(trx, actor, params.DraftBroadcastID);
  const sending = await readSending(trx, actor.accountId, params.DraftBroadcastID);
  if (sending.text_number_id === null) throw refuseField('TextNumberID', composeMessages.noTextNumber);
  const number = await requireTextNumber(trx, actor, sending.text_number_id);
  refuseUnlessCanText(number, now());
  await refuseUnlessMediaKept(trx, actor, sending.media_ids);
  const phone = await requireOwnPhone(trx, actor, body.PhoneNumber);
  const text = await judgeTest(trx, actor, body.Text === 'Second' ? withSecond(sending) : sending, {
    ...number,
    to: phone,
    recipientId: body.RecipientID,
  });
  // It creates no conversation with the user and no results.
  await createTexts(
    trx,
    [
      {
        ...text,
        accountId: actor.accountId,
        textNumberId: number.text_number_id,
        aggregatorId: number.aggregator_id,
        phone,
        mediaIds: sending.media_ids,
        origin: 'notification',
        userId: actor.userId,
      },
    ],
    { note: 'Test of a broadcast' },
  );
  if (text.credits > 0) await notify(trx, actor.accountId, [{ type: 'credits.changed' }]);
  return { PhoneNumber: domesticDigits(phone), Credits: text.credits };
}

/** The same with the second of its two texts. */
function withSecond(sending: Sending): Sending {
  const { second, keepCharacters } = sending;
  if (second === undefined) throw new Refusal('notFound', 'This broadcast has one text.');
  return { ...sending, prefix: second.prefix, plain: textToSend(second.written, { keepCharacters }) };
}

async function judgeTest(
  trx: Trx,
  actor: Actor,
  sending: Sending,
  about: { flat_rate_status: string | null; to: string; recipientId: number | undefined },
) {
  const { flat_rate_status, to: phone, recipientId } = about;
  const { accountId, broadcast_id: broadcastId } = sending;
  // A test has no recipient whose clicks could be counted: its links stay as they are written.
  const message = sending.prefix + sending.plain;
  const whose = recipientId === undefined ? sql`r.problem is null` : sql`r.recipient_id = ${recipientId}`;
  const [recipient] = await readMergeRecipients(
    trx,
    { accountId, broadcastId, text: message, shownTo: actor },
    { where: whose, rest: sql`order by r.recipient_id limit 1` },
  );
  if (recipient === undefined && recipientId !== undefined) {
    throw new Refusal('notFound', 'That recipient is no longer here.');
  }
  const [judged] = await judgeTexts(
    trx,
    { accountId, userId: sending.user_id },
    {
      drafts: [{ phone, message, values: recipient === undefined ? {} : mergeValues(recipient) }],
      includeSignature: sending.include_signature,
      keepCharacters: sending.keepCharacters,
      hasMedia: sending.hasMedia,
      flatRateStatus: flat_rate_status,
      asksForLine: true,
    },
  );
  if (judged === undefined) throw new Error('a test was not judged');
  if (judged.fault === 'account') throw new Refusal('forbidden', judged.error);
  if (judged.fault === 'text') throw refuseField('TextMessage', judged.error);
  if (judged.fault === 'phone') throw new Refusal('refused', judged.error);
  const { body, segments, credits } = judged;
  return { body, segments, credits };
}

/** The given phone, the one of the user's profile, or the one for their notifications. */
async function requireOwnPhone(trx: Trx, actor: Actor, given: string | undefined): Promise<string> {
  const { countryId } = await getPlace(trx, actor);
  if (given !== undefined) {
    const { phone, error } = validatePhone(given, countryId);
    if (phone === undefined) throw refuseField('PhoneNumber', error);
    return phone;
  }
  const user = await trx
    .selectFrom('users')
    .select(['phone', 'notification_phone'])
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .executeTakeFirstOrThrow();
  const phone =
    validatePhone(user.phone, countryId).phone ??
    validatePhone(`+${user.notification_phone}`, countryId).phone;
  if (phone === undefined) {
    throw new Refusal('refused', 'Add your own mobile number to your profile to send yourself a test.');
  }
  return phone;
}
