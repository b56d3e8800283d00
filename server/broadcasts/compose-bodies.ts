import { type RawBuilder, sql } from 'kysely';
import { mergeValues } from '../../contract/text/merge-fields.ts';
import { personalise } from '../../contract/text/personalised-fields.ts';
import type { Trx } from '../db.ts';
import type { DueBroadcast } from './find-due.ts';

interface Recipient {
  recipient_id: number;
  phone: string;
  first_name: string;
  last_name: string;
  notes: string | null;
  segments: number | null;
  own_body: string | null;
  /** Of a contact by the field's id, of others by its name. */
  custom_data: Record<string, string> | null;
  is_contact: boolean;
}

/**
 * The next recipients of a zone with a text for each, in the values that their contacts have now. A text that was mended
 * by hand is taken as it stands. What it costs is what was reserved for it.
 */
export async function composeBodies(
  trx: Trx,
  due: DueBroadcast,
  { zone, count }: { zone: string; count: number },
): Promise<RawBuilder<unknown>> {
  const recipients = await readRecipients(trx, due, zone, count);
  const names = await readFieldNames(trx, due, recipients);
  // The signature stands behind the text; one that was mended by hand has it already.
  const suffix = due.sent_body.startsWith(due.body) ? due.sent_body.slice(due.body.length) : '';
  const bodies = recipients.map((one) => {
    if (one.own_body !== null) return one.own_body;
    const values = mergeValues({
      firstName: one.first_name,
      lastName: one.last_name,
      notes: one.notes ?? '',
      phone: one.phone,
      customData: customDataOf(one, names),
    });
    return personalise(due.body, values).text + suffix;
  });
  const segments = recipients.map((one) => one.segments ?? due.segments);
  return sql`
    select * from unnest(
      ${recipients.map((one) => one.recipient_id)}::bigint[], ${recipients.map((one) => one.phone)}::text[],
      ${bodies}::text[], ${segments}::smallint[],
      ${segments.map((many) => (due.credits_each > 0 ? many : 0))}::smallint[]
    ) as t(recipient_id, phone, body, segments, credits)`;
}

async function readRecipients(trx: Trx, due: DueBroadcast, zone: string, count: number) {
  const cursor = due.zones.find((one) => one.zone === zone)?.cursor ?? 0;
  const { rows } = await sql<Recipient>`
    select r.recipient_id, r.phone, coalesce(c.first_name, r.first_name) as first_name,
      coalesce(c.last_name, r.last_name) as last_name, c.notes, r.segments, r.own_body,
      case when c.person_id is null then r.custom_data else c.custom_data end as custom_data,
      c.person_id is not null as is_contact
    from (
      select * from broadcast_recipients
      where account_id = ${due.account_id} and broadcast_id = ${due.broadcast_id} and zone = ${zone}
        and problem is null and recipient_id > ${cursor}
      order by recipient_id limit ${count}) r
    left join contacts c on c.account_id = r.account_id and c.person_id = r.person_id and c.deleted_at is null
    order by r.recipient_id`.execute(trx);
  return rows;
}

async function readFieldNames(trx: Trx, due: DueBroadcast, recipients: Recipient[]) {
  if (!recipients.some((one) => one.is_contact && one.custom_data !== null)) return new Map<string, string>();
  const rows = await trx
    .selectFrom('custom_fields')
    .select(['field_id', 'name'])
    .where('account_id', '=', due.account_id)
    .execute();
  return new Map(rows.map((row) => [String(row.field_id), row.name]));
}

function customDataOf({ custom_data, is_contact }: Recipient, names: Map<string, string>) {
  if (!is_contact || custom_data === null) return custom_data ?? {};
  const byName: Record<string, string> = {};
  for (const [id, value] of Object.entries(custom_data)) {
    const name = names.get(id);
    if (name !== undefined) byName[name] = value;
  }
  return byName;
}
