import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import type { keepTextNumber as keep, releaseTextNumber as release } from '../../contract/registration.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import type { Actor } from '../serve.ts';
import { keepLivePhone } from './keep-live-phone.ts';
import { requireTextNumber } from './queries.ts';

/** Days that a released number still works, and can be kept. */
const graceDays = 7;

/** Releases a number. People who text it meanwhile still get through. */
export async function releaseTextNumber(trx: Trx, actor: Actor, { params }: Input<typeof release>) {
  const { text_number_id: id } = await requireTextNumber(trx, actor, params.TextNumberID);
  const { rows } = await sql<{ is_default: boolean; others: number; busy: boolean }>`
    select n.is_default,
      (select count(*)::int from text_numbers o where o.account_id = n.account_id and o.text_number_id <> n.text_number_id
        and o.released_at is null and o.release_at is null) as others,
      exists (select from broadcasts b where b.account_id = n.account_id and b.text_number_id = n.text_number_id
        and b.status in ('scheduled', 'broadcasting', 'paused') and b.deleted_at is null) as busy
    from text_numbers n
    where n.account_id = ${actor.accountId} and n.text_number_id = ${id} for update of n`.execute(trx);
  const [number] = rows;
  if (number?.is_default && number.others > 0)
    throw new Refusal('refused', 'This is your default number. Make another number the default first.');
  if (number?.busy)
    throw new Refusal('refused', 'A broadcast uses this number. Cancel it or wait until it has been sent.');
  const { release_at } = await trx
    .updateTable('text_numbers')
    .set({ release_at: sql<Date>`coalesce(release_at, now() + ${graceDays} * interval '1 day')` })
    .where('account_id', '=', actor.accountId)
    .where('text_number_id', '=', id)
    .returning('release_at')
    .executeTakeFirstOrThrow();
  await notify(trx, actor.accountId, [{ type: 'textnumbers.changed' }]);
  return { TextNumberID: id, ReleaseDate: (release_at ?? new Date(0)).toISOString() };
}

/** Cancels the release while there is time. */
export async function keepTextNumber(trx: Trx, actor: Actor, { params }: Input<typeof keep>) {
  const { text_number_id: id } = await requireTextNumber(trx, actor, params.TextNumberID);
  const kept = await trx
    .updateTable('text_numbers')
    .set({ release_at: null })
    .where('account_id', '=', actor.accountId)
    .where('text_number_id', '=', id)
    .where('release_at', '>', sql<Date>`now()`)
    .returning('text_number_id')
    .executeTakeFirst();
  if (kept === undefined) throw new Refusal('refused', 'This number isn’t being given up.');
  await notify(trx, actor.accountId, [{ type: 'textnumbers.changed' }]);
  return { TextNumberID: id };
}

export interface LeavingNumber {
  account_id: number;
  text_number_id: number;
  aggregator_id: number;
  provider_key: string;
  phone: string;
}

/**
 * Numbers whose grace period is over: they can't be kept any more. `after` is the last one of the previous
 * page.
 */
export async function listLeavingNumbers(trx: Trx, size: number, after: number): Promise<LeavingNumber[]> {
  const { rows } = await sql<LeavingNumber>`
    select account_id, text_number_id, aggregator_id, provider_key, phone from text_numbers
    where release_at <= now() and released_at is null and text_number_id > ${after}
    order by text_number_id limit ${size}`.execute(trx);
  return rows;
}

/**
 * Gone from the provider: another account may get it one day. The default number can be given up as the last one, and
 * another one added or kept in the seven days until it is gone: the oldest of those takes its place.
 */
export async function recordReleased(trx: Trx, number: LeavingNumber): Promise<void> {
  await trx
    .updateTable('text_numbers')
    .set({ released_at: sql<Date>`now()`, is_default: false })
    .where('account_id', '=', number.account_id)
    .where('text_number_id', '=', number.text_number_id)
    .execute();
  await keepLivePhone(trx, number.account_id, number.text_number_id);
  // One that is being given up too is only taken if there is no other.
  await sql`
    update text_numbers set is_default = true
    where account_id = ${number.account_id} and text_number_id = (
        select text_number_id from text_numbers
        where account_id = ${number.account_id} and released_at is null
        order by release_at is not null, text_number_id limit 1)
      and not exists (
        select from text_numbers
        where account_id = ${number.account_id} and released_at is null and is_default)`.execute(trx);
  await notify(trx, number.account_id, [{ type: 'textnumbers.changed' }]);
}
