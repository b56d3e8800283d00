import { type RawBuilder, sql } from 'kysely';
import { formatE164 } from '../../contract/phone/format-phone.ts';
import type { Trx } from '../db.ts';
import type { Actor } from '../serve.ts';

/** The table and column with an object's name, by the part before the dot in the kind of event. */
const places: Record<string, { table: string; id: string; name: RawBuilder<string> }> = {
  user: { table: 'users', id: 'user_id', name: sql`first_name || ' ' || last_name` },
  password: { table: 'users', id: 'user_id', name: sql`first_name || ' ' || last_name` },
  secondFactor: { table: 'users', id: 'user_id', name: sql`first_name || ' ' || last_name` },
  apiKey: { table: 'api_keys', id: 'api_key_id', name: sql`name` },
  account: { table: 'accounts', id: 'account_id', name: sql`company_name` },
  audio: { table: 'audio', id: 'audio_id', name: sql`name` },
  broadcast: { table: 'broadcasts', id: 'broadcast_id', name: sql`name` },
  draft: { table: 'broadcasts', id: 'broadcast_id', name: sql`name` },
  repeating: { table: 'repeating_broadcasts', id: 'repeating_id', name: sql`description` },
  contact: { table: 'contacts', id: 'person_id', name: sql`trim(first_name || ' ' || last_name)` },
  customField: { table: 'custom_fields', id: 'field_id', name: sql`name` },
  emergencyMessage: { table: 'emergency_messages', id: 'emergency_message_id', name: sql`title` },
  file: { table: 'file_uploads', id: 'file_id', name: sql`file_name` },
  group: { table: 'groups', id: 'group_id', name: sql`name` },
  keyword: { table: 'keywords', id: 'keyword_id', name: sql`keyword` },
  label: { table: 'labels', id: 'label_id', name: sql`name` },
  tag: { table: 'tags', id: 'tag_id', name: sql`name` },
  template: { table: 'templates', id: 'template_id', name: sql`name` },
  textNumber: { table: 'text_numbers', id: 'text_number_id', name: sql`coalesce(nullif(name, ''), phone)` },
};

/** The current names of the objects of a page of entries: one statement per kind of object. */
export async function nameObjects(
  trx: Trx,
  actor: Actor,
  rows: readonly { kind: string; subjectId: number | null }[],
): Promise<(kind: string, id: number) => string> {
  const wanted = new Map<string, Set<number>>();
  for (const { kind, subjectId } of rows) {
    const prefix = kind.split('.')[0] ?? '';
    if (subjectId === null || places[prefix] === undefined) continue;
    wanted.set(prefix, (wanted.get(prefix) ?? new Set()).add(subjectId));
  }
  const names = new Map<string, string>();
  for (const [prefix, ids] of wanted) {
    const place = places[prefix];
    if (place === undefined) continue;
    const { rows: found } = await sql<{ id: number; name: string }>`
      select ${sql.id(place.id)} as id, ${place.name} as name from ${sql.table(place.table)}
      where account_id = ${actor.accountId} and ${sql.id(place.id)} = any(${[...ids]}::bigint[])`.execute(
      trx,
    );
    for (const { id, name } of found) names.set(`${prefix} ${id}`, readable(name));
  }
  return (kind, id) => names.get(`${kind.split('.')[0]} ${id}`) ?? '';
}

function readable(name: string): string {
  return /^\d{7,15}$/.test(name) ? formatE164(name) : name;
}
