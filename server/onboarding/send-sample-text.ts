import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { accessDenied, Refusal, refuseField } from '../../contract/errors.ts';
import { asynchronousMessages } from '../../contract/fields/asynchronous-checks.ts';
import type { sendSampleText as definition } from '../../contract/onboarding.ts';
import { normalizePhone, wirePhone } from '../../contract/phone/normalize-phone.ts';
import { recipientProblemMessages } from '../../contract/states/recipient-problem.ts';
import { listVerifiedPhones } from '../accounts/fill-in.ts';
import { refuseOver } from '../auth/limit-attempts.ts';
import { asSystem, type Trx } from '../db.ts';
import { recordEvents } from '../record-events.ts';
import { samplesFor } from '../sample-texts.ts';
import type { Actor, App } from '../serve.ts';
import { createTexts, weighText } from '../texts/create-texts.ts';
import { canTextCodes, findStop, getCodeNumber } from './send-mfa.ts';

const perAccount = { most: 20, hours: 24 };

/**
 * Shows users an inbound text before they have a number: a canned message, to a phone that they have
 * verified.
 */
export async function sendSampleText(app: App, actor: Actor, { body }: Input<typeof definition>) {
  const { config, database } = app;
  const { account, features, accountId } = actor;
  if (!account.IsFreeTrial || !account.maySend || features.includes('FreeTrialABTestNoText'))
    throw new Refusal('forbidden', accessDenied);
  if (!canTextCodes(config)) throw new Refusal('refused', 'Sample texts can’t be sent here.');
  const phone = normalizePhone(body.PhoneNumber, account.CountryID) ?? '';
  await refuseOver(database, 'sample text', String(accountId), perAccount);
  await asSystem(database, async (trx) => {
    if (!(await listVerifiedPhones(trx, accountId)).includes(phone))
      throw refuseField('PhoneNumber', recipientProblemMessages.not_verified);
    if (!samplesFor(await getCompanyName(trx, accountId), actor.languageId).includes(body.Message))
      throw refuseField('Message', 'Choose one of the messages');
    const number = await getCodeNumber(trx, config);
    if ((await findStop(trx, actor, number.accountId, phone)) !== undefined)
      throw refuseField('PhoneNumber', asynchronousMessages.optedOutOfTexts);
    const text = {
      ...number,
      ...weighText(
        { message: body.Message, hasMedia: false },
        { international: false, takesCredits: false, flatRateStatus: null },
      ),
    };
    // If it is clicked twice, the second waits here and finds the first one's text.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`sample ${accountId} ${phone}`}, 0))`.execute(
      trx,
    );
    if (await wasJustSent(trx, number.accountId, phone, text.body)) return;
    await createTexts(trx, [{ ...text, phone, origin: 'notification' as const, userId: null }]);
    await recordEvents(trx, actor, [{ kind: 'text.sampled', id: actor.userId }]);
  });
  return { PhoneNumber: wirePhone(phone, account.CountryID) };
}

async function getCompanyName(trx: Trx, accountId: number): Promise<string> {
  const { company_name } = await trx
    .selectFrom('accounts')
    .select('company_name')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return company_name;
}

async function wasJustSent(trx: Trx, accountId: number, phone: string, body: string): Promise<boolean> {
  const sent = await trx
    .selectFrom('messages')
    .select('message_id')
    .where('account_id', '=', accountId)
    .where('phone', '=', phone)
    .where('body', '=', body)
    .where('created_at', '>', sql<Date>`clock_timestamp() - interval '1 minute'`)
    .executeTakeFirst();
  return sent !== undefined;
}
