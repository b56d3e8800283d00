import { type RawBuilder, sql } from 'kysely';
import { deleteConversations } from '../conversations/change/delete-conversations.ts';
import { change, count, type Ground, remove } from './change-rows.ts';

/** The person's own rows: deleted, or emptied if others count them. */
export async function eraseTheirs(ground: Ground): Promise<void> {
  const { trx, accountId, person, erasure, aliases } = ground;
  const phones = sql`${person.phones}::text[]`;
  const people = sql`${person.personIds}::bigint[]`;
  const idsOf = async (table: string, id: string) => {
    const { rows } = await sql<{ id: number }>`
      select ${sql.ref(id)} as id from ${sql.table(table)}
      where account_id = ${accountId} and phone = any(${phones})`.execute(trx);
    return sql`any(${rows.map((row) => row.id)}::bigint[])`;
  };
  const texts = await idsOf('messages', 'message_id');
  const threads = await idsOf('conversations', 'conversation_id');
  const alias = sql`(array[${sql.join([...aliases.values()])}]::text[])[array_position(array[${sql.join([...aliases.keys()])}]::text[], t.phone::text)]`;
  const noAlias = aliases.size === 0;

  const { rows: pictures } = await sql<{ hash: string }>`
    select distinct content_hash as hash from media where account_id = ${accountId} and message_id = ${texts}`.execute(
    trx,
  );
  for (const table of ['message_search', 'message_search_queue', 'inbound_media', 'media', 'push_queue'])
    await remove(ground, table, sql`message_id = ${texts}`);
  const { rows: shared } = await sql<{ hash: string }>`
    select content_hash as hash from media
    where content_hash = any(${pictures.map(({ hash }) => hash)}::text[])`.execute(trx);
  erasure.pictures = pictures
    .map(({ hash }) => hash)
    .filter((hash) => !shared.some((other) => other.hash === hash));
  await change(ground, 'conversations', sql`continued_in_id = null`, sql`continued_in_id = ${threads}`);
  for (const table of [
    ...['conversation_notes', 'conversation_signatures', 'conversation_views', 'reply_stamps'],
    ...['broadcast_replies', 'push_queue'],
  ])
    await remove(ground, table, sql`conversation_id = ${threads}`);
  const deleted = await deleteConversations(trx, accountId, sql`c.conversation_id = ${threads}`);
  count(erasure.deleted, 'conversations', deleted);
  for (const table of [
    'conversation_phones',
    'phone_lookup_claims',
    'phone_lookups',
    'sequence_people',
    'sequence_joins',
  ])
    await remove(ground, table, sql`phone = any(${phones})`);
  await remove(ground, 'scheduled_recipients', sql`(phone = any(${phones}) or person_id = any(${people}))`);
  await change(
    ground,
    'scheduled_conversations',
    sql`body = '', media_ids = '{}', state = case state when 'scheduled' then 'canceled' else state end,
      ended_at = coalesce(ended_at, now())`,
    sql`body <> '' and not exists (select from scheduled_recipients r
      where r.account_id = t.account_id and r.scheduled_id = t.scheduled_id)`,
  );

  if (!noAlias) {
    for (const table of ['messages', 'archived_messages'])
      await change(
        ground,
        table,
        sql`phone = ${alias}, body = '', media_ids = '{}'`,
        sql`phone = any(${phones})`,
      );
    await change(ground, 'calls', sql`phone = ${alias}, note = '', task = null`, sql`phone = any(${phones})`);
  }
  await change(
    ground,
    'broadcast_recipients',
    sql`phone = ${noAlias ? sql`phone` : sql`case when phone is null then null else coalesce(${alias}, t.phone::text) end`},
      typed_phone = null, first_name = '', last_name = '', custom_data = null, own_body = null, person_id = null,
      problem = case when message_id is null and problem is null then 'opted_out' else problem end,
      call_state = case when call_state = 'called' and not exists (select from calls c
        where c.account_id = t.account_id and c.recipient_id = t.recipient_id) then 'do_not_call' else call_state end`,
    sql`(phone = any(${phones}) or person_id = any(${people}))`,
  );
  const { rows: uploads } = await sql<{ key: string }>`
    select distinct f.file_key as key from file_uploads f join file_rows r using (account_id, file_id)
    where f.account_id = ${accountId} and f.file_key <> '' and ${inFile(ground)}`.execute(trx);
  erasure.uploads = uploads.map(({ key }) => key);
  await change(
    ground,
    'file_rows',
    sql`state = 'removed', problem = null, first_name = '', last_name = '', notes = '', phone1 = null, phone2 = null,
      phone3 = null, group_names = null, custom_data = '{}', cells = null, person_id = null`,
    inFile(ground),
  );
  await remove(ground, 'file_changes', sql`person_id = any(${people})`);
  await forgetSources(ground, people);
  await eraseContacts(ground, people);
}

/** Their data from another system. They may still exist there. */
async function forgetSources(ground: Ground, people: RawBuilder<unknown>): Promise<void> {
  const { person, erasure } = ground;
  const theirs = sql`(person_id = any(${people}) or array[phone1, phone2, phone3] && ${person.phones}::text[])`;
  await remove(ground, 'integration_people', theirs);
  await remove(ground, 'integration_changes', sql`person_id = any(${people})`);
  if (erasure.deleted.has('integration_people'))
    erasure.remarks.push(
      'They came from an integration: remove them there too, or the next sync adds them to contacts again.',
    );
}

/** Spreadsheets before column mapping: their rows exist only in the file. */
export async function remarkUnread({ trx, accountId, erasure }: Ground): Promise<void> {
  const { rows } = await sql<{ many: number }>`
    select count(*)::int as many from file_uploads
    where account_id = ${accountId} and file_key <> '' and not is_cleared and stage in ('mapping', 'failed')`.execute(
    trx,
  );
  const many = rows[0]?.many ?? 0;
  if (many > 0)
    erasure.remarks.push(
      `${many} uploaded files were never imported, and were not looked into: cancel them, or they go after 30 days.`,
    );
}

/** A row of a spreadsheet with their phone in any cell. */
function inFile({ person, traces }: Ground): RawBuilder<unknown> {
  if (traces.words === '') return sql`person_id = any(${person.personIds}::bigint[])`;
  return sql`(person_id = any(${person.personIds}::bigint[]) or concat_ws(' | ', phone1, phone2, phone3,
    first_name || ' ' || last_name, notes, custom_data, array_to_string(cells, ' | ')) ~* ${traces.words})`;
}

/** The search no longer suggests words that only they had. */
async function eraseContacts(ground: Ground, people: RawBuilder<unknown>): Promise<void> {
  const { trx, accountId } = ground;
  const { rows: words } = await sql<{ word: string }>`
    select distinct word from contact_words where account_id = ${accountId} and person_id = any(${people})`.execute(
    trx,
  );
  await remove(ground, 'contacts', sql`person_id = any(${people})`);
  await remove(ground, 'contact_search', sql`person_id = any(${people})`);
  await remove(ground, 'contact_words', sql`person_id = any(${people})`);
  await remove(
    ground,
    'known_words',
    sql`word = any(${words.map(({ word }) => word)}::text[]) and not exists (select from contact_words w
      where w.account_id = ${accountId} and w.word = known_words.word)`,
  );
}
