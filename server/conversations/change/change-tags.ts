import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { Refusal, refuseField } from '../../../contract/errors.ts';
import {
  type addTag as addDefinition,
  type deleteTag as deleteDefinition,
  tagLimits,
  type updateTag as updateDefinition,
} from '../../../contract/tags.ts';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { changeOrWork } from './change-in-slices.ts';

const nameTaken = 'The tag name is already in use.';
const tooMany = `You can have at most ${tagLimits.tags} tags.`;
const gone = 'That tag is no longer here.';

function tagsOf(trx: Trx, actor: Actor) {
  return trx
    .selectFrom('tags')
    .select(['tag_id as TagID', 'name as TagName', 'color as Color'])
    .where('account_id', '=', actor.accountId);
}

export async function listTags(trx: Trx, actor: Actor) {
  const Items = await tagsOf(trx, actor).orderBy(sql`lower(name)`).execute();
  return { Items, Size: Items.length };
}

/** Changes of names run one after the other, so that two don't both take the last place or the same name. */
async function lockTags(trx: Trx, actor: Actor): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('tags', ${actor.accountId}))`.execute(trx);
}

async function refuseIfNameTaken(trx: Trx, actor: Actor, name: string, exceptId = 0): Promise<void> {
  const other = await tagsOf(trx, actor)
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .where('tag_id', '<>', exceptId)
    .executeTakeFirst();
  if (other !== undefined) throw refuseField('TagName', nameTaken);
}

export async function addTag(trx: Trx, actor: Actor, { body }: Input<typeof addDefinition>) {
  await lockTags(trx, actor);
  await refuseIfNameTaken(trx, actor, body.TagName);
  if ((await listTags(trx, actor)).Size >= tagLimits.tags) throw new Refusal('refused', tooMany);
  const tag = await trx
    .insertInto('tags')
    .values({ account_id: actor.accountId, name: body.TagName, color: body.Color })
    .returning(['tag_id as TagID', 'name as TagName', 'color as Color'])
    .executeTakeFirstOrThrow();
  await notify(trx, actor.accountId, [{ type: 'tags.changed' }]);
  return tag;
}

export async function updateTag(trx: Trx, actor: Actor, { params, body }: Input<typeof updateDefinition>) {
  await lockTags(trx, actor);
  const tag = await tagsOf(trx, actor).where('tag_id', '=', params.TagID).executeTakeFirst();
  if (tag === undefined) throw new Refusal('notFound', gone);
  const { TagName = tag.TagName, Color = tag.Color } = body;
  await refuseIfNameTaken(trx, actor, TagName, params.TagID);
  await trx
    .updateTable('tags')
    .set({ name: TagName, color: Color })
    .where('account_id', '=', actor.accountId)
    .where('tag_id', '=', params.TagID)
    .execute();
  await notify(trx, actor.accountId, [{ type: 'tags.changed' }]);
  return { ...tag, TagName, Color };
}

/**
 * The tag disappears at once, since lists join its row; if many conversations have it, its id is removed in
 * the background.
 */
export async function deleteTag(trx: Trx, actor: Actor, { params }: Input<typeof deleteDefinition>) {
  // First: a transaction that adds the tag meanwhile locks its row, and this waits for it.
  const deleted = await trx
    .deleteFrom('tags')
    .where('account_id', '=', actor.accountId)
    .where('tag_id', '=', params.TagID)
    .returning('tag_id')
    .executeTakeFirst();
  if (deleted === undefined) throw new Refusal('notFound', gone);
  await changeOrWork(trx, actor, { kind: 'conversations.untag', tagId: params.TagID });
  await notify(trx, actor.accountId, [{ type: 'tags.changed' }]);
  return {};
}
