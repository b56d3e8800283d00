import { type RawBuilder, sql } from 'kysely';
import { type SelectionQuery, specialGroups } from '../../../contract/contacts.ts';
import { Refusal } from '../../../contract/errors.ts';
import type { Segment } from '../../../contract/lists.ts';
import type { SelectionOfIds } from '../../../contract/selection.ts';
import { isSeenContact } from '../../access/queries.ts';
import { segmentCondition } from '../../contacts/groups/segment-condition.ts';
import { contactsSelected, type Within } from '../../contacts/queries.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { recipientsOf } from '../draft/queries.ts';
import { detailsSelected, type SelectedDetails } from '../queries.ts';

type Sql = RawBuilder<unknown>;

/** The sources of recipients that can be queried again: by a later slice, or by a repeating broadcast. */
export type AskedSource =
  /** A selection in a group, a segment or Everyone. */
  | { kind: 'contacts'; listId: number; query: SelectionQuery; selection: SelectionOfIds }
  /**
   * Everybody in these. exceptOf: the model of a repeating broadcast; people who were removed from it by hand
   * stay out.
   */
  | { kind: 'lists'; listIds: number[]; exceptOf?: number }
  /** The rows of a file that was reviewed; address is where the consent was declared from. */
  | { kind: 'file'; fileId: number; address: string }
  /** Selected recipients of another broadcast, or those of them who replied. */
  | { kind: 'results' | 'replies'; broadcastId: number; details: SelectedDetails }
  /** A model's sources other than groups and segments: all of them. */
  | { kind: 'copy'; broadcastId: number; ofSources: number[] };

/** A list that can be added as a whole. */
export interface AddedList {
  listId: number;
  name: string;
  segment: Segment | null;
}

const listNames: Record<number, string> = {
  [specialGroups.everyone]: 'Everyone',
  [specialGroups.unfiled]: 'Unfiled',
};

/** The lists in the order in which they were named; refuses when one doesn't exist. */
export async function requireLists(trx: Trx, actor: Actor, listIds: number[]): Promise<AddedList[]> {
  const groups = await trx
    .selectFrom('groups')
    .select(['group_id', 'name', 'segment'])
    .where('account_id', '=', actor.accountId)
    .where('deleted_at', 'is', null)
    .where('group_id', '=', sql<number>`any(${listIds}::bigint[])`)
    .execute();
  const byId = new Map(groups.map((group) => [group.group_id, group]));
  if (listIds.includes(specialGroups.deleted)) {
    throw new Refusal('refused', 'Deleted contacts get no broadcasts. Restore them first.');
  }
  return listIds.map((listId) => {
    const name = listNames[listId] ?? byId.get(listId)?.name;
    if (name === undefined) throw new Refusal('notFound', 'That group is no longer here.');
    return { listId, name, segment: (byId.get(listId)?.segment ?? null) as unknown as Segment | null };
  });
}

/**
 * The rows of a source as judgeRecipients takes them. `place` orders them and defines the slices: the contact, the row
 * of the file, the recipient of the other broadcast. `sourceIds` are the rows in broadcast_sources, in the order of
 * what the source names.
 */
export async function candidatesOf(
  trx: Trx,
  actor: Actor,
  source: AskedSource,
  { sourceIds, within }: { sourceIds: number[]; within?: Within | undefined },
): Promise<Sql> {
  switch (source.kind) {
    case 'contacts':
      return contactsWhere(
        actor,
        await contactsSelected(trx, actor, source, within),
        sql`${sourceIds[0]}::bigint`,
        within,
      );
    case 'lists':
      return listCandidates(trx, actor, source, { sourceIds, within });
    case 'file':
      return fileCandidates(actor, source.fileId, sourceIds[0] ?? 0, within);
    case 'copy':
      // Contacts that were chosen one by one: with their current phones, and without those deleted since.
      return sql`
        select r.recipient_id as place, r.person_id, coalesce(c.first_name, r.first_name) as first_name,
          coalesce(c.last_name, r.last_name) as last_name,
          case when c.person_id is null then r.phone else c.primary_phone end as phone1, c.secondary_phone as phone2,
          c.tertiary_phone as phone3, r.typed_phone, r.custom_data, s.new_id as source_id
        from broadcast_recipients r
        join unnest(${source.ofSources}::bigint[], ${sourceIds}::bigint[]) s(old_id, new_id) on s.old_id = r.source_id
        join broadcast_sources o on o.account_id = r.account_id and o.broadcast_id = r.broadcast_id
          and o.source_id = r.source_id
        left join contacts c on o.kind = 'contacts' and c.account_id = r.account_id and c.person_id = r.person_id
          and c.deleted_at is null
        where ${recipientsOf(actor.accountId, source.broadcastId)} and r.problem is distinct from 'excluded'
          and (o.kind <> 'contacts' or r.person_id is null or c.person_id is not null)
          ${between(sql`r.recipient_id`, within)}`;
    case 'results':
    case 'replies': {
      const chosen = await detailsSelected(trx, actor, source.broadcastId, source.details);
      return sql`
        select ${recipientColumns}, ${sourceIds[0]}::bigint as source_id from broadcast_recipients r
        where ${recipientsOf(actor.accountId, source.broadcastId)} and (${chosen})
          ${between(sql`r.recipient_id`, within)}`;
    }
  }
}

/** Rows of another broadcast, unchanged. A number that was invalid there is invalid here. */
const recipientColumns = sql`
  r.recipient_id as place, r.person_id, r.first_name, r.last_name, r.phone as phone1, null::text as phone2,
  null::text as phone3, r.typed_phone, r.custom_data`;

function contactsWhere(actor: Actor, condition: Sql, sourceId: Sql, within?: Within): Sql {
  return sql`
    select c.person_id as place, c.person_id, c.first_name, c.last_name, c.primary_phone as phone1,
      c.secondary_phone as phone2, c.tertiary_phone as phone3, null::text as typed_phone, null::jsonb as custom_data,
      ${sourceId} as source_id
    from contacts c
    where c.account_id = ${actor.accountId} and c.deleted_at is null and ${condition}
      ${between(sql`c.person_id`, within)}`;
}

async function listCandidates(
  trx: Trx,
  actor: Actor,
  { listIds, exceptOf }: Extract<AskedSource, { kind: 'lists' }>,
  { sourceIds, within }: { sourceIds: number[]; within?: Within | undefined },
): Promise<Sql> {
  const lists = await requireLists(trx, actor, listIds);
  const own = isSeenContact(actor);
  const seen = exceptOf === undefined ? own : sql`${own} and not ${wasTakenOut(actor, exceptOf)}`;
  const conditions = await Promise.all(lists.map((list) => conditionOf(trx, actor, list, within)));
  const [only] = conditions;
  if (conditions.length === 1) {
    return contactsWhere(actor, sql`${seen} and (${only})`, sql`${sourceIds[0]}::bigint`, within);
  }
  // A person in several of them is added once, from the first of them; groups are looked up together.
  const groups = lists.flatMap((list, index) =>
    isGroup(list) ? [{ ...list, source: sourceIds[index] }] : [],
  );
  const firstGroup = sql`(
    select s.source_id from group_members m
    join unnest(${groups.map(({ listId }) => listId)}::bigint[], ${groups.map(({ source }) => source)}::bigint[])
      with ordinality s(group_id, source_id, place) on s.group_id = m.group_id
    where m.account_id = c.account_id and m.person_id = c.person_id order by s.place limit 1)`;
  const others = lists.flatMap((list, index) =>
    isGroup(list) ? [] : [sql`when ${conditions[index]} then ${sourceIds[index]}::bigint`],
  );
  const sourceId =
    others.length === 0 ? firstGroup : sql`coalesce(${firstGroup}, case ${sql.join(others, sql` `)} end)`;
  // "offset 0": a person's list is looked up once, not a second time for the condition.
  return sql`
    select * from (${contactsWhere(actor, seen, sourceId, within)} offset 0) found where source_id is not null`;
}

function isGroup({ listId, segment }: AddedList): boolean {
  return listId !== specialGroups.everyone && segment === null;
}

/** Members of a list, as a condition on the contacts `c`. */
export async function conditionOf(trx: Trx, actor: Actor, list: AddedList, within?: Within): Promise<Sql> {
  if (list.segment !== null) return segmentCondition(trx, actor.accountId, list.segment);
  if (list.listId === specialGroups.everyone) return sql`true`;
  // The range is repeated for the members; otherwise the whole group is read for each slice.
  return sql`exists (
    select from group_members m where m.account_id = c.account_id and m.group_id = ${list.listId}
      and m.person_id = c.person_id ${between(sql`m.person_id`, within)})`;
}

function wasTakenOut(actor: Actor, broadcastId: number): Sql {
  return sql`exists (
    select from broadcast_recipients r
    where ${recipientsOf(actor.accountId, broadcastId)} and r.problem = 'excluded' and r.person_id = c.person_id)`;
}

/** Rejected rows are added as invalid numbers, so that nobody is lost; rows removed from the file stay out. */
function fileCandidates(actor: Actor, fileId: number, sourceId: number, within?: Within): Sql {
  const unless = (phone: string) =>
    sql`case when r.state <> 'rejected' then ${sql.ref(`r.${phone}`)} end as ${sql.ref(phone)}`;
  return sql`
    select r.row_number::bigint as place, null::bigint as person_id, left(r.first_name, 50) as first_name,
      left(r.last_name, 50) as last_name, ${unless('phone1')}, ${unless('phone2')}, ${unless('phone3')},
      coalesce(r.phone1, '') as typed_phone, r.custom_data, ${sourceId}::bigint as source_id
    from file_rows r
    where r.account_id = ${actor.accountId} and r.file_id = ${fileId} and r.state <> 'removed'
      ${between(sql`r.row_number`, within)}`;
}

function between(id: Sql, within: Within | undefined): Sql {
  return within === undefined ? sql`` : sql`and ${id} between ${within.firstId} and ${within.lastId}`;
}

/** A person whose number was typed or pasted. */
export interface GivenPerson {
  personId?: number | undefined;
  firstName: string;
  lastName: string;
  /** Digits of an international number; null when invalid. */
  phone: string | null;
  typed: string;
  customData?: Record<string, string>;
}

/** The same rows for people who were typed or pasted; `firstPlace` is the place of the first of them. */
export function givenCandidates(people: GivenPerson[], sourceId: number | null, firstPlace = 1): Sql {
  const column = <T>(pick: (person: GivenPerson) => T) => people.map(pick);
  return sql`
    select place + ${firstPlace - 1} as place, person_id, first_name, last_name, phone1, null::text as phone2, null::text as phone3, typed_phone,
      custom_data::jsonb as custom_data, ${sourceId}::bigint as source_id
    from unnest(
      ${column((p) => p.personId ?? null)}::bigint[], ${column((p) => p.firstName)}::text[], ${column((p) => p.lastName)}::text[],
      ${column((p) => p.phone)}::text[], ${column((p) => p.typed)}::text[],
      ${column((p) => (p.customData === undefined ? null : JSON.stringify(p.customData)))}::text[]
    ) with ordinality g(person_id, first_name, last_name, phone1, typed_phone, custom_data, place)`;
}

/**
 * The ids by which a source is read in order: members of groups by their key, otherwise all contacts, rows or
 * recipients.
 */
export type Walk = 'members' | 'contacts' | 'rows' | 'recipients';

export function walkOf(source: AskedSource, lists: AddedList[]): Walk {
  if (source.kind === 'file') return 'rows';
  if ('broadcastId' in source) return 'recipients';
  return lists.length > 0 && lists.every(isGroup) ? 'members' : 'contacts';
}

/** The ids after the cursor, from which the next slice is cut. */
export function placesAlong(
  accountId: number,
  { walk, source, after, limit }: { walk: Walk; source: AskedSource; after: number; limit: number },
): Sql {
  const rest = (id: string) => sql`account_id = ${accountId} and ${sql.ref(id)} > ${after}`;
  const end = sql`order by id limit ${limit}`;
  if (walk === 'members' && (source.kind === 'lists' || source.kind === 'contacts')) {
    const groupIds = source.kind === 'lists' ? source.listIds : [source.listId];
    return sql`select person_id as id from group_members
      where ${rest('person_id')} and group_id = any(${groupIds}::bigint[]) ${end}`;
  }
  if (source.kind === 'file') {
    return sql`select row_number::bigint as id from file_rows
      where ${rest('row_number')} and file_id = ${source.fileId} ${end}`;
  }
  if ('broadcastId' in source) {
    return sql`select recipient_id as id from broadcast_recipients
      where ${rest('recipient_id')} and broadcast_id = ${source.broadcastId} ${end}`;
  }
  return sql`select person_id as id from contacts where ${rest('person_id')} ${end}`;
}
