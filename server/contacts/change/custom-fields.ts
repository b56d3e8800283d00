import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import {
  type addCustomField as addDefinition,
  contactLimits,
  type deleteCustomField as deleteDefinition,
  type updateCustomField as updateDefinition,
} from '../../../contract/contacts.ts';
import { Refusal, refuseField } from '../../../contract/errors.ts';
import { maxLength, required } from '../../../contract/fields/basic-rules.ts';
import { firstFailure } from '../../../contract/fields/rule.ts';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { lockContacts } from '../lock-contacts.ts';
import { changeOrWork } from './change-selection.ts';

const nameLength = 50;
const nameRules = [required('Name'), maxLength('Name', nameLength)];
/**
 * {{FirstName}} and the other built-in fields belong to every contact: a field of that name could never be
 * merged.
 */
const reservedNames = new Set(
  [
    'FirstName', 'LastName', 'FullName', 'Name', 'Notes', 'Note', 'PhoneNumber', 'Phone', 'PrimaryPhone',
    'SecondaryPhone', 'TertiaryPhone', 'Phone1', 'Phone2', 'Phone3', 'Groups', 'Group', 'Lists', 'PersonID',
  ].map(comparable),
); // biome-ignore format: one word each

const tooMany = `You can have at most ${contactLimits.customFields} custom fields.`;
const nameTaken = 'There is already a custom field with this name.';

/** "First name" and first_name are read as the merge field FirstName. */
function comparable(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

/** Reason why this can't be the name of a custom field; undefined when it can. */
export function fieldNameError(name: string): string | undefined {
  if (reservedNames.has(comparable(name))) return `${name} is a field of every contact already.`;
  // Values are sent by name, and no program may mistake this one for a name.
  if (name === '__proto__') return 'A custom field can’t be called __proto__.';
  if (/[{}|]/.test(name)) return 'A name can’t hold {, } or |: they mark merge fields in a message.';
  return firstFailure(name, nameRules);
}

export async function listCustomFields(trx: Trx, actor: Actor) {
  return { Items: await fieldsOf(trx, actor.accountId) };
}

function fieldsOf(trx: Trx, accountId: number) {
  return trx
    .selectFrom('custom_fields')
    .select(['field_id as FieldID', 'name as Name'])
    .where('account_id', '=', accountId)
    .orderBy('field_id')
    .execute();
}

/** Field ids by lower-case name. */
export async function fieldIdsByName(trx: Trx, accountId: number): Promise<Map<string, number>> {
  const fields = await fieldsOf(trx, accountId);
  return new Map(fields.map(({ FieldID, Name }) => [Name.toLowerCase(), FieldID]));
}

export async function addCustomField(trx: Trx, actor: Actor, { body }: Input<typeof addDefinition>) {
  const name = body.Name.trim();
  await lockContacts(trx, actor.accountId);
  const fields = await fieldsOf(trx, actor.accountId);
  refuseName(name, fields);
  if (fields.length >= contactLimits.customFields) throw new Refusal('refused', tooMany);
  const made = await trx
    .insertInto('custom_fields')
    .values({ account_id: actor.accountId, name })
    .onConflict((conflict) => conflict.doNothing())
    .returning(['field_id as FieldID', 'name as Name'])
    .executeTakeFirst();
  if (made === undefined) throw refuseField('Name', nameTaken);
  await notify(trx, actor.accountId, [{ type: 'contacts.changed' }]);
  return made;
}

export async function updateCustomField(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof updateDefinition>,
) {
  const name = body.Name.trim();
  await lockContacts(trx, actor.accountId);
  const fields = await fieldsOf(trx, actor.accountId);
  if (!fields.some(({ FieldID }) => FieldID === params.FieldID)) throw new Refusal('notFound');
  refuseName(
    name,
    fields.filter(({ FieldID }) => FieldID !== params.FieldID),
  );
  await trx
    .updateTable('custom_fields')
    .set({ name })
    .where('account_id', '=', actor.accountId)
    .where('field_id', '=', params.FieldID)
    .execute();
  await notify(trx, actor.accountId, [{ type: 'contacts.changed' }]);
  return { FieldID: params.FieldID, Name: name };
}

function refuseName(name: string, others: { Name: string }[]): void {
  const error = fieldNameError(name);
  if (error !== undefined) throw refuseField('Name', error);
  const taken = others.some(({ Name }) => Name.toLowerCase() === name.toLowerCase());
  if (taken) throw refuseField('Name', nameTaken);
}

/**
 * The field is gone at once; its values are removed from the contacts, in the background if there are many.
 */
export async function deleteCustomField(trx: Trx, actor: Actor, { params }: Input<typeof deleteDefinition>) {
  await lockContacts(trx, actor.accountId);
  const gone = await trx
    .deleteFrom('custom_fields')
    .where('account_id', '=', actor.accountId)
    .where('field_id', '=', params.FieldID)
    .returning('field_id')
    .executeTakeFirst();
  if (gone === undefined) throw new Refusal('notFound');
  await changeOrWork(trx, actor, {
    change: { kind: 'clearField', fieldId: params.FieldID },
    from: { fieldId: params.FieldID },
  });
  return {};
}

/**
 * The fields with these names, by lower-case name; missing ones are created. Invalid names are refused, and
 * so is exceeding the maximum number.
 */
export async function findOrCreateFields(
  trx: Trx,
  accountId: number,
  names: string[],
): Promise<Map<string, number>> {
  const wanted = new Map(names.map((name) => [name.toLowerCase(), name.trim()]));
  if (wanted.size === 0) return new Map();
  for (const name of wanted.values()) {
    const error = fieldNameError(name);
    if (error !== undefined) throw refuseField('CustomData', error);
  }
  const { rows } = await sql<{ key: string; field_id: number }>`
    with wanted as (
      select * from unnest(${[...wanted.keys()]}::text[], ${[...wanted.values()]}::text[]) as w(key, name)
    ),
    found as (
      insert into custom_fields (account_id, name)
      select ${accountId}::bigint, min(name) from wanted group by lower(name) order by lower(name)
      -- An update that changes nothing, so that the statement also returns fields that others have just
      -- created.
      on conflict (account_id, lower(name)) do update set name = custom_fields.name
      returning field_id, name
    )
    select w.key, f.field_id from wanted w join found f on lower(f.name) = lower(w.name)`.execute(trx);
  if ((await fieldsOf(trx, accountId)).length > contactLimits.customFields) {
    throw new Refusal('refused', tooMany);
  }
  return new Map(rows.map(({ key, field_id }) => [key, field_id]));
}
