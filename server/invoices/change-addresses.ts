import type { Input } from '../../contract/call.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { fieldErrors } from '../../contract/fields/form.ts';
import { invoiceAddressForm } from '../../contract/forms/postal-address.ts';
import type {
  addInvoiceAddress as addition,
  deleteInvoiceAddress as deletion,
  InvoiceAddress,
  updateInvoiceAddress as update,
} from '../../contract/invoices.ts';
import { findState } from '../../contract/reference/states.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import type { Actor } from '../serve.ts';

/** Other accounts' addresses are not found. */
export function refuseOtherAccount(actor: Actor, { AccountID }: { AccountID: number }): void {
  if (AccountID !== actor.accountId) throw new Refusal('notFound');
}

const columns = [
  'invoice_address_id as AddressID',
  'is_default as IsDefault',
  'is_active as IsActive',
  'address1 as Address1',
  'address2 as Address2',
  'address3 as Address3',
  'address4 as Address4',
  'city as City',
  'state as State',
  'postal_code as PostalCode',
] as const;

export async function listAddresses(trx: Trx, actor: Actor, withInactive: boolean) {
  const query = trx.selectFrom('invoice_addresses').select(columns).where('account_id', '=', actor.accountId);
  const Items = await (withInactive ? query : query.where('is_active', '=', true))
    .orderBy('is_default', 'desc')
    .orderBy('invoice_address_id')
    .execute();
  return { Items, Size: Items.length };
}

type Typed = Input<typeof addition>['body'];

function rowOf(actor: Actor, body: Typed) {
  const form = invoiceAddressForm({ countryId: actor.account.CountryID });
  // A state's full name is valid too; the rule requires its abbreviation.
  const State = findState(body.State)?.code ?? body.State;
  const given = { ...body, State };
  for (const [field, message] of Object.entries(fieldErrors(form, given))) throw refuseField(field, message);
  return {
    address1: given.Address1,
    address2: given.Address2,
    address3: given.Address3,
    address4: given.Address4,
    city: given.City,
    state: State,
    postal_code: given.PostalCode,
  };
}

/** There is one default at a time; setting another clears the previous one. */
async function dropDefault(trx: Trx, accountId: number): Promise<void> {
  await trx
    .updateTable('invoice_addresses')
    .set({ is_default: false })
    .where('account_id', '=', accountId)
    .where('is_default', '=', true)
    .execute();
}

/**
 * Addresses are changed by one request at a time: the account's row is locked, so that two can't both be the
 * default.
 */
async function holdAddresses(trx: Trx, accountId: number): Promise<{ count: number }> {
  await trx
    .selectFrom('accounts')
    .select('account_id')
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .execute();
  return trx
    .selectFrom('invoice_addresses')
    .select((from) => from.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('is_active', '=', true)
    .executeTakeFirstOrThrow();
}

export async function addAddress(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof addition>,
): Promise<InvoiceAddress> {
  refuseOtherAccount(actor, params);
  const row = rowOf(actor, body);
  const { count } = await holdAddresses(trx, actor.accountId);
  const isDefault = count === 0 || body.IsDefault === true;
  if (isDefault) await dropDefault(trx, actor.accountId);
  await notify(trx, actor.accountId, [{ type: 'billing.changed' }]);
  return trx
    .insertInto('invoice_addresses')
    .values({ account_id: actor.accountId, is_default: isDefault, ...row })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export async function updateAddress(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof update>,
): Promise<InvoiceAddress> {
  refuseOtherAccount(actor, params);
  const row = rowOf(actor, body);
  await holdAddresses(trx, actor.accountId);
  if (body.IsDefault) await dropDefault(trx, actor.accountId);
  const updated = await trx
    .updateTable('invoice_addresses')
    .set({ ...row, ...(body.IsDefault ? { is_default: true } : {}) })
    .where('account_id', '=', actor.accountId)
    .where('invoice_address_id', '=', body.AddressID)
    .where('is_active', '=', true)
    .returning(columns)
    .executeTakeFirst();
  if (updated === undefined) throw new Refusal('notFound');
  await notify(trx, actor.accountId, [{ type: 'billing.changed' }]);
  return updated;
}

/**
 * Invoices keep their address; it is only no longer offered. The oldest remaining one becomes the default.
 */
export async function deleteAddress(
  trx: Trx,
  actor: Actor,
  { params, query }: Input<typeof deletion>,
): Promise<Record<string, never>> {
  refuseOtherAccount(actor, params);
  await holdAddresses(trx, actor.accountId);
  const deleted = await trx
    .updateTable('invoice_addresses')
    .set({ is_active: false, is_default: false })
    .where('account_id', '=', actor.accountId)
    .where('invoice_address_id', '=', query.AddressID)
    .where('is_active', '=', true)
    .returning('invoice_address_id')
    .executeTakeFirst();
  if (deleted === undefined) throw new Refusal('notFound');
  const { Items } = await listAddresses(trx, actor, false);
  const [next] = Items;
  if (next !== undefined && !Items.some(({ IsDefault }) => IsDefault)) {
    await trx
      .updateTable('invoice_addresses')
      .set({ is_default: true })
      .where('account_id', '=', actor.accountId)
      .where('invoice_address_id', '=', next.AddressID)
      .execute();
  }
  await notify(trx, actor.accountId, [{ type: 'billing.changed' }]);
  return {};
}
