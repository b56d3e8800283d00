import type { Input } from '../../contract/call.ts';
import type * as calls from '../../contract/calling.ts';
import { type CallerID, callingRefusals } from '../../contract/calling.ts';
import { Refusal } from '../../contract/errors.ts';
import { domesticDigits, normalizePhone } from '../../contract/phone/normalize-phone.ts';
import { getPlace } from '../consents/queries.ts';
import { asAccount, type Trx } from '../db.ts';
import { notify } from '../notify.ts';
import type { CallProvider } from '../outside/calls.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor, App } from '../serve.ts';
import { requirePhone } from './queries.ts';

type Providers = ReadonlyMap<number, CallProvider>;

/** The account's own numbers, then verified ones. The provider is asked about pending ones first. */
export async function listCallerIds(
  { database }: App,
  providers: Providers,
  actor: Actor,
): Promise<{ Items: CallerID[] }> {
  await settlePending(database, providers, actor);
  return asAccount(database, actor.accountId, async (trx) => {
    const { countryId } = await getPlace(trx, actor);
    const user = await trx
      .selectFrom('users')
      .select('caller_id')
      .where('account_id', '=', actor.accountId)
      .where('user_id', '=', actor.userId)
      .executeTakeFirstOrThrow();
    const chosen = normalizePhone(user.caller_id, countryId);
    const own = await trx
      .selectFrom('text_numbers')
      .select(['phone', 'name'])
      .where('account_id', '=', actor.accountId)
      .where('released_at', 'is', null)
      .orderBy('is_default', 'desc')
      .orderBy('text_number_id')
      .execute();
    const others = await trx
      .selectFrom('caller_ids')
      .select(['caller_id_id', 'phone', 'name', 'status', 'code'])
      .where('account_id', '=', actor.accountId)
      .orderBy('caller_id_id')
      .execute();
    return {
      Items: [
        ...own.map(({ phone, name }) => ({
          CallerIDID: null,
          PhoneNumber: domesticDigits(phone),
          Name: name,
          Status: 'Verified' as const,
          IsDefault: phone === chosen,
          Code: '',
        })),
        ...others.map((row) => ({ ...toCallerId(row), IsDefault: row.phone === chosen })),
      ],
    };
  });
}

interface Row {
  caller_id_id: number;
  phone: string;
  name: string;
  status: string;
  code: string;
}

function toCallerId(row: Row): CallerID {
  return {
    CallerIDID: row.caller_id_id,
    PhoneNumber: domesticDigits(row.phone),
    Name: row.name,
    Status: row.status as CallerID['Status'],
    IsDefault: false,
    Code: row.status === 'Pending' ? row.code : '',
  };
}

async function settlePending(database: App['database'], providers: Providers, actor: Actor): Promise<void> {
  const provider = providers.get(2);
  const pending = await asAccount(database, actor.accountId, (trx) =>
    trx
      .selectFrom('caller_ids')
      .select(['caller_id_id', 'phone'])
      .where('account_id', '=', actor.accountId)
      .where('status', '=', 'Pending')
      .execute(),
  );
  for (const { caller_id_id, phone } of pending) {
    // A number that could not be checked is checked the next time.
    const isVerified = await provider?.isCallerIdVerified(phone).catch(() => false);
    if (isVerified === true)
      await asAccount(database, actor.accountId, (trx) => verify(trx, actor, caller_id_id));
  }
}

async function verify(trx: Trx, actor: Actor, callerIdId: number): Promise<void> {
  await trx
    .updateTable('caller_ids')
    .set({ status: 'Verified', code: '', verified_at: new Date() })
    .where('account_id', '=', actor.accountId)
    .where('caller_id_id', '=', callerIdId)
    .execute();
  await notify(trx, actor.accountId, [{ type: 'settings.changed' }]);
}

export async function addCallerId(
  { database }: App,
  providers: Providers,
  actor: Actor,
  { body }: Input<typeof calls.addCallerId>,
): Promise<CallerID> {
  const provider = providers.get(2);
  if (provider === undefined) throw new Refusal('refused', callingRefusals.noProvider);
  const phone = await asAccount(database, actor.accountId, async (trx) => {
    const asked = await requirePhone(trx, actor, body.PhoneNumber);
    const known = await trx
      .selectFrom('caller_ids')
      .select('status')
      .where('account_id', '=', actor.accountId)
      .where('phone', '=', asked)
      .executeTakeFirst();
    if (known?.status === 'Verified') throw new Refusal('conflict', 'This caller ID was verified before.');
    return asked;
  });
  const { code } = await provider.verifyCallerId(phone, body.Name).catch(() => {
    throw new Refusal('unavailable', 'The number can’t be verified at the moment. Please try again later.');
  });
  return asAccount(database, actor.accountId, async (trx) => {
    const row = await trx
      .insertInto('caller_ids')
      .values({ account_id: actor.accountId, phone, name: body.Name, code, user_id: actor.userId })
      .onConflict((on) => on.columns(['account_id', 'phone']).doUpdateSet({ code, name: body.Name }))
      .returning(['caller_id_id', 'phone', 'name', 'status', 'code'])
      .executeTakeFirstOrThrow();
    await recordEvents(trx, actor, [{ kind: 'callerId.created', id: row.caller_id_id }]);
    await notify(trx, actor.accountId, [{ type: 'settings.changed' }]);
    return toCallerId(row);
  });
}

export async function deleteCallerId(trx: Trx, actor: Actor, { params }: Input<typeof calls.deleteCallerId>) {
  const gone = await trx
    .deleteFrom('caller_ids')
    .where('account_id', '=', actor.accountId)
    .where('caller_id_id', '=', params.CallerIDID)
    .returning('caller_id_id')
    .executeTakeFirst();
  if (gone === undefined) throw new Refusal('notFound', 'That caller ID is no longer here.');
  await notify(trx, actor.accountId, [{ type: 'settings.changed' }]);
  return {};
}
