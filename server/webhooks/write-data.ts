import { type RawBuilder, sql } from 'kysely';
import { textStatuses } from '../../contract/delivery/text-status.ts';
import type { WebhookData, WebhookShape } from '../../contract/webhook-events.ts';
import type { Trx } from '../db.ts';

/** Formats that are read from rows, by id. The others use only the event. */
export type RowShape = Exclude<WebhookShape, 'consent' | 'link' | 'several' | 'sync' | 'thing'>;

export interface Named {
  accountId: number;
  id: number;
}

type Dated<T> = {
  [Key in keyof T]: Key extends `${string}Timestamp` | `${string}Date` | 'SnoozedUntil'
    ? Date | null
    : T[Key];
};
type Rows<Shape extends WebhookShape> = (Named & Dated<WebhookData<Shape>>)[];

/** `named` is the list of requested accounts and ids. Rows are in the webhooks' format. */
const reads: Record<RowShape, (named: RawBuilder<unknown>) => RawBuilder<Named & object>> = {
  text: (named) => sql`
    select m.account_id as "accountId", m.message_id as id, m.message_id as "TextMessageID",
      c.conversation_id as "ConversationID", m.text_number_id as "TextNumberID", n.phone as "TextNumber",
      m.phone as "PhoneNumber", m.is_inbound as "IsInbound", m.body as "Message",
      cardinality(m.media_ids) > 0 as "HasPictures", m.status as "Status", m.status as "StatusLabel",
      m.broadcast_id as "BroadcastID", m.created_at as "CreateTimestamp", m.status_at as "StatusTimestamp"
    from ${named} join messages m on m.account_id = x.account_id and m.message_id = x.id
    join text_numbers n on n.account_id = m.account_id and n.text_number_id = m.text_number_id
    left join conversations c on c.account_id = m.account_id and c.text_number_id = m.text_number_id
      and c.phone = m.phone`,
  call: (named) => sql`
    select k.account_id as "accountId", k.call_id as id, k.call_id as "CallID", k.phone as "PhoneNumber",
      k.caller_id as "CallerID", k.broadcast_id as "BroadcastID", k.result as "Result", k.attempts as "Attempts",
      k.survey_key as "SurveyKey", k.opted_out_at is not null as "OptedOut", k.ended_at as "EndTimestamp"
    from ${named} join calls k on k.account_id = x.account_id and k.call_id = x.id`,
  contact: (named) => sql`
    select p.account_id as "accountId", p.person_id as id, p.person_id as "PersonID", p.first_name as "FirstName",
      p.last_name as "LastName", coalesce(p.primary_phone, '') as "PrimaryPhone",
      coalesce(p.secondary_phone, '') as "SecondaryPhone", coalesce(p.tertiary_phone, '') as "TertiaryPhone",
      coalesce((select jsonb_object_agg(f.name, d.value)
        from jsonb_each_text(p.custom_data) d
        join custom_fields f on f.account_id = p.account_id and f.field_id::text = d.key), '{}') as "CustomData",
      array(select g.group_id from group_members g
        where g.account_id = p.account_id and g.person_id = p.person_id order by g.group_id) as "ListIDs",
      p.deleted_at is not null as "IsDeleted", p.updated_at as "UpdateTimestamp"
    from ${named} join contacts p on p.account_id = x.account_id and p.person_id = x.id`,
  group: (named) => sql`
    select g.account_id as "accountId", g.group_id as id, g.group_id as "ListID", g.name as "ListName"
    from ${named} join groups g on g.account_id = x.account_id and g.group_id = x.id`,
  file: (named) => sql`
    select f.account_id as "accountId", f.file_id as id, f.file_id as "FileID", f.file_name as "FileName",
      coalesce(f.total, f.done) as "Count"
    from ${named} join file_uploads f on f.account_id = x.account_id and f.file_id = x.id`,
  conversation: (named) => sql`
    select c.account_id as "accountId", c.conversation_id as id, c.conversation_id as "ConversationID",
      c.text_number_id as "TextNumberID", c.phone as "PhoneNumber", c.is_done as "IsDone",
      c.assigned_user_id as "AssignedUserID", c.snoozed_until as "SnoozedUntil"
    from ${named} join conversations c on c.account_id = x.account_id and c.conversation_id = x.id`,
  broadcast: (named) => sql`
    select b.account_id as "accountId", b.broadcast_id as id, b.broadcast_id as "BroadcastID", b.name as "BroadcastName",
      b.broadcast_type as "BroadcastType", b.status as "Status", b.start_at as "StartDate", b.ended_at as "EndDate",
      greatest(b.going_count, b.call_count) as "Recipients", b.left_out_count as "LeftOut",
      coalesce(s.delivered, 0) as "DeliveredTexts", coalesce(s.failed, 0) as "FailedTextTotal",
      coalesce(s.opted_out, 0) as "TextOptedOut", b.user_id as "UserID"
    from ${named} join broadcasts b on b.account_id = x.account_id and b.broadcast_id = x.id
    left join lateral (
      select sum(delivered + read)::int as delivered, sum(failed)::int as failed, sum(opted_out)::int as opted_out
      from broadcast_slices s where s.account_id = b.account_id and s.broadcast_id = b.broadcast_id) s on true`,
  invoice: (named) => sql`
    select i.account_id as "accountId", i.invoice_id as id, i.invoice_id as "InvoiceID", i.description as "Description",
      (i.total_cents / 100.0)::float8 as "TotalAmount", (i.paid_cents / 100.0)::float8 as "AmountPaid",
      i.paid_at is not null as "IsPaid", i.po_number as "PoNumber"
    from ${named} join invoices i on i.account_id = x.account_id and i.invoice_id = x.id`,
};

export function keyOf({ accountId, id }: Named): string {
  return `${accountId} ${id}`;
}

/** The current rows, in the webhooks' format, by account and id. One statement; deleted rows are left out. */
export async function writeData(
  trx: Trx,
  shape: RowShape,
  wanted: readonly Named[],
): Promise<Map<string, object>> {
  const named = sql`unnest(
    ${wanted.map(({ accountId }) => accountId)}::bigint[], ${wanted.map(({ id }) => id)}::bigint[]) as x(account_id, id)`;
  const { rows } = await reads[shape](named).execute(trx);
  return new Map(
    rows.map(({ accountId, id, ...data }) => [
      keyOf({ accountId, id }),
      shape === 'text' ? withLabel(data as Rows<'text'>[number]) : data,
    ]),
  );
}

function withLabel(text: Omit<Rows<'text'>[number], 'accountId' | 'id'>): object {
  const known = textStatuses[text.Status as keyof typeof textStatuses];
  return { ...text, StatusLabel: known === undefined ? 'Received' : known.label };
}

interface OpenedBy {
  accountId: number;
  linkId: number;
  recipientId: number;
}

/**
 * The recipient of the link, and its destination. One statement; links of a deleted recipient are left out.
 */
export async function findOpened(trx: Trx, opens: readonly OpenedBy[]): Promise<Map<string, object>> {
  const { rows } = await sql<OpenedBy & Omit<WebhookData<'link'>, 'OpenTimestamp'>>`
    select l.account_id as "accountId", l.link_id as "linkId", x.recipient_id as "recipientId",
      b.broadcast_id as "BroadcastID", b.name as "BroadcastName", l.url as "Url", r.recipient_id as "RecipientID",
      r.person_id as "PersonID", r.phone as "PhoneNumber"
    from unnest(
      ${opens.map(({ accountId }) => accountId)}::bigint[], ${opens.map(({ linkId }) => linkId)}::bigint[],
      ${opens.map(({ recipientId }) => recipientId)}::bigint[]) as x(account_id, link_id, recipient_id)
    join links l on l.account_id = x.account_id and l.link_id = x.link_id
    join broadcasts b on b.account_id = l.account_id and b.broadcast_id = l.broadcast_id
    join broadcast_recipients r on r.account_id = l.account_id and r.broadcast_id = l.broadcast_id
      and r.recipient_id = x.recipient_id`.execute(trx);
  return new Map(
    rows.map(({ accountId, linkId, recipientId, ...data }) => [
      `${accountId} ${linkId} ${recipientId}`,
      data,
    ]),
  );
}

/** The contacts who have these phones. */
export async function findPeople(
  trx: Trx,
  phones: readonly { accountId: number; phone: string }[],
): Promise<Map<string, number[]>> {
  const { rows } = await sql<{ accountId: number; phone: string; ids: number[] }>`
    select x.account_id as "accountId", x.phone, array_agg(distinct c.person_id) as ids
    from unnest(${phones.map(({ accountId }) => accountId)}::bigint[], ${phones.map(({ phone }) => phone)}::text[])
      as x(account_id, phone)
    join lateral (
      select person_id from contacts where account_id = x.account_id and primary_phone = x.phone and deleted_at is null
      union all
      select person_id from contacts where account_id = x.account_id and secondary_phone = x.phone and deleted_at is null
      union all
      select person_id from contacts where account_id = x.account_id and tertiary_phone = x.phone and deleted_at is null
      limit 100) c on true
    group by 1, 2`.execute(trx);
  return new Map(rows.map(({ accountId, phone, ids }) => [`${accountId} ${phone}`, ids]));
}
