import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { Refusal } from '../../contract/errors.ts';
import type { listTemplates, Template } from '../../contract/templates.ts';
import { isUsableTemplate } from '../access/queries.ts';
import { may } from '../access/refuse-unless.ts';
import type { Trx } from '../db.ts';
import { type MediaRow, toMediaItem } from '../media/rules.ts';
import { likeText } from '../search-text.ts';
import type { Actor } from '../serve.ts';

type TemplateRow = Omit<Template, 'Media'> & { media: MediaRow[]; ownerName: string };

/** Their own, and for admins all that are shared: who saved one may have left. */
function mayChange(actor: Actor): RawBuilder<unknown> {
  return may(actor, 'changeSharedMessages')
    ? sql`(t.user_id = ${actor.userId} or t.is_shared)`
    : sql`t.user_id = ${actor.userId}`;
}

const isFavorite = (actor: Actor) => sql`exists (select from template_favorites f
  where f.account_id = t.account_id and f.user_id = ${actor.userId} and f.template_id = t.template_id)`;

const columns = (actor: Actor) => sql`
  t.template_id as "TemplateID", t.name as "TemplateName", t.body as "TemplateText", 'Text' as "TemplateType",
  t.shortcut as "Shortcut", t.is_shared as "IsShared", ${isFavorite(actor)} as "IsFavorite",
  not ${mayChange(actor)} as "ReadOnly",
  (select u.first_name || ' ' || u.last_name from users u
    where u.account_id = t.account_id and u.user_id = t.user_id) as "ownerName",
  coalesce((
    select json_agg(json_build_object('media_id', f.media_id, 'public_key', f.public_key,
      'content_type', f.content_type, 'file_name', f.file_name, 'explicit_status', f.explicit_status,
      'created_at', f.created_at) order by array_position(t.media_ids, f.media_id))
    from media f where f.account_id = t.account_id and f.media_id = any(t.media_ids)), '[]') as media`;

function toTemplate({ media, ownerName, ...row }: TemplateRow) {
  return { ...row, Media: media.map((item) => toMediaItem(item, ownerName)) };
}

export async function listTemplateRows(trx: Trx, actor: Actor, query: z.output<typeof listTemplates.query>) {
  const conditions = [isUsableTemplate(actor)];
  if (query.isfavorite !== undefined) {
    conditions.push(query.isfavorite ? isFavorite(actor) : sql`not ${isFavorite(actor)}`);
  }
  if (query.isshared !== undefined) conditions.push(sql`t.is_shared = ${query.isshared}`);
  if (query.q !== '') {
    const like = likeText(query.q);
    conditions.push(
      sql`(lower(t.name) like ${like} or lower(t.shortcut) like ${like} or lower(t.body) like ${like})`,
    );
  }
  const shown = sql.join(conditions, sql` and `);
  const order =
    query.sortby === 'used'
      ? sql`t.last_used_at desc nulls last, t.name collate natural_order, t.template_id`
      : sql`t.name collate natural_order, t.template_id`;
  const { rows } = await sql<TemplateRow>`
    select ${columns(actor)} from templates t where ${shown} order by ${order}
    limit ${query.pagesize} offset ${(query.page - 1) * query.pagesize}`.execute(trx);
  const counted = await sql<{ size: number }>`
    select count(*) as size from templates t where ${shown}`.execute(trx);
  return { Items: rows.map(toTemplate), Size: counted.rows[0]?.size ?? 0 };
}

/** One that this actor may use, or not found. */
export async function requireTemplate(trx: Trx, actor: Actor, templateId: number) {
  const { rows } = await sql<TemplateRow>`
    select ${columns(actor)} from templates t where ${isUsableTemplate(actor)} and t.template_id = ${templateId}`.execute(
    trx,
  );
  const [row] = rows;
  if (row === undefined) throw new Refusal('notFound', 'That saved text is no longer here.');
  return toTemplate(row);
}

/** One that this actor may change. */
export async function requireOwnTemplate(trx: Trx, actor: Actor, templateId: number) {
  const template = await requireTemplate(trx, actor, templateId);
  if (template.ReadOnly) {
    throw new Refusal(
      'refused',
      'This saved text belongs to somebody else. You can use it, but not change it.',
    );
  }
  return template;
}
