import { sql } from 'kysely';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { asynchronousMessages } from '../../contract/fields/asynchronous-checks.ts';
import { firstFailure } from '../../contract/fields/rule.ts';
import { characterLimit, composedText } from '../../contract/forms/compose-text.ts';
import { isInternational } from '../../contract/reference/countries.ts';
import { isMonthly } from '../../contract/states/account-status.ts';
import { countSegments, withSuffix } from '../../contract/text/segments.ts';
import { moveCredits } from '../billing/move-credits.ts';
import { now } from '../clock.ts';
import type { Trx } from '../db.ts';
import { enqueue } from '../jobs.ts';
import { requireTextNumber } from '../numbers/queries.ts';
import { refuseUnlessCanText } from '../numbers/rules.ts';
import type { Actor } from '../serve.ts';

export interface NewText {
  textNumberId: number;
  /** International digits without the plus. */
  phone: string;
  message: string;
  mediaIds: number[];
  includeSignature: boolean;
}

/**
 * One text from a person here to a phone: refused with the specification's sentence, or a row in the
 * ledger, a row in the outbox, its credits reserved and the send job, all in the caller's transaction.
 */
export async function createText(
  trx: Trx,
  actor: Actor,
  text: NewText,
): Promise<{ messageId: number; createdAt: Date }> {
  const { signature, maxLength, international, takesCredits, needsOptIn } = await getSettings(trx, actor);
  const suffix = text.includeSignature ? signature : '';
  const hasMedia = text.mediaIds.length > 0;
  const problem = firstFailure(text.message, composedText({ maxLength, signature: suffix, hasMedia }));
  if (problem !== undefined) throw refuseField('Message', problem);
  const number = await requireTextNumber(trx, actor, text.textNumberId);
  refuseUnlessCanText(number, now());
  await refuseUnlessMayText(trx, actor, text.phone, needsOptIn);
  await refuseUnlessOwnMedia(trx, actor, text.mediaIds);

  const body = withSuffix(text.message, suffix);
  const segments = Math.max(
    1,
    countSegments(text.message, { suffix, international, extraCredit: hasMedia }).segments,
  );
  const isFlatRate = number.flat_rate_status === 'Active' || number.flat_rate_status === 'CancelPending';
  const credits = takesCredits && !isFlatRate ? segments : 0;
  await moveCredits(trx, [
    {
      accountId: actor.accountId,
      kind: 'reserve',
      credits,
      note: 'Text in a conversation',
      userId: actor.userId,
    },
  ]);

  const { message_id, created_at } = await trx
    .insertInto('messages')
    .values({
      account_id: actor.accountId,
      text_number_id: text.textNumberId,
      phone: text.phone,
      is_inbound: false,
      status: 'waiting',
      status_at: sql`now()`,
      origin: 'conversation',
      body,
      media_ids: text.mediaIds,
      segments,
      credits,
      user_id: actor.userId,
    })
    .returning(['message_id', 'created_at'])
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('outbox')
    .values({
      account_id: actor.accountId,
      message_id,
      text_number_id: text.textNumberId,
      aggregator_id: number.aggregator_id,
      phone: text.phone,
    })
    .execute();
  await enqueue(trx, 'send_messages', {});
  return { messageId: message_id, createdAt: created_at };
}

async function getSettings(trx: Trx, actor: Actor) {
  const row = await trx
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.account_id', 'users.account_id')
    .select([
      'users.signature_text',
      'users.text_character_limit',
      'accounts.country_id',
      'accounts.type_id',
      'accounts.require_text_opt_in',
      'accounts.explicit_opt_in_required',
    ])
    .where('users.account_id', '=', actor.accountId)
    .where('users.user_id', '=', actor.userId)
    .executeTakeFirstOrThrow();
  return {
    signature: row.signature_text,
    maxLength: characterLimit(row.text_character_limit),
    international: isInternational(row.country_id),
    // Monthly accounts pay by the month, not by the text.
    takesCredits: !isMonthly({ AccountTypeID: row.type_id }),
    needsOptIn: row.require_text_opt_in || row.explicit_opt_in_required,
  };
}

async function refuseUnlessMayText(
  trx: Trx,
  actor: Actor,
  phone: string,
  needsOptIn: boolean,
): Promise<void> {
  const consent = await trx
    .selectFrom('phone_consents')
    .select('text_state')
    .where('account_id', '=', actor.accountId)
    .where('phone', '=', phone)
    .executeTakeFirst();
  if (consent?.text_state === 'out') throw new Refusal('refused', asynchronousMessages.optedOutOfTexts);
  if (needsOptIn && consent?.text_state !== 'in')
    throw new Refusal('refused', asynchronousMessages.notOptedIn);
}

async function refuseUnlessOwnMedia(trx: Trx, actor: Actor, mediaIds: number[]): Promise<void> {
  if (mediaIds.length === 0) return;
  const rows = await trx
    .selectFrom('media')
    .select('media_id')
    .where('account_id', '=', actor.accountId)
    .where('media_id', 'in', mediaIds)
    .execute();
  if (rows.length !== new Set(mediaIds).size)
    throw new Refusal('notFound', 'That picture is no longer here.');
}
