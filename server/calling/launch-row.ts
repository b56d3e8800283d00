import { randomInt } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { LaunchKey } from '../calls/launch-rules.ts';
import { asSystem, type Database, type Trx } from '../db.ts';
import type { CallNews } from '../outside/calls.ts';
import type { DB } from '../schema.types.ts';

export type LaunchRow = Selectable<DB['launch_calls']>;

/**
 * The row of an inbound call, created by its first webhook and found again by a repeated one. Undefined when
 * the number is unknown, or its organization doesn't use calls.
 */
export async function openLaunch(
  database: Database,
  provider: number,
  { sid, from, to }: Extract<CallNews, { kind: 'step' }>,
): Promise<{ key: LaunchKey; organization: string; languageId: number } | undefined> {
  return asSystem(database, async (trx) => {
    const { rows } = await sql<{ account_id: number; company_name: string }>`
      select n.account_id, a.company_name from text_numbers n
      join accounts a on a.account_id = n.account_id
      where n.phone = ${to} and n.released_at is null and a.voice_allowed
        and exists (select from launch_ids l where l.account_id = n.account_id)`.execute(trx);
    const [number] = rows;
    if (number === undefined) return undefined;
    const { rows: opened } = await sql<{ launch_call_id: number; nonce: number }>`
      insert into launch_calls (account_id, nonce, provider, sid, phone, called)
      values (${number.account_id}, ${randomInt(2 ** 31 - 1)}, ${provider}, ${sid}, ${from}, ${to})
      on conflict (account_id, provider, sid) do update set updated_at = now()
      returning launch_call_id, nonce`.execute(trx);
    const [row] = opened;
    if (row === undefined) return undefined;
    const key = { accountId: number.account_id, launchCallId: row.launch_call_id, nonce: row.nonce };
    return { key, organization: number.company_name, languageId: await findLanguage(trx, key) };
  });
}

/**
 * The caller's language. Until the caller is known: the one shared by all users who may call in, otherwise
 * English.
 */
export async function findLanguage(
  trx: Trx,
  { accountId, launchCallId }: Pick<LaunchKey, 'accountId' | 'launchCallId'>,
): Promise<number> {
  const { rows } = await sql<{ language_id: number }>`
    select case when count(distinct u.language_id) = 1 then min(u.language_id) else 1 end as language_id
    from launch_calls c
    join users u on u.account_id = c.account_id
    where c.account_id = ${accountId} and c.launch_call_id = ${launchCallId}
      and (u.user_id = c.user_id or (c.user_id is null and exists (
        select from launch_ids l where l.account_id = u.account_id and l.user_id = u.user_id)))`.execute(trx);
  return rows[0]?.language_id ?? 1;
}

/** The row, locked until the transaction ends: two webhooks of one call are processed one after the other. */
export async function lockLaunch(
  trx: Trx,
  { accountId, launchCallId }: Pick<LaunchKey, 'accountId' | 'launchCallId'>,
): Promise<LaunchRow | undefined> {
  return trx
    .selectFrom('launch_calls')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('launch_call_id', '=', launchCallId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function changeLaunch(
  trx: Trx,
  { account_id, launch_call_id }: Pick<LaunchRow, 'account_id' | 'launch_call_id'>,
  values: Partial<
    Pick<
      LaunchRow,
      | 'typed_id'
      | 'user_id'
      | 'tries'
      | 'failures'
      | 'group_id'
      | 'recording_id'
      | 'recorded_url'
      | 'state'
      | 'broadcast_id'
      | 'people'
      | 'credits'
      | 'note'
    >
  >,
): Promise<void> {
  await trx
    .updateTable('launch_calls')
    .set({ ...values, updated_at: sql`now()` })
    .where('account_id', '=', account_id)
    .where('launch_call_id', '=', launch_call_id)
    .execute();
}
