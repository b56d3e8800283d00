import { randomUUID } from 'node:crypto';
import type { Input } from '../../contract/call.ts';
import type * as calls from '../../contract/calling.ts';
import { type CallerID, callingRefusals } from '../../contract/calling.ts';
import { Refusal } from '../../contract/errors.ts';
import { wirePhone } from '../../contract/phone/normalize-phone.ts';
import { asAccount, asSystem, type Trx } from '../db.ts';
import { notify } from '../notify.ts';
import type { CallProvider } from '../outside/calls.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor, App } from '../serve.ts';
import { readOwnCallers, requirePhone } from './queries.ts';
import { writeCallerIdKey } from './take-verified.ts';

type Providers = ReadonlyMap<number, CallProvider>;

/** The account's own numbers, then verified ones and those that wait for their code. */
export async function listCallerIds(trx: Trx, actor: Actor): Promise<{ Items: CallerID[] }> {
  const { chosen, own } = await readOwnCallers(trx, actor);
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
        PhoneNumber: wirePhone(phone, actor.account.CountryID),
        Name: name,
        Status: 'Verified' as const,
        IsDefault: phone === chosen,
        Code: '',
      })),
      ...others.map((row) => ({ ...toCallerId(actor, row), IsDefault: row.phone === chosen })),
    ],
  };
}

interface Row {
  caller_id_id: number;
  phone: string;
  name: string;
  status: string;
  code: string;
}

function toCallerId({ account }: Actor, row: Row): CallerID {
  return {
    CallerIDID: row.caller_id_id,
    PhoneNumber: wirePhone(row.phone, account.CountryID),
    Name: row.name,
    Status: row.status as CallerID['Status'],
    IsDefault: false,
    Code: row.status === 'Pending' ? row.code : '',
  };
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
  const verifyKey = randomUUID();
  const key = writeCallerIdKey({ accountId: actor.accountId, verifyKey });
  const begun = await begin(database, provider, { phone, name: body.Name, key }).catch((error) => {
    if (error instanceof Refusal) throw error;
    throw new Refusal('unavailable', 'The number can’t be verified at the moment. Please try again later.');
  });
  return asAccount(database, actor.accountId, async (trx) => {
    const columns = { code: begun.code, name: body.Name, verify_key: verifyKey };
    const row = await trx
      .insertInto('caller_ids')
      .values({ account_id: actor.accountId, phone, user_id: actor.userId, ...columns })
      .onConflict((on) => on.columns(['account_id', 'phone']).doUpdateSet(columns))
      .returning(['caller_id_id', 'phone', 'name', 'status', 'code'])
      .executeTakeFirstOrThrow();
    await recordEvents(trx, actor, [{ kind: 'callerId.created', id: row.caller_id_id }]);
    await notify(trx, actor.accountId, [{ type: 'settings.changed' }]);
    return toCallerId(actor, row);
  });
}

/** One that the provider knows, and that belongs to nobody here, was deleted here before: it is verified again. */
async function begin(
  database: App['database'],
  provider: CallProvider,
  { phone, name, key }: { phone: string; name: string; key: string },
): Promise<{ code: string }> {
  const first = await provider.verifyCallerId(phone, name, key);
  if (first !== undefined) return first;
  if (await isUsed(database, phone)) throw new Refusal('conflict', callingRefusals.verifiedElsewhere);
  await provider.forgetCallerId(phone);
  const second = await provider.verifyCallerId(phone, name, key);
  if (second === undefined) throw new Refusal('conflict', callingRefusals.verifiedElsewhere);
  return second;
}

/** True if an organization here has verified it. */
function isUsed(database: App['database'], phone: string): Promise<boolean> {
  return asSystem(database, async (trx) => {
    const used = await trx
      .selectFrom('caller_ids')
      .select('caller_id_id')
      .where('phone', '=', phone)
      .where('status', '=', 'Verified')
      .executeTakeFirst();
    return used !== undefined;
  });
}

/** The provider forgets it too, so that it can be verified again. If that fails, adding it again does so. */
export async function deleteCallerId(
  { database }: App,
  providers: Providers,
  actor: Actor,
  { params }: Input<typeof calls.deleteCallerId>,
) {
  const gone = await asAccount(database, actor.accountId, async (trx) => {
    const row = await trx
      .deleteFrom('caller_ids')
      .where('account_id', '=', actor.accountId)
      .where('caller_id_id', '=', params.CallerIDID)
      .returning(['caller_id_id', 'phone', 'status'])
      .executeTakeFirst();
    if (row === undefined) throw new Refusal('notFound', 'That caller ID is no longer here.');
    await recordEvents(trx, actor, [{ kind: 'callerId.deleted', id: row.caller_id_id }]);
    await notify(trx, actor.accountId, [{ type: 'settings.changed' }]);
    return row;
  });
  if (gone.status === 'Verified' && !(await isUsed(database, gone.phone)))
    await providers
      .get(2)
      ?.forgetCallerId(gone.phone)
      .catch(() => undefined);
  return {};
}
