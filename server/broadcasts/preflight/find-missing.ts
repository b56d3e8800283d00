import { sql } from 'kysely';
import type { MissingField } from '../../../contract/template-merges.ts';
import { mergeValues, unknownMergeFields } from '../../../contract/text/merge-fields.ts';
import { personalize } from '../../../contract/text/personalized-fields.ts';
import type { Trx } from '../../db.ts';
import { bothTexts, readMergeRecipients } from '../draft/merge-recipients.ts';
import type { Sending } from '../draft/read-sending.ts';

/** Number of texts that are examined to name the missing field; with more, the counts are of these. */
const mostCounted = 10_000;

/** The custom fields of contacts, and those that files have brought into this broadcast, by their names. */
export async function findFieldNames(trx: Trx, accountId: number, broadcastId: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct on (lower(name)) name from (
      select name, field_id as place from custom_fields where account_id = ${accountId}
      union all
      select field.name, null from broadcast_sources s
      cross join jsonb_array_elements_text(s.input -> 'fields') field(name)
      where s.account_id = ${accountId} and s.broadcast_id = ${broadcastId} and s.kind = 'file'
    ) named
    order by lower(name), place`.execute(trx);
  return rows.map(({ name }) => name);
}

/** Fields of a broadcast's text that no recipient can have. */
export async function findUnknownFields(trx: Trx, sending: Sending) {
  if (!sending.isPersonalized) return [];
  const names = await findFieldNames(trx, sending.accountId, sending.broadcast_id);
  return unknownMergeFields(bothTexts(sending), names);
}

/** The missing fields for which a merge has left recipients out, the most frequent first. */
export async function findMissingFields(trx: Trx, sending: Sending): Promise<MissingField[]> {
  const { accountId, broadcast_id: broadcastId } = sending;
  const text = bothTexts(sending);
  const rows = await readMergeRecipients(
    trx,
    { accountId, broadcastId, text },
    { where: sql`r.problem = 'missing_data'`, rest: sql`order by r.recipient_id limit ${mostCounted}` },
  );
  const counts = new Map<string, number>();
  for (const row of rows) {
    for (const name of new Set(personalize(text, mergeValues(row)).missing)) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const unknown = new Set((await findUnknownFields(trx, sending)).map(({ name }) => name.toLowerCase()));
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([Field, Count]) => ({ Field, Count, Exists: !unknown.has(Field.toLowerCase()) }));
}
