import type { z } from 'zod';
import { type addContact, contactLimits, type updateContact } from '../../contract/contacts.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { maxLength } from '../../contract/fields/basic-rules.ts';
import { contactForm } from '../../contract/forms/contact.ts';
import { validatePhone } from '../../contract/phone/validate-phone.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';
import { segmentHasNoMembers } from './change/change-selection.ts';
import { fieldIdsByName } from './change/custom-fields.ts';

/** A contact's values as stored in the rows. */
export interface ContactValues {
  first_name: string;
  last_name: string;
  notes: string;
  primary_phone: string | null;
  secondary_phone: string | null;
  tertiary_phone: string | null;
  /** By the field's id. */
  custom_data: Record<string, string>;
}

type Typed = z.output<typeof addContact.body> | z.output<typeof updateContact.body>;
const phoneFields = ['PrimaryPhone', 'SecondaryPhone', 'TertiaryPhone'] as const;

/** Parses typed values by the rules of the organization's country, or refuses them at the invalid field. */
export async function readContact(trx: Trx, actor: Actor, typed: Typed): Promise<ContactValues> {
  const { country_id: countryId } = await trx
    .selectFrom('accounts')
    .select('country_id')
    .where('account_id', '=', actor.accountId)
    .executeTakeFirstOrThrow();
  const parsed = contactForm({ countryId }).safeParse(typed);
  const fields = (parsed.error?.issues ?? []).map((issue) => ({
    Field: issue.path.join('.'),
    Message: issue.message,
  }));
  for (const Field of phoneFields) {
    if (typed[Field].trim() === '' || fields.some((told) => told.Field === Field)) continue;
    const { error } = validatePhone(typed[Field], countryId);
    if (error !== undefined) fields.push({ Field, Message: error });
  }
  if (parsed.data === undefined || fields.length > 0) {
    throw new Refusal('invalid', fields[0]?.Message, { fields });
  }
  const form = parsed.data;
  const custom = await readCustomData(trx, actor, typed.CustomData, 'CustomData');
  return {
    first_name: form.FirstName,
    last_name: form.LastName,
    notes: form.Notes,
    primary_phone: form.PrimaryPhone,
    // A number typed twice is one number.
    secondary_phone: otherPhone(form.SecondaryPhone, [form.PrimaryPhone]),
    tertiary_phone: otherPhone(form.TertiaryPhone, [form.PrimaryPhone, form.SecondaryPhone]),
    custom_data: Object.fromEntries(
      Object.entries(custom).filter((entry): entry is [string, string] => entry[1] !== null),
    ),
  };
}

function otherPhone(phone: string, others: string[]): string | null {
  return phone === '' || others.includes(phone) ? null : phone;
}

/** Custom values by the field's id, from values by its name; an empty one is null. */
export async function readCustomData(
  trx: Trx,
  actor: Actor,
  typed: Record<string, string>,
  path: string,
): Promise<Record<string, string | null>> {
  if (Object.keys(typed).length === 0) return {};
  const ids = await fieldIdsByName(trx, actor.accountId);
  const values: Record<string, string | null> = {};
  for (const [name, text] of Object.entries(typed)) {
    const fieldId = ids.get(name.trim().toLowerCase());
    if (fieldId === undefined) throw refuseField(`${path}.${name}`, `There is no custom field ${name}.`);
    const error = maxLength(name, contactLimits.customValue)(text.trim());
    if (error !== undefined) throw refuseField(`${path}.${name}`, error);
    values[String(fieldId)] = text.trim() === '' ? null : text.trim();
  }
  return values;
}

/** Checks that contacts can be added to all of these groups. */
export async function refuseUnlessGroups(trx: Trx, actor: Actor, groupIds: number[]): Promise<void> {
  if (groupIds.length === 0) return;
  const groups = await trx
    .selectFrom('groups')
    .select('segment')
    .where('account_id', '=', actor.accountId)
    .where('group_id', 'in', groupIds)
    .where('deleted_at', 'is', null)
    .execute();
  if (groups.length < new Set(groupIds).size) {
    throw new Refusal('notFound', 'That group is no longer here.');
  }
  if (groups.some(({ segment }) => segment !== null)) throw new Refusal('refused', segmentHasNoMembers);
}
