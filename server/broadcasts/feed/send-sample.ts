import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { accessDenied, Refusal, refuseField } from '../../../contract/errors.ts';
import { composeMessages } from '../../../contract/forms/compose-text.ts';
import type { sendSampleBroadcast as definition } from '../../../contract/quick-send.ts';
import { limits } from '../../../contract/reference/limits.ts';
import { may } from '../../access/refuse-unless.ts';
import { listVerifiedPhones } from '../../accounts/fill-in.ts';
import { now } from '../../clock.ts';
import type { Trx } from '../../db.ts';
import { selectTextNumber, toTextNumber } from '../../numbers/queries.ts';
import { samplesFor } from '../../sample-texts.ts';
import type { Actor } from '../../serve.ts';
import { beginDraft } from '../draft/create-draft.ts';
import { sampleName } from '../name-broadcast.ts';
import { addRecipients } from '../recipients/add-recipients.ts';
import { sendBroadcast } from './send-broadcast.ts';

/** They cost the account nothing, and the operator a little. */
const perDay = 5;

/** One of the canned messages to every phone that the account has verified: a broadcast like any other, but free. */
export async function sendSampleBroadcast(trx: Trx, actor: Actor, { body }: Input<typeof definition>) {
  const { accountId } = actor;
  if (!actor.account.IsFreeTrial && !may(actor, 'seeSampleBroadcasts'))
    throw new Refusal('forbidden', accessDenied);
  // If it is clicked twice, the second waits here and counts the first.
  const { company_name } = await trx
    .selectFrom('accounts')
    .select('company_name')
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (!samplesFor(company_name, actor.languageId).includes(body.Message))
    throw refuseField('Message', 'Choose one of the messages');
  await refuseOverDay(trx, accountId);
  const phones = (await listVerifiedPhones(trx, accountId)).slice(0, limits.conversationRecipients);
  if (phones.length === 0)
    throw new Refusal(
      'refused',
      'Verify your phone first. A sample goes to the phones that you have verified.',
    );
  const BroadcastID = await beginDraft(trx, actor, {
    BroadcastName: sampleName(body.Message, actor.languageId),
    BroadcastType: 'SMS',
    TextNumberID: await requireSender(trx, actor),
    TextMessage: body.Message,
  });
  await trx
    .updateTable('broadcasts')
    .set({ is_sample: true })
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', BroadcastID)
    .execute();
  const people = phones.map((phone) => ({ firstName: '', lastName: '', phone, typed: phone }));
  await addRecipients(trx, actor, BroadcastID, { kind: 'pasted', people });
  await sendBroadcast(trx, actor, BroadcastID, {});
  return { BroadcastID, Count: phones.length, UriSummary: `/broadcasts/${BroadcastID}` };
}

async function refuseOverDay(trx: Trx, accountId: number): Promise<void> {
  const { rows } = await sql<{ sent: number }>`
    select count(*)::int as sent from broadcasts
    where account_id = ${accountId} and is_sample and created_at > ${now()}::timestamptz - interval '1 day'`.execute(
    trx,
  );
  if ((rows[0]?.sent ?? 0) >= perDay)
    throw new Refusal('refused', `You can send ${perDay} samples a day. Try again tomorrow.`);
}

/** The default number if broadcasts can be sent from it, otherwise the first that allows it. */
async function requireSender(trx: Trx, actor: Actor): Promise<number> {
  const rows = await selectTextNumber(trx, actor)
    .orderBy('is_default', 'desc')
    .orderBy('text_number_id')
    .execute();
  const usable = rows
    .map(toTextNumber)
    .find(({ CanText, CanCreateBroadcast }) => CanText && CanCreateBroadcast);
  if (usable === undefined) throw new Refusal('refused', composeMessages.noTextNumber);
  return usable.TextNumberID;
}
