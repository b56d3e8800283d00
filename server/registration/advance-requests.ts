/**
 * Registrations. A request goes
 *
 *   Processing ◀──▶ PendingContactAuthentication     the registry waits for a click in its mail, or for YES to its text
 *       │                    │
 *       ├──▶ Complete: the numbers it covers are Registered ──▶ Failed: the registry revoked it
 *       └──▶ Failed: with reasons; a corrected one is a new request that goes on with what was made
 *
 * A worker claims those that are due, asks the registrar with no transaction open, and records the result
 * with the numbers, the mail to the owner and the notice for open pages in one transaction. Webhooks only
 * make a request due; one that a worker holds is processed again when that worker is done, so two workers
 * never create the same thing. A complete one is looked at every day, and when a webhook names it.
 */
import { sql } from 'kysely';
import { setDailyLimit } from '../accounts/set-daily-limit.ts';
import { asSystem, type Database, type Trx } from '../db.ts';
import type { Log } from '../log.ts';
import { notify } from '../notify.ts';
import { reopenOrders } from '../numbers/order-number.ts';
import {
  listNumbersToRegister,
  type RegisteredNumber,
  registerNumbers,
} from '../numbers/register-numbers.ts';
import type { Providers } from '../outside/providers.ts';
import type { Made, Progress } from '../outside/registrar.ts';
import { recordEvents } from '../record-events.ts';
import { orderMissingNumber } from './order-missing-number.ts';
import { type RequestRow, requestColumns } from './queries.ts';
import { lookPauseSeconds, type PlainReason, plainReasonsOf } from './rules.ts';
import { tellOwner } from './tell-owner.ts';

export interface RequestContext {
  database: Database;
  providers: Providers;
  publicUrl: string;
  log: Log;
}

const atOnce = 10;
/** Longer than all the calls of one registration take. */
const leaseSeconds = 120;

/** Advances the registrations that are due by one step; true if there may be more. */
export async function advanceRequests(context: RequestContext): Promise<boolean> {
  const rows = await asSystem(context.database, claimRequests);
  for (const row of rows) await advanceOne(context, row);
  return rows.length === atOnce;
}

/** Requests that are due and that nobody is processing. */
export const dueRequests = sql<boolean>`look_at <= now() and (held_until is null or held_until <= now())`;

async function claimRequests(trx: Trx): Promise<RequestRow[]> {
  const { rows } = await sql<RequestRow>`
    with due as materialized (
      select account_id as a, request_id as r from registration_requests
      where ${dueRequests} order by look_at limit ${atOnce} for update skip locked
    )
    update registration_requests
    set look_at = now() + ${leaseSeconds} * interval '1 second', held_until = now() + ${leaseSeconds} * interval '1 second',
      attempts = attempts + 1
    from due where account_id = a and request_id = r
    returning ${requestColumns}`.execute(trx);
  return rows;
}

async function advanceOne(context: RequestContext, row: RequestRow): Promise<void> {
  const { database, providers, log } = context;
  const registrar = providers.registrars.get(row.aggregator_id);
  const of = { accountId: row.account_id, aggregatorId: row.aggregator_id, kind: row.kind };
  const { numbers, contact } = await asSystem(database, async (trx) => {
    const found = await listNumbersToRegister(trx, of);
    // Its order may have failed since: without a number there is nothing to register.
    if (found.length === 0 && row.status !== 'Complete') await orderMissingNumber(trx, row);
    return { numbers: found, contact: await findContact(trx, row) };
  });
  const told = numbers
    .filter(({ provider_key }) => provider_key !== '' || row.aggregator_id === 5)
    .map(({ phone, provider_key }) => ({ phone, key: provider_key }));
  let made = row.made;
  const progress: Progress =
    registrar === undefined
      ? { state: 'unavailable', reason: 'no registrar is set up' }
      : await registrar.advance({
          ...{ kind: row.kind, reference: row.reference, brand: row.brand, campaign: row.campaign, made },
          contact,
          // A registered campaign has its numbers: looking at it again must not add them again.
          numbers: row.status === 'Complete' && row.kind === 'Local' ? [] : told,
          async keep(given: Made) {
            made = given;
            await asSystem(database, (trx) => keepMade(trx, row, given));
          },
        });
  if (progress.state === 'unavailable')
    log.warn(
      { registration: row.request_id, reason: progress.reason },
      'a registration could not be advanced',
    );
  await asSystem(database, (trx) => record(trx, context, { row: { ...row, made }, progress, numbers }));
}

/** The contact is the sole proprietor; for an organization, the user who submitted it. */
async function findContact(trx: Trx, { account_id, user_id, brand }: RequestRow) {
  const user = await trx
    .selectFrom('users')
    .select(['first_name', 'last_name'])
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst();
  return {
    firstName: brand.FirstName || user?.first_name || brand.DisplayName,
    lastName: brand.LastName || user?.last_name || brand.DisplayName,
  };
}

async function keepMade(trx: Trx, row: RequestRow, made: Made): Promise<void> {
  await sql`
    update registration_requests set made = ${JSON.stringify(made)}::jsonb
    where account_id = ${row.account_id} and request_id = ${row.request_id}`.execute(trx);
}

async function record(
  trx: Trx,
  context: RequestContext,
  { row, progress, numbers }: { row: RequestRow; progress: Progress; numbers: RegisteredNumber[] },
): Promise<void> {
  if (progress.state === 'unavailable') return rest(trx, row);
  // Still complete, or the registry looks at it again meanwhile: numbers may have changed since, so they stay as they are.
  if (row.status === 'Complete' && progress.state !== 'Failed') return rest(trx, row);
  const reasons = progress.state === 'Failed' ? plainReasonsOf(progress.reasons) : [];
  const isChanged = await changeStatus(trx, row, progress.state, reasons);
  if (progress.state === 'Complete') {
    const { perMinute, messagesPerDay } = progress;
    const ids = numbers.map(({ text_number_id }) => text_number_id);
    await registerNumbers(trx, row.account_id, ids, {
      status: 'Registered',
      requestId: row.request_id,
      perMinute,
    });
    if (messagesPerDay !== null) await setDailyLimit(trx, row.account_id, messagesPerDay);
    // Bought during the request to the registrar, which doesn't know them yet.
    await reopenOrders(trx, row.account_id, row.request_id);
  } else if (progress.state === 'Failed') {
    // One that was complete was revoked: its numbers can't text any more.
    const waiting = numbers.filter(
      ({ registration_status }) =>
        registration_status === 'Pending' ||
        (isChanged && row.status === 'Complete' && registration_status === 'Registered'),
    );
    await registerNumbers(
      trx,
      row.account_id,
      waiting.map(({ text_number_id }) => text_number_id),
      { status: 'Rejected', requestId: row.request_id },
    );
  } else await rest(trx, row);
  if (!isChanged) return;
  const changed = { ...row, status: progress.state, reasons };
  await tellOwner(trx, changed, context.publicUrl);
  await recordEvents(trx, { accountId: row.account_id }, [
    { kind: 'registration.changed', id: row.request_id, changes: { status: [row.status, progress.state] } },
  ]);
  await notify(trx, row.account_id, [
    { type: 'registration.changed' },
    { type: 'textnumbers.changed' },
    { type: 'settings.changed' },
  ]);
}

async function changeStatus(
  trx: Trx,
  row: RequestRow,
  status: RequestRow['status'],
  reasons: PlainReason[],
): Promise<boolean> {
  const { rows } = await sql`
    update registration_requests
    set status = ${status}, reasons = ${JSON.stringify(reasons)}::jsonb, updated_at = now(), attempts = 0,
      held_until = null, look_at = case ${status} when 'Failed' then null
        when 'Complete' then now() + interval '1 day' else look_at end
    where account_id = ${row.account_id} and request_id = ${row.request_id} and status <> ${status}
      and (status in ('Processing', 'PendingContactAuthentication') or (status = 'Complete' and ${status} = 'Failed'))
    returning request_id`.execute(trx);
  return rows.length > 0;
}

/** It is checked again after a while, automatically; unless a webhook has made it due meanwhile. */
async function rest(trx: Trx, row: RequestRow): Promise<void> {
  await sql`
    update registration_requests
    set held_until = null, look_at = case when look_at <= now() then look_at
      when status = 'Complete' then now() + interval '1 day'
      else now() + ${lookPauseSeconds(row.attempts)} * interval '1 second' end
    where account_id = ${row.account_id} and request_id = ${row.request_id} and look_at is not null`.execute(
    trx,
  );
}

/** An event at the registrar: all open requests there are checked now, and complete ones that the event names. */
export async function nudgeRequests(trx: Trx, aggregatorId: number, event = ''): Promise<void> {
  await sql`
    update registration_requests set look_at = now()
    where aggregator_id = ${aggregatorId} and look_at is not null
      and (status <> 'Complete' or exists (
        select from jsonb_each_text(made) m where m.key ~ '(Id|Sid)$' and m.value <> '' and strpos(${event}, m.value) > 0))`.execute(
    trx,
  );
}
