import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import type * as calls from '../../contract/calling.ts';
import { callingRefusals, type TransferNumber } from '../../contract/calling.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { wirePhone } from '../../contract/phone/normalize-phone.ts';
import { createCall, drawCode } from '../calls/create-call.ts';
import { asAccount, type Trx } from '../db.ts';
import { notify } from '../notify.ts';
import { equalSecrets } from '../outside/equal-secrets.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor, App } from '../serve.ts';
import { requireCaller, requirePhone } from './queries.ts';

export async function listTransferNumbers(trx: Trx, actor: Actor): Promise<{ Items: TransferNumber[] }> {
  const rows = await trx
    .selectFrom('transfer_numbers')
    .select(['transfer_number_id', 'phone', 'status', 'is_default'])
    .where('account_id', '=', actor.accountId)
    .where('deleted_at', 'is', null)
    .orderBy('is_default', 'desc')
    .orderBy('transfer_number_id')
    .execute();
  return { Items: rows.map((row) => toTransferNumber(actor, row)) };
}

interface Row {
  transfer_number_id: number;
  phone: string;
  status: string;
  is_default: boolean;
}

function toTransferNumber({ account }: Actor, row: Row): TransferNumber {
  return {
    ID: row.transfer_number_id,
    PhoneNumber: wirePhone(row.phone, account.CountryID),
    Status: row.status as TransferNumber['Status'],
    IsDefault: row.is_default,
  };
}

/**
 * The account's own numbers are approved at once; any other is called, and the person who answers reads the
 * code back.
 */
export async function addTransferNumber(
  trx: Trx,
  actor: Actor,
  { body }: Input<typeof calls.addTransferNumber>,
): Promise<TransferNumber> {
  const phone = await requirePhone(trx, actor, body.PhoneNumber);
  const own = await trx
    .selectFrom('text_numbers')
    .select('phone')
    .where('account_id', '=', actor.accountId)
    .where('phone', '=', phone)
    .where('released_at', 'is', null)
    .executeTakeFirst();
  const code = drawCode();
  const { rows } = await sql<Row>`
    insert into transfer_numbers (account_id, phone, status, code, user_id, is_default)
    values (${actor.accountId}, ${phone}, ${own === undefined ? 'Pending' : 'Approved'}, ${code}, ${actor.userId},
      not exists (select from transfer_numbers where account_id = ${actor.accountId} and is_default and deleted_at is null))
    on conflict (account_id, phone) where deleted_at is null do nothing
    returning transfer_number_id, phone, status, is_default`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Refusal('conflict', 'This transfer number was added before.');
  if (own === undefined) await callWithCode(trx, actor, phone, code);
  await notify(trx, actor.accountId, [{ type: 'settings.changed' }]);
  return toTransferNumber(actor, row);
}

/** Calls to one phone in an hour: they ring at any time of day, at somebody who may not have asked for them. */
const mostCodeCalls = 5;

async function callWithCode(trx: Trx, actor: Actor, phone: string, code: string): Promise<void> {
  await refuseManyCalls(trx, actor, phone);
  const caller = await requireCaller(trx, actor);
  await createCall(trx, {
    ...{ accountId: actor.accountId, userId: actor.userId },
    ...caller,
    phone,
    task: { kind: 'verify', code },
  });
}

async function refuseManyCalls(trx: Trx, { accountId }: Actor, phone: string): Promise<void> {
  const { rows } = await sql<{ many: number; seconds: number }>`
    select count(*)::int as many,
      ceil(extract(epoch from min(created_at) + interval '1 hour' - now()))::int as seconds
    from calls where account_id = ${accountId} and phone = ${phone} and purpose = 'verify'
      and created_at > now() - interval '1 hour'`.execute(trx);
  const { many, seconds } = rows[0] ?? { many: 0, seconds: 0 };
  if (many >= mostCodeCalls)
    throw new Refusal('tooManyAttempts', undefined, { extendedData: { RetryAfterSeconds: seconds } });
}

const mostTries = 5;

/** A wrong code is counted and committed before it is refused, to prevent guessing. */
export async function updateTransferNumber(
  { database }: App,
  actor: Actor,
  input: Input<typeof calls.updateTransferNumber>,
): Promise<TransferNumber> {
  const changed = await asAccount(database, actor.accountId, (trx) => change(trx, actor, input));
  if (changed === 'wrong') throw refuseField('Code', callingRefusals.wrongCode);
  return changed;
}

async function change(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof calls.updateTransferNumber>,
): Promise<TransferNumber | 'wrong'> {
  const row = await lockNumber(trx, actor, params.TransferNumberID);
  if (body.Code !== undefined && row.status === 'Pending') {
    if (row.tries >= mostTries) throw refuseField('Code', callingRefusals.tooManyTries);
    const isRight = equalSecrets(body.Code, row.code);
    await set(trx, row, isRight ? { status: 'Approved', code: '' } : { tries: row.tries + 1 });
    if (!isRight) return 'wrong';
  }
  if (body.CallAgain === true && row.status === 'Pending') {
    const code = drawCode();
    await set(trx, row, { code });
    await callWithCode(trx, actor, row.phone, code);
  }
  if (body.IsDefault === true) {
    await trx
      .updateTable('transfer_numbers')
      .set({ is_default: false })
      .where('account_id', '=', actor.accountId)
      .where('is_default', '=', true)
      .execute();
    await set(trx, row, { is_default: true });
  }
  await recordEvents(trx, actor, [{ kind: 'transferNumber.updated', id: row.transfer_number_id }]);
  await notify(trx, actor.accountId, [{ type: 'settings.changed' }]);
  return toTransferNumber(actor, await lockNumber(trx, actor, params.TransferNumberID));
}

type Locked = Awaited<ReturnType<typeof lockNumber>>;

async function lockNumber(trx: Trx, actor: Actor, id: number) {
  const row = await trx
    .selectFrom('transfer_numbers')
    .selectAll()
    .where('account_id', '=', actor.accountId)
    .where('transfer_number_id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('notFound', 'That transfer number is no longer here.');
  return row;
}

async function set(
  trx: Trx,
  { account_id, transfer_number_id }: Locked,
  values: { status?: 'Approved'; code?: string; tries?: number; is_default?: boolean },
): Promise<void> {
  await trx
    .updateTable('transfer_numbers')
    .set(values)
    .where('account_id', '=', account_id)
    .where('transfer_number_id', '=', transfer_number_id)
    .execute();
}

export async function deleteTransferNumber(
  trx: Trx,
  actor: Actor,
  { params }: Input<typeof calls.deleteTransferNumber>,
) {
  const row = await lockNumber(trx, actor, params.TransferNumberID);
  await trx
    .updateTable('transfer_numbers')
    .set({ deleted_at: sql`now()`, is_default: false })
    .where('account_id', '=', row.account_id)
    .where('transfer_number_id', '=', row.transfer_number_id)
    .execute();
  await notify(trx, actor.accountId, [{ type: 'settings.changed' }]);
  return {};
}
