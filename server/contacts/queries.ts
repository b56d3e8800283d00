import { type RawBuilder, sql } from 'kysely';
import {
  type Contact,
  type SelectionQuery,
  specialGroups,
  type WholeContact,
} from '../../contract/contacts.ts';
import { isTextStatusCode, textStatuses } from '../../contract/delivery/text-status.ts';
import { Refusal } from '../../contract/errors.ts';
import { phoneLookupMessage } from '../../contract/fields/asynchronous-checks.ts';
import type { Segment } from '../../contract/lists.ts';
import { wirePhone } from '../../contract/phone/normalize-phone.ts';
import { validatePhone } from '../../contract/phone/validate-phone.ts';
import type { SelectionOfIds } from '../../contract/selection.ts';
import { isOfUsableNumber, isSeenContact, onlyContactsOf } from '../access/queries.ts';
import type { Trx } from '../db.ts';
import { selectedRows } from '../selection.ts';
import type { Actor } from '../serve.ts';
import { consentCondition, isMember, segmentCondition } from './groups/segment-condition.ts';
import { type SearchPatterns, searchPatterns, similarFromLength } from './rules.ts';

type Condition = RawBuilder<unknown>;

/** A requested list, with its parsed search. */
export interface ShownList {
  listId: number;
  segment: Segment | null;
  /** The search in lower case without accents, as in contact_search; empty without a search. */
  folded: string;
  requiresOptIn: boolean;
  /** Number of rows of the list for a user who sees all; for a segment, when it was last evaluated. */
  rosterCount: number;
}

export async function requireShownList(
  trx: Trx,
  actor: Actor,
  listId: number,
  q: string,
): Promise<ShownList> {
  const { rows } = await sql<ShownList & { isThere: boolean }>`
    select ${listId}::bigint as "listId", g.group_id is not null or ${listId}::bigint <= 0 as "isThere", g.segment,
      fold_text(${q}) as folded, a.require_text_opt_in as "requiresOptIn",
      coalesce(k.roster_count, 0) as "rosterCount"
    from accounts a
    left join groups g on g.account_id = a.account_id and g.group_id = ${listId} and g.deleted_at is null
    left join list_counts k on k.account_id = a.account_id and k.list_id = ${listId}
    where a.account_id = ${actor.accountId}`.execute(trx);
  const [list] = rows;
  if (!list?.isThere) throw new Refusal('notFound');
  return { ...list, folded: list.folded.trim() };
}

/** A list that can be named in a path, with the columns that a change or an import needs. */
export interface KnownList {
  listId: number;
  isSegment: boolean;
}

/** Everyone, Unfiled, Deleted, or a group that still exists. */
export async function requireList(trx: Trx, actor: Actor, listId: number): Promise<KnownList> {
  if (listId <= 0) return { listId, isSegment: false };
  const group = await trx
    .selectFrom('groups')
    .select('segment')
    .where('account_id', '=', actor.accountId)
    .where('group_id', '=', listId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (group === undefined) throw new Refusal('notFound', 'That group is no longer here.');
  return { listId, isSegment: group.segment !== null };
}

/** An inclusive range of ids: the rows of a slice of long work. */
export interface Within {
  firstId: number;
  lastId: number;
}

/**
 * The rows of a list with its search for this actor, as a condition on `contacts c`: exactly those of
 * listContacts, so that a selection of all of them affects no others. The transaction must be the account's
 * (asAccount). Approximate matches are never part of "all": the last exact match may have gone in the
 * meantime.
 *
 * `within` narrows it to a range of ids, and the search too.
 */
export async function contactsShown(
  trx: Trx,
  actor: Actor,
  { listId, query, within }: { listId: number; query: SelectionQuery; within?: Within | undefined },
): Promise<Condition> {
  const list = await requireShownList(trx, actor, listId, query.q);
  const conditions = [...(await listConditions(trx, actor, list)), ...filterConditions(query, list)];
  if (within !== undefined) {
    conditions.push(sql`c.person_id between ${within.firstId} and ${within.lastId}`);
  }
  if (list.folded === '') return sql.join(conditions, sql` and `);
  return sql.join([...conditions, searchCondition(actor, list, within)], sql` and `);
}

/** A selection in a list, as a condition on `contacts c`. */
export async function contactsSelected(
  trx: Trx,
  actor: Actor,
  from: { listId: number; query: SelectionQuery; selection: SelectionOfIds },
  within?: Within,
): Promise<Condition> {
  // Contacts selected one by one are included, whatever the search: it may have shown approximate matches.
  const query = from.selection.Type === 'Selected' ? { ...from.query, q: '' } : from.query;
  const all = await contactsShown(trx, actor, { listId: from.listId, query, within });
  return selectedRows(sql`c.person_id`, from.selection, sql`(${all})`);
}

/** The members of the list, and which of them this actor sees. */
export async function listConditions(trx: Trx, actor: Actor, list: ShownList): Promise<Condition[]> {
  const conditions = [
    sql`c.account_id = ${actor.accountId}`,
    list.listId === specialGroups.deleted ? sql`c.deleted_at is not null` : sql`c.deleted_at is null`,
  ];
  if (!actor.canSeeAllRoster) conditions.push(sql`c.created_by_user_id = ${actor.userId}`);
  if (list.segment !== null) conditions.push(await segmentCondition(trx, actor.accountId, list.segment));
  else if (hasMembers(list)) conditions.push(isMember(list.listId));
  return conditions;
}

/** Groups, and the unfiled, who are members of -1. */
export function hasMembers({ listId, segment }: ShownList): boolean {
  return segment === null && listId !== specialGroups.everyone && listId !== specialGroups.deleted;
}

export function filterConditions(
  filters: Pick<SelectionQuery, 'consent' | 'problem'>,
  { requiresOptIn }: Pick<ShownList, 'requiresOptIn'>,
): Condition[] {
  const conditions: Condition[] = [];
  if (filters.consent !== undefined) conditions.push(sql`(${consentCondition(filters.consent)})`);
  if (filters.problem !== undefined) {
    const canBeTexted = sql`(
      c.primary_phone is not null
      and not exists (
        select from phone_lookups l where l.account_id = c.account_id and l.phone = c.primary_phone
        and (not l.is_valid or l.line_type = 'landline'))
      and not ${consentCondition('optedout')}
      ${requiresOptIn ? sql`and ${consentCondition('optedin')}` : sql``})`;
    conditions.push(filters.problem ? sql`not ${canBeTexted}` : canBeTexted);
  }
  return conditions;
}

/** Deleted contacts are not in contact_search: they are scanned one by one. */
function searchCondition(actor: Actor, list: ShownList, within?: Within): Condition {
  if (list.listId !== specialGroups.deleted) {
    return sql`c.person_id in (select f.person_id from ${foundContacts(actor, list, within)} f)`;
  }
  return deletedSearch(searchPatterns(list.folded));
}

export function deletedSearch({ patterns, digits }: SearchPatterns): Condition {
  const text = sql`contact_search_text(c.first_name, c.last_name, c.notes,
    c.primary_phone, c.secondary_phone, c.tertiary_phone, c.custom_data)`;
  const words = sql`${text} like all(${patterns}::text[])`;
  return digits === null ? words : sql`(${words} or ${text} like ${digits})`;
}

/**
 * The rows (person_id, sort_name) that match a search's words, limited to those the actor sees, and to a
 * group's members if the list is one.
 */
export function foundContacts(actor: Actor, list: ShownList, within?: Within): Condition {
  const { patterns, digits } = searchPatterns(list.folded);
  return sql`find_contacts(${patterns}::text[], ${digits}::text, ${hasMembers(list) ? list.listId : null}::bigint,
    ${onlyContactsOf(actor)}::bigint,
    ${within?.firstId ?? null}::bigint, ${within?.lastId ?? null}::bigint)`;
}

/** True if approximate matches may be shown when there are no exact ones. */
export function canBeSimilar({ listId, folded }: ShownList): boolean {
  return folded.length >= similarFromLength && listId !== specialGroups.deleted;
}

/** Enough for a few pages; nobody looks further among approximate matches. */
const mostSimilar = 300;

/** The rows (person_id, sort_name, nearness) that match a search approximately. */
export function similarContacts(actor: Actor, list: ShownList): Condition {
  return sql`find_similar_contacts(${list.folded}, ${hasMembers(list) ? list.listId : null}::bigint,
    ${onlyContactsOf(actor)}::bigint, ${mostSimilar})`;
}

/** The saved data about a phone; all null without any. */
interface KnownPhone {
  phone: string;
  textState: 'in' | 'out' | null;
  voiceState: 'in' | 'out' | null;
  isValid: boolean | null;
  lineType: string | null;
  carrierName: string | null;
  lastTextAt: Date | null;
  lastStatus: string | null;
}

interface ContactRow extends Pick<Contact, 'PersonID' | 'FirstName' | 'LastName' | 'Notes' | 'Lists'> {
  primary: string | null;
  secondary: string | null;
  tertiary: string | null;
  customData: Record<string, string>;
  CreateTimestamp: Date;
  requiresOptIn: boolean;
}

/** The columns of a contact; `c` is the contact, `acc` its account. */
const columns = sql`
  c.person_id as "PersonID", c.first_name as "FirstName", c.last_name as "LastName", c.notes as "Notes",
  c.primary_phone as primary, c.secondary_phone as secondary, c.tertiary_phone as tertiary,
  c.custom_data as "customData", c.created_at as "CreateTimestamp", acc.require_text_opt_in as "requiresOptIn",
  coalesce((
    select json_agg(json_build_object('ListID', g.group_id, 'ListName', g.name, 'Color', g.color) order by g.name collate natural_order)
    from group_members m join groups g on g.account_id = m.account_id and g.group_id = m.group_id
    where m.account_id = c.account_id and m.person_id = c.person_id and g.deleted_at is null), '[]') as "Lists"`;

/**
 * Contacts in the order of the given ids, as far as this actor sees them. Deleted ones too. What is known about their
 * phones is queried separately: planning one statement for everything took four times as long as running the three.
 */
export async function contactRows(trx: Trx, actor: Actor, personIds: number[]): Promise<Contact[]> {
  if (personIds.length === 0) return [];
  const { rows } = await sql<ContactRow>`
    select ${columns} from unnest(${personIds}::bigint[]) with ordinality p(person_id, place)
    join contacts c on c.account_id = ${actor.accountId} and c.person_id = p.person_id
    join accounts acc on acc.account_id = c.account_id
    where ${isSeen(actor)}
    order by p.place`.execute(trx);
  const known = await readPhones(trx, actor, rows);
  const fields = await readFields(trx, actor, rows);
  return rows.map((row) => toContact(row, { phones: known, fields, actor }));
}

function isSeen(actor: Actor): Condition {
  return isSeenContact(actor);
}

/** By phone. The last text only for numbers that the actor may use. */
async function readPhones(trx: Trx, actor: Actor, rows: ContactRow[]): Promise<Map<string, KnownPhone>> {
  const all = rows.flatMap(({ primary, secondary, tertiary }) => [primary, secondary, tertiary]);
  const phones = [...new Set(all.filter((phone) => phone !== null))];
  if (phones.length === 0) return new Map();
  const { rows: known } = await sql<KnownPhone>`
    select p.phone, a.text_state as "textState", a.voice_state as "voiceState", l.is_valid as "isValid",
      l.line_type as "lineType", l.carrier_name as "carrierName", t.created_at as "lastTextAt", t.status as "lastStatus"
    from unnest(${phones}::text[]) p(phone)
    left join phone_consents a on a.account_id = ${actor.accountId} and a.phone = p.phone
    left join phone_lookups l on l.account_id = ${actor.accountId} and l.phone = p.phone
    left join lateral (
      select last_message_id from conversations v
      where v.account_id = ${actor.accountId} and v.phone = p.phone and ${isOfUsableNumber(actor, sql`v.text_number_id`)}
      order by v.last_message_at desc limit 1
    ) v on true
    left join messages t on t.account_id = ${actor.accountId} and t.message_id = v.last_message_id`.execute(
    trx,
  );
  return new Map(known.map((phone) => [phone.phone, phone]));
}

/** The names of custom fields by their id, where a contact has a value in one. */
async function readFields(trx: Trx, actor: Actor, rows: ContactRow[]): Promise<Map<string, string>> {
  if (rows.every(({ customData }) => Object.keys(customData).length === 0)) return new Map();
  const fields = await trx
    .selectFrom('custom_fields')
    .select(['field_id', 'name'])
    .where('account_id', '=', actor.accountId)
    .orderBy('field_id')
    .execute();
  return new Map(fields.map(({ field_id, name }) => [String(field_id), name]));
}

interface About {
  phones: Map<string, KnownPhone>;
  fields: Map<string, string>;
  actor: Actor;
}

function toContact(row: ContactRow, { phones, fields, actor }: About): Contact {
  const onWire = (phone: string | null) => wirePhone(phone ?? '', actor.account.CountryID);
  const { PersonID, FirstName, LastName, Notes, Lists, customData, requiresOptIn } = row;
  const [primary, secondary, tertiary] = phonesOf(row, phones);
  const lastStatus = primary?.lastStatus ?? '';
  return {
    PersonID,
    FirstName,
    LastName,
    Notes,
    Lists,
    PrimaryPhone: onWire(row.primary),
    SecondaryPhone: onWire(row.secondary),
    TertiaryPhone: onWire(row.tertiary),
    PrimaryPhoneTextable: isTextable(primary),
    SecondaryPhoneTextable: isTextable(secondary),
    TertiaryPhoneTextable: isTextable(tertiary),
    PrimaryPhoneError: phoneError(primary, {
      requireOptIn: requiresOptIn,
      countryId: actor.account.CountryID,
    }),
    PrimaryPhoneOptedIn: primary?.textState === 'in',
    PrimaryPhoneOptedOut: primary?.textState === 'out',
    CustomData: Object.fromEntries(
      [...fields].flatMap(([id, name]) => (customData[id] === undefined ? [] : [[name, customData[id]]])),
    ),
    LastTextTimestamp: primary?.lastTextAt?.toISOString() ?? null,
    LastTextStatus: isTextStatusCode(lastStatus) && textStatuses[lastStatus].kind === 'bad' ? lastStatus : '',
    CreateTimestamp: row.CreateTimestamp.toISOString(),
  };
}

function phonesOf({ primary, secondary, tertiary }: ContactRow, known: Map<string, KnownPhone>) {
  return [known.get(primary ?? ''), known.get(secondary ?? ''), known.get(tertiary ?? '')] as const;
}

/** A number that was never looked up counts as textable. */
function isTextable(known: KnownPhone | undefined): boolean {
  return known !== undefined && known.isValid !== false && known.lineType !== 'landline';
}

function phoneError(
  known: KnownPhone | undefined,
  rules: { requireOptIn: boolean; countryId: number },
): string {
  if (known === undefined) return '';
  const lookup = {
    OptedIn: known.textState === 'in',
    OptedOut: known.textState === 'out',
    IsTextable: isTextable(known),
    IsValid: known.isValid !== false,
    DoNotCall: known.voiceState === 'out',
  };
  return phoneLookupMessage(lookup, { channel: 'text', ...rules }) ?? '';
}

interface WholeRow extends ContactRow {
  UpdateTimestamp: Date;
  IsDeleted: boolean;
  CreatedBy: string;
  FileName: string;
  countryId: number;
  /** By phone: the origin of its consent, and how many others have it. */
  more: Record<string, { source: string | null; sharedWith: number }>;
}

/** Nobody needs to know how many more contacts share a phone. */
const mostSharing = 1000;

/** One contact with everything that its page shows, deleted or not. */
export async function wholeContact(trx: Trx, actor: Actor, personId: number): Promise<WholeContact> {
  const sharing = (phone: 'primary_phone' | 'secondary_phone' | 'tertiary_phone') => sql`(
    select o.person_id from contacts o
    where o.account_id = c.account_id and ${sql.ref(`o.${phone}`)} = p.phone and o.deleted_at is null
      and o.person_id <> c.person_id and ${isSeenContact(actor, sql`o`)}
    limit ${mostSharing})`;
  const { rows } = await sql<WholeRow>`
    select ${columns}, c.updated_at as "UpdateTimestamp", c.deleted_at is not null as "IsDeleted",
      coalesce(u.first_name || ' ' || u.last_name, '') as "CreatedBy", coalesce(d.file_name, '') as "FileName",
      acc.country_id as "countryId",
      coalesce((
        select json_object_agg(p.phone, json_build_object(
          'source', (
            select e.source from consent_events e
            where e.account_id = c.account_id and e.phone = p.phone and e.channel in ('text', 'both')
            order by e.created_at desc, e.consent_event_id desc limit 1),
          'sharedWith', (
            select count(*) from (${sharing('primary_phone')} union ${sharing('secondary_phone')}
              union ${sharing('tertiary_phone')}) others)))
        from (select distinct phone from unnest(array[
          c.primary_phone::text, c.secondary_phone::text, c.tertiary_phone::text]) phone where phone is not null) p
      ), '{}') as more
    from contacts c
    join accounts acc on acc.account_id = c.account_id
    left join users u on u.account_id = c.account_id and u.user_id = c.created_by_user_id
    left join file_uploads d on d.account_id = c.account_id and d.file_id = c.file_id
    where c.account_id = ${actor.accountId} and c.person_id = ${personId} and ${isSeen(actor)}`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Refusal('notFound', 'That contact is no longer here.');
  const known = await readPhones(trx, actor, rows);
  return {
    ...toContact(row, { phones: known, fields: await readFields(trx, actor, rows), actor }),
    UpdateTimestamp: row.UpdateTimestamp.toISOString(),
    IsDeleted: row.IsDeleted,
    CreatedBy: row.CreatedBy,
    FileName: row.FileName,
    Phones: phonesOf(row, known)
      .filter((phone) => phone !== undefined)
      .map((phone) => toPhone(phone, row)),
  };
}

function toPhone(
  known: KnownPhone,
  { requiresOptIn, countryId, more }: WholeRow,
): WholeContact['Phones'][number] {
  const { source = null, sharedWith = 0 } = more[known.phone] ?? {};
  const status = { in: 'OptedIn', out: 'OptedOut' } as const;
  return {
    PhoneNumber: wirePhone(known.phone, countryId),
    PhoneTextable: isTextable(known),
    PhoneError: phoneError(known, { requireOptIn: requiresOptIn, countryId }),
    PhoneTextOptInStatus: known.textState === null ? 'None' : status[known.textState],
    PhoneSMSAuthorizationMethod: known.textState === null ? '' : (source ?? ''),
    DoNotCallPhone: known.voiceState === 'out',
    GlobalDoNotCallPhone:
      known.isValid === false || validatePhone(`+${known.phone}`, countryId).phone === undefined,
    LineType: known.lineType ?? '',
    CarrierName: known.carrierName ?? '',
    SharedWith: sharedWith,
  };
}
