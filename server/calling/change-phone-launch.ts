import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import type * as calls from '../../contract/calling.ts';
import type { PhoneLaunch } from '../../contract/calling.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { asynchronousMessages } from '../../contract/fields/asynchronous-checks.ts';
import { fieldErrors } from '../../contract/fields/form.ts';
import { phoneLaunchForm } from '../../contract/forms/phone-launch.ts';
import { wirePhone } from '../../contract/phone/normalize-phone.ts';
import { hashPassword } from '../auth/sign-in.ts';
import { nowMs } from '../clock.ts';
import { asAccount, isUniqueViolation, type Trx } from '../db.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor, App } from '../serve.ts';

async function ownerOf(trx: Trx, { accountId }: Actor, launchId: string): Promise<number | undefined> {
  const row = await trx
    .selectFrom('launch_ids')
    .select('user_id')
    .where('account_id', '=', accountId)
    .where('launch_id', '=', launchId)
    .executeTakeFirst();
  return row?.user_id;
}

export async function getIvrAuthorization(
  trx: Trx,
  actor: Actor,
  { params }: Input<typeof calls.getIvrAuthorization>,
) {
  const owner = await ownerOf(trx, actor, params.PhoneLaunchID);
  if (owner === undefined) throw new Refusal('notFound', 'Nobody uses this phone launch ID.');
  if (owner !== actor.userId) throw new Refusal('forbidden', asynchronousMessages.launchIdTaken);
  return { PhoneLaunchID: params.PhoneLaunchID, Message: asynchronousMessages.launchIdOwn };
}

export async function getPhoneLaunch(trx: Trx, actor: Actor): Promise<PhoneLaunch> {
  const row = await findOwn(trx, actor);
  const lockedUntil = row?.locked_until ?? null;
  const { rows: numbers } = await sql<{ phone: string }>`
    select n.phone from text_numbers n
    where n.account_id = ${actor.accountId} and n.released_at is null and n.aggregator_id = 2
      and exists (select from call_pace p where p.provider = 2 and p.lines > 0)
    order by n.is_default desc, n.text_number_id`.execute(trx);
  return {
    PhoneLaunchID: row?.launch_id ?? '',
    HasPIN: row !== undefined,
    LockedUntil: lockedUntil !== null && lockedUntil.getTime() > nowMs() ? lockedUntil.toISOString() : null,
    PhoneNumbers: numbers.map(({ phone }) => wirePhone(phone, actor.account.CountryID)),
  };
}

function findOwn(trx: Trx, { accountId, userId }: Actor) {
  return trx
    .selectFrom('launch_ids')
    .select(['launch_id', 'locked_until'])
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** A new PIN also ends a lock: the user has signed in to set it. It is hashed with no transaction open. */
export async function setPhoneLaunch(
  { database }: App,
  actor: Actor,
  { body }: Input<typeof calls.setPhoneLaunch>,
): Promise<PhoneLaunch> {
  const { accountId, userId } = actor;
  const { hasPin, phone } = await asAccount(database, accountId, async (trx) => ({
    hasPin: (await findOwn(trx, actor)) !== undefined,
    phone: await phoneOf(trx, actor),
  }));
  const [first] = Object.entries(fieldErrors(phoneLaunchForm({ phone, hasPin }), body));
  if (first !== undefined) throw refuseField(first[0], first[1]);
  const launchId = body.PhoneLaunchID.trim();
  const pinHash = body.PIN === '' ? undefined : await hashPassword(body.PIN);
  return asAccount(database, accountId, async (trx) => {
    try {
      if (pinHash === undefined) {
        await trx
          .updateTable('launch_ids')
          .set({ launch_id: launchId, updated_at: sql`now()` })
          .where('account_id', '=', accountId)
          .where('user_id', '=', userId)
          .execute();
      } else {
        const values = { launch_id: launchId, pin_hash: pinHash, failures: 0, locked_until: null };
        await trx
          .insertInto('launch_ids')
          .values({ account_id: accountId, user_id: userId, ...values })
          .onConflict((on) =>
            on.columns(['account_id', 'user_id']).doUpdateSet({ ...values, updated_at: sql`now()` }),
          )
          .execute();
      }
    } catch (error) {
      if (isUniqueViolation(error)) throw refuseField('PhoneLaunchID', asynchronousMessages.launchIdTaken);
      throw error;
    }
    await recordEvents(trx, actor, [{ kind: 'phoneLaunch.updated', id: userId }]);
    return getPhoneLaunch(trx, actor);
  });
}

async function phoneOf(trx: Trx, { accountId, userId }: Actor): Promise<string> {
  const { phone } = await trx
    .selectFrom('users')
    .select('phone')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return phone;
}

export async function deletePhoneLaunch(trx: Trx, actor: Actor): Promise<PhoneLaunch> {
  await trx
    .deleteFrom('launch_ids')
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId)
    .execute();
  return getPhoneLaunch(trx, actor);
}
