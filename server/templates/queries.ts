import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { Refusal } from '../../contract/errors.ts';
import type { listTemplates, Template, TemplateFilter } from '../../contract/templates.ts';
import { isUsableTemplate } from '../access/queries.ts';
import { may } from '../access/refuse-unless.ts';
import type { Trx } from '../db.ts';
import { type MediaRow, toMediaItem } from '../media/rules.ts';
import { likeText } from '../search-text.ts';
import type { Actor } from '../serve.ts';

type TemplateRow = Omit<Template, 'Media' | 'AddedBy'> & { media: MediaRow[]; ownerName: string | null };

/** Their own, and for admins all that are shared: the creator may have left. */
export function mayChange(actor: Actor): RawBuilder<unknown> {
  return may(actor, 'changeSharedMessages')
    ? sql`(t.user_id = ${actor.userId} or t.is_shared)`
    : sql`t.user_id = ${actor.userId}`;
}

const isFavorite = (actor: Actor) => sql`exists (select from template_favorites f
  where f.account_id = t.account_id and f.user_id = ${actor.userId} and f.template_id = t.template_id)`;

const columns = (actor: Actor) => sql`
  t.template_id as "TemplateID", t.name as "TemplateName", t.body as "TemplateText", 'Text' as "TemplateType",
  t.shortcut as "Shortcut", t.is_shared as "IsShared", ${isFavorite(actor)} as "IsFavorite",
  not ${mayChange(actor)} as "ReadOnly", t.labels as "Labels", t.use_count as "UseCount", t.last_used_at as "LastUsedTimestamp",
  (select u.first_name || ' ' || u.last_name from users u
    where u.account_id = t.account_id and u.user_id = t.user_id) as "ownerName",
  coalesce((
    select json_agg(json_build_object('media_id', f.media_id, 'public_key', f.public_key,
      'content_type', f.content_type, 'file_name', f.file_name, 'explicit_status', f.explicit_status,
      'created_at', f.created_at) order by array_position(t.media_ids, f.media_id))
    from media f where f.account_id = t.account_id and f.media_id = any(t.media_ids)), '[]') as media`;

function toTemplate({ media, ownerName, ...row }: TemplateRow) {
  const name = ownerName?.trim() ?? '';
  return { ...row, AddedBy: name, Media: media.map((item) => toMediaItem(item, name)) };
}

const hasLabel = (which: RawBuilder<unknown>) =>
  sql`exists (select from unnest(t.labels) as l(label) where ${which})`;

/** The rows of a list with this filter. Selections use the same condition. */
export function shownTemplates(actor: Actor, filter: TemplateFilter): RawBuilder<unknown> {
  const conditions = [isUsableTemplate(actor)];
  const { isfavorite, isshared, unused, label, q } = filter;
  if (isfavorite !== undefined) {
    conditions.push(isfavorite ? isFavorite(actor) : sql`not ${isFavorite(actor)}`);
  }
  if (isshared !== undefined) conditions.push(sql`t.is_shared = ${isshared}`);
  if (unused !== undefined) conditions.push(unused ? sql`t.use_count = 0` : sql`t.use_count > 0`);
  if (label !== undefined && label !== '') conditions.push(hasLabel(sql`lower(l.label) = lower(${label})`));
  if (q !== '') {
    const like = likeText(q);
    conditions.push(
      sql`(lower(t.name) like ${like} or lower(t.shortcut) like ${like} or lower(t.body) like ${like}
        or ${hasLabel(sql`lower(l.label) like ${like}`)})`,
    );
  }
  return sql.join(conditions, sql` and `);
}

const orders = {
  name: sql`t.name collate natural_order, t.template_id`,
  '-name': sql`t.name collate natural_order desc, t.template_id desc`,
  newest: sql`t.created_at desc, t.template_id desc`,
  used: sql`t.last_used_at desc nulls last, t.name collate natural_order, t.template_id`,
  '-used': sql`t.last_used_at nulls first, t.name collate natural_order, t.template_id`,
} as const;

export async function readTemplateSummary(trx: Trx, actor: Actor) {
  const { rows } = await sql<{ All: number; Favorited: number; Shared: number; Unused: number }>`
    select count(*) as "All", count(*) filter (where ${isFavorite(actor)}) as "Favorited",
      count(*) filter (where t.is_shared) as "Shared", count(*) filter (where t.use_count = 0) as "Unused"
    from templates t where ${isUsableTemplate(actor)}`.execute(trx);
  // Two people may write a label in different cases: it is one label.
  const { rows: Labels } = await sql<{ Name: string; Count: number }>`
    select min(l.label) as "Name", count(*) as "Count"
    from templates t cross join unnest(t.labels) as l(label) where ${isUsableTemplate(actor)}
    group by lower(l.label) order by min(l.label) collate natural_order`.execute(trx);
  return { ...(rows[0] ?? { All: 0, Favorited: 0, Shared: 0, Unused: 0 }), Labels };
}

export async function listTemplateRows(trx: Trx, actor: Actor, query: z.output<typeof listTemplates.query>) {
  const shown = shownTemplates(actor, query);
  const { rows } = await sql<TemplateRow>`
    select ${columns(actor)} from templates t where ${shown} order by ${orders[query.sortby]}
    limit ${query.pagesize} offset ${(query.page - 1) * query.pagesize}`.execute(trx);
  const counted = await sql<{ size: number }>`
    select count(*) as size from templates t where ${shown}`.execute(trx);
  return { Items: rows.map(toTemplate), Size: counted.rows[0]?.size ?? 0 };
}

/** As it is after this actor has changed it: somebody else's that isn't shared any more is no longer theirs to use. */
export function readChangedTemplate(trx: Trx, actor: Actor, templateId: number) {
  const isHere = sql`t.account_id = ${actor.accountId} and t.deleted_at is null`;
  return readTemplate(trx, actor, sql`${isHere} and t.template_id = ${templateId}`);
}

async function readTemplate(trx: Trx, actor: Actor, where: RawBuilder<unknown>) {
  const { rows } = await sql<TemplateRow>`
    select ${columns(actor)} from templates t where ${where}`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw notHere();
  return toTemplate(row);
}

const notHere = () => new Refusal('notFound', 'That saved text is no longer here.');

/** A saved text that this actor may use, or not found. */
export function requireTemplate(trx: Trx, actor: Actor, templateId: number) {
  return readTemplate(trx, actor, sql`${isUsableTemplate(actor)} and t.template_id = ${templateId}`);
}

/** A saved text that this actor may change. */
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
