import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import type { listContactHistory as definition, HistoryItem } from '../../../contract/contacts.ts';
import { Refusal } from '../../../contract/errors.ts';
import { isOfUsableNumber } from '../../access/queries.ts';
import { marksOf } from '../../contacts/change/mark-changed.ts';
import { findContacts } from '../../contacts/change/set-contact.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';
import { wirePhone } from '../../wire-phone.ts';
import { broadcastNamed } from '../queries.ts';

/** An attempt's position: more than a call has, including retries and a callback. */
const attemptsOfCall = sql.lit(1000);

/** The end of a page. Events of the same moment are sorted by rank, then by id. */
interface Place {
  at: string;
  rank: number;
  id: number;
}

/** A contact that was changed, merged or deleted. `Message` names the fields. */
export const editKinds = ['contact.updated', 'contact.merged', 'contact.deleted'] as const;

/** A change of many contacts, if the row is one. */
interface MassChange {
  massKind: string | null;
  massFields: string[] | null;
  groupName: string | null;
}

interface HistoryRow extends Omit<HistoryItem, 'Timestamp'>, MassChange {
  Timestamp: Date;
  at: string;
  rank: number;
  id: number;
}

/** The events of a person, the latest first. */
export async function listContactHistory(
  trx: Trx,
  actor: Actor,
  { params, query }: Input<typeof definition>,
) {
  const [contact] = await findContacts(trx, actor, [params.PersonID]);
  if (contact === undefined) throw new Refusal('notFound', 'That contact is no longer here.');
  const phones = [contact.primary_phone, contact.secondary_phone, contact.tertiary_phone].filter(
    (phone) => phone !== null,
  );
  return listHistory(trx, actor, { phones, personIds: [params.PersonID] }, query);
}

/** An edit of a contact, by its place among the events. */
export interface Edit {
  id: number;
  at: string;
}

/**
 * The events of phones and of the contacts with them, the latest first: texts over numbers that the actor may
 * use, calls of broadcasts that they may see, consents, the contacts’ origin, edits and imports of them.
 * `edits` are those of other contacts; `numbers` may include released ones, whose conversations nobody opens.
 */
export async function listHistory(
  trx: Trx,
  actor: Actor,
  {
    phones,
    personIds,
    edits = [],
    numbers = actor.textNumberIds,
  }: {
    phones: readonly string[];
    personIds: readonly number[];
    edits?: readonly Edit[];
    numbers?: readonly number[];
  },
  query: { pagesize: number; next?: string | undefined },
) {
  const place = query.next === undefined ? undefined : readPlace(query.next);
  const most = query.pagesize + 1;
  // Events at the cursor's own time are fetched again and left out below; `<=` lets each branch use its
  // index.
  const until = place === undefined ? sql`true` : sql`created_at <= ${place.at}::timestamptz`;
  const beyond =
    place === undefined
      ? sql`true`
      : sql`(h.created_at, h.rank, h.id) < (${place.at}::timestamptz, ${place.rank}::integer, ${place.id}::bigint)`;
  const isBehind = (rank: number, id: string) =>
    place === undefined
      ? sql`true`
      : sql`(created_at, ${sql.lit(rank)}, ${sql.ref(id)}) < (${place.at}::timestamptz, ${place.rank}::integer, ${place.id}::bigint)`;
  const { rows } = await sql<HistoryRow>`
    with happened as (
      -- At most a page of each thread, straight from its index.
      select 3 as rank, m.message_id as id, m.created_at, m.phone, m.text_number_id
      from unnest(${phones}::text[]) p(phone) cross join unnest(${numbers}::bigint[]) n(text_number_id)
      cross join lateral (
        select * from all_messages
        where account_id = ${actor.accountId} and text_number_id = n.text_number_id and phone = p.phone
          and ${until} and ${isBehind(3, 'message_id')}
        order by created_at desc, message_id desc limit ${most}
      ) m
      union all
      select 4, a.call_id * ${attemptsOfCall} + a.attempt, a.placed_at, c.phone, null
      from unnest(${phones}::text[]) p(phone)
      join calls c on c.account_id = ${actor.accountId} and c.phone = p.phone and c.purpose = 'broadcast'
      join broadcasts b on b.account_id = c.account_id and b.broadcast_id = c.broadcast_id
        and (${actor.canSeeAllBroadcasts} or b.user_id = ${actor.userId})
      join call_attempts a on a.account_id = c.account_id and a.call_id = c.call_id
      where ${place === undefined ? sql`true` : sql`a.placed_at <= ${place.at}::timestamptz`}
      union all
      select 2, e.consent_event_id, e.created_at, e.phone, null
      from unnest(${phones}::text[]) p(phone)
      cross join lateral (
        select * from consent_events
        where account_id = ${actor.accountId} and phone = p.phone and ${until} and ${isBehind(2, 'consent_event_id')}
        order by created_at desc, consent_event_id desc limit ${most}
      ) e
      union all
      select 1, c.person_id, c.created_at, c.primary_phone, null from contacts c
      where c.account_id = ${actor.accountId} and c.person_id = any(${personIds}::bigint[])
      union all
      select 5, e.event_id, e.created_at, null, null
      from unnest(${personIds}::bigint[]) p(person_id) cross join unnest(${editKinds}::text[]) k(kind)
      cross join lateral (
        select * from events
        where account_id = ${actor.accountId} and subject_id = p.person_id and kind = k.kind
          and ${until} and ${isBehind(5, 'event_id')}
        order by created_at desc, event_id desc limit ${most}
      ) e
      union all
      -- Several contacts of a phone can be in the same change.
      select distinct 6, x.mass_change_id, x.created_at, null::text, null::bigint
      from unnest(${personIds}::bigint[]) p(person_id)
      cross join lateral (
        select * from mass_changes
        where ${marksOf(sql`${actor.accountId}`, sql`p.person_id`)} and ${until} and ${isBehind(6, 'mass_change_id')}
        order by created_at desc, mass_change_id desc limit ${most}
      ) x
      union all
      select 5, id, at, null, null
      from unnest(${edits.map(({ id }) => id)}::bigint[], ${edits.map(({ at }) => at)}::timestamptz[]) e(id, at)
    ),
    -- "materialized": the page first, and related data only for its rows.
    page as materialized (
      select h.* from happened h where ${beyond} order by h.created_at desc, h.rank desc, h.id desc limit ${most}
    )
    select h.rank, h.id, to_json(h.created_at) #>> '{}' as at, h.created_at as "Timestamp",
      case when h.rank = 6 then case x.kind when 'imported' then 'imported' else 'edited' end
        when h.rank = 5 then 'edited' when h.rank = 4 then 'call' when h.rank = 3 then 'text' when h.rank = 2 then 'consent'
        when c.file_id is null then 'added' else 'imported' end as "Kind",
      coalesce(${wirePhone(actor, sql`h.phone`)}, '') as "PhoneNumber",
      coalesce(m.body, edited.fields, case when k.attempts = a.attempt then k.keys end, e.wording, case when h.rank = 2 then f.consent_wording end, '') as "Message",
      coalesce(m.is_inbound, false) as "IsInbound",
      coalesce(m.status, a.result, case when h.rank = 4 then 'in_progress' end, '') as "Status", a.seconds as "Seconds", v.conversation_id as "ConversationID", m.message_id as "TextMessageID",
      coalesce(e.state, '') as "ConsentState", coalesce(e.channel, '') as "ConsentChannel",
      coalesce(e.source, '') as "ConsentSource",
      coalesce(u.first_name || ' ' || u.last_name, '') as "UserName", coalesce(f.file_name, '') as "FileName",
      coalesce(${broadcastNamed(sql`m`)}, ${broadcastNamed(sql`k`)}) as "Broadcast",
      x.kind as "massKind", x.fields as "massFields",
      (select g.name from groups g where g.account_id = x.account_id and g.group_id = x.group_id) as "groupName"
    from page h
    left join all_messages m on h.rank = 3 and m.account_id = ${actor.accountId} and m.created_at = h.created_at
      and m.message_id = h.id
    left join call_attempts a on h.rank = 4 and a.account_id = ${actor.accountId}
      and a.call_id = h.id / ${attemptsOfCall} and a.attempt = h.id % ${attemptsOfCall}
    left join calls k on k.account_id = a.account_id and k.call_id = a.call_id
    left join conversations v on h.rank = 3 and v.account_id = ${actor.accountId}
      and v.text_number_id = h.text_number_id and v.phone = h.phone and ${isOfUsableNumber(actor, sql`v.text_number_id`)}
    left join consent_events e on h.rank = 2 and e.account_id = ${actor.accountId} and e.phone = h.phone
      and e.created_at = h.created_at and e.consent_event_id = h.id
    left join lateral (
      select v.user_id, case v.kind when 'contact.merged' then 'Merged contacts' when 'contact.deleted' then 'Deleted'
        else (select string_agg(f.field, ', ' order by f.field) from jsonb_object_keys(v.changes) f(field)) end as fields
      from events v where h.rank = 5 and v.account_id = ${actor.accountId} and v.created_at = h.created_at and v.event_id = h.id
    ) edited on true
    left join contacts c on h.rank = 1 and c.account_id = ${actor.accountId} and c.person_id = h.id
    left join mass_changes x on h.rank = 6 and x.account_id = ${actor.accountId} and x.mass_change_id = h.id
    left join file_uploads f on f.account_id = ${actor.accountId} and f.file_id = coalesce(e.file_id, c.file_id, x.file_id)
    left join users u on u.account_id = ${actor.accountId}
      and u.user_id = coalesce(m.user_id, e.user_id, edited.user_id, x.user_id, case when h.rank = 2 then f.user_id end, c.created_by_user_id)
    order by h.created_at desc, h.rank desc, h.id desc`.execute(trx);
  const kept = rows.slice(0, query.pagesize);
  const last = kept.at(-1);
  return {
    Items: kept.map(({ at: _at, rank: _rank, id: _id, massKind, massFields, groupName, ...item }) => {
      if (item.Kind !== 'edited') return item;
      if (massKind === null) return { ...item, Message: fieldWords(item.Message) };
      return { ...item, Message: massWords({ massKind, massFields, groupName }) };
    }),
    Next: rows.length > query.pagesize && last !== undefined ? writePlace(last) : null,
  };
}

const fields: Record<string, string> = {
  ...{ FirstName: 'First name', LastName: 'Last name', Notes: 'Notes', CustomData: 'Custom fields' },
  ...{ PrimaryPhone: 'Primary phone', SecondaryPhone: 'Secondary phone', TertiaryPhone: 'Tertiary phone' },
};

/** "FirstName, Notes" as field labels. */
function fieldWords(names: string): string {
  return names
    .split(', ')
    .map((name) => fields[name] ?? name)
    .join(', ');
}

/** A change of many contacts, from the point of view of one of them. */
function massWords({ massKind, massFields, groupName }: MassChange): string {
  const group = groupName === null ? 'a group' : groupName;
  switch (massKind) {
    case 'joined':
      return `Added to ${group}`;
    case 'left':
      return `Removed from ${group}`;
    case 'unfiled':
      return 'Removed from all groups';
    case 'deleted':
      return 'Deleted';
    case 'restored':
      return 'Restored';
    case 'undone':
      return 'A change was undone';
    case 'import_undone':
      return 'An import was undone';
    case 'synced':
      return 'Changed by an integration';
    default:
      return fieldWords((massFields ?? []).join(', '));
  }
}

function writePlace({ at, rank, id }: Place): string {
  return Buffer.from(`${at}|${rank}|${id}`).toString('base64url');
}

function readPlace(text: string): Place {
  const [at = '', rank = '', id = ''] = Buffer.from(text, 'base64url').toString().split('|');
  const isMoment =
    /^[1-9]\d{3}-\d\d-\d\dT[\d:.]+([+-]\d\d:\d\d|Z)$/.test(at) && !Number.isNaN(Date.parse(at));
  if (!isMoment || !/^[123456]$/.test(rank) || !/^\d{1,15}$/.test(id)) {
    throw new Refusal('invalid', 'next is not a place in this list');
  }
  return { at, rank: Number(rank), id: Number(id) };
}
