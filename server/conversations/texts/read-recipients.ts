import { sql } from 'kysely';
import type { z } from 'zod';
import type { recipient as recipientSchema } from '../../../contract/compose.ts';
import { composeMessages } from '../../../contract/forms/compose-text.ts';
import { validatePhone } from '../../../contract/phone/validate-phone.ts';
import { type MergeSource, mergeValues } from '../../../contract/text/merge-fields.ts';
import { isSeenContact } from '../../access/queries.ts';
import { getPlace } from '../../consents/queries.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import type { Draft, JudgedText } from '../../texts/judge-texts.ts';

/** A recipient. */
export interface Addressee {
  personId: number | null;
  /** International digits without the plus. */
  phone: string;
  firstName: string;
  lastName: string;
  /** An individual text instead of the common one. */
  ownText: string | null;
}

/** The recipient as given: perhaps not a number, or a repeated one. */
export type ReadRecipient = Omit<Addressee, 'phone'> & { typed: string } & (
    | { phone: string; problem: undefined }
    | { phone: string | undefined; problem: Pick<JudgedText, 'status' | 'error'> }
  );

export async function readRecipients(
  trx: Trx,
  actor: Actor,
  given: z.output<typeof recipientSchema>[],
): Promise<ReadRecipient[]> {
  const { countryId } = await getPlace(trx, actor);
  const seen = new Set<string>();
  return given.map((one) => {
    const recipient = {
      personId: one.PersonID ?? null,
      typed: one.PrimaryPhone,
      firstName: one.FirstName ?? '',
      lastName: one.LastName ?? '',
      ownText: one.TextMessage ?? null,
    };
    const { phone, error } = validatePhone(one.PrimaryPhone, countryId);
    if (phone === undefined) return { ...recipient, phone, problem: { status: 'InvalidPhone', error } };
    const isDuplicate = seen.has(phone);
    seen.add(phone);
    return isDuplicate
      ? { ...recipient, phone, problem: { status: 'Duplicate', error: composeMessages.duplicate } }
      : { ...recipient, phone, problem: undefined };
  });
}

/**
 * Each recipient's text: the common or an individual one, with the current values of the contact. For a
 * recipient who isn't a contact, or not one that this actor sees, the given names.
 */
export async function draftTexts<One extends Omit<Addressee, 'phone'> & { phone: string | undefined }>(
  trx: Trx,
  actor: Actor,
  addressees: One[],
  message: string,
): Promise<(Draft & { to: One })[]> {
  const people = await findPeople(
    trx,
    actor,
    addressees.flatMap(({ personId }) => personId ?? []),
  );
  return addressees.map((to) => {
    const { personId, phone = '', firstName, lastName, ownText } = to;
    return {
      to,
      phone,
      message: ownText ?? message,
      values: mergeValues({ firstName, lastName, ...people.get(personId ?? 0), phone }),
    };
  });
}

type Person = Omit<MergeSource, 'phone'> & { otherPhones: string[] };

/** Contacts that this actor sees, by their ids. */
export async function findPeople(trx: Trx, actor: Actor, personIds: number[]): Promise<Map<number, Person>> {
  if (personIds.length === 0) return new Map();
  const own = isSeenContact(actor);
  const { rows } = await sql<Required<Person> & { person_id: number }>`
    select c.person_id, c.first_name as "firstName", c.last_name as "lastName", c.notes,
      array_remove(array[c.secondary_phone, c.tertiary_phone]::text[], null) as "otherPhones",
      coalesce((
        select jsonb_object_agg(f.name, c.custom_data ->> f.field_id::text) from custom_fields f
        where f.account_id = c.account_id and c.custom_data ->> f.field_id::text is not null), '{}') as "customData"
    from contacts c
    where c.account_id = ${actor.accountId} and c.person_id = any(${personIds}::bigint[]) and c.deleted_at is null
      and ${own}`.execute(trx);
  return new Map(rows.map(({ person_id, ...person }) => [person_id, person]));
}
