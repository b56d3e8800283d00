import { sql } from 'kysely';
import type { Input } from '../../contract/call.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { keywordForm } from '../../contract/forms/auto-reply.ts';
import {
  type addKeyword as addDefinition,
  type deleteKeyword as deleteDefinition,
  type Keyword,
  keywordTaken,
  type updateKeyword as updateDefinition,
} from '../../contract/keywords.ts';
import { lettersOf } from '../../contract/text/letters-of.ts';
import { refuseUnlessGroups } from '../contacts/read-contact.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import type { Actor } from '../serve.ts';
import { requireTextNumbers } from './change-auto-replies.ts';
import { listKeywordRows } from './queries.ts';

type Written = Input<typeof addDefinition>['body'];

export async function addKeyword(trx: Trx, actor: Actor, { body }: Input<typeof addDefinition>) {
  const read = await readKeyword(trx, actor, body);
  const { keyword_id: id } = await trx
    .insertInto('keywords')
    .values({ account_id: actor.accountId, ...read.columns })
    .returning('keyword_id')
    .executeTakeFirstOrThrow();
  return setNumbers(trx, actor, id, read);
}

export async function updateKeyword(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof updateDefinition>,
) {
  const read = await readKeyword(trx, actor, body);
  const changed = await trx
    .updateTable('keywords')
    .set({ ...read.columns, updated_at: sql`now()` })
    .where('account_id', '=', actor.accountId)
    .where('keyword_id', '=', params.KeywordID)
    .returning('keyword_id')
    .executeTakeFirst();
  if (changed === undefined) throw new Refusal('notFound');
  await trx
    .deleteFrom('keyword_numbers')
    .where('account_id', '=', actor.accountId)
    .where('keyword_id', '=', params.KeywordID)
    .execute();
  return setNumbers(trx, actor, params.KeywordID, read);
}

export async function deleteKeyword(trx: Trx, actor: Actor, { params }: Input<typeof deleteDefinition>) {
  const gone = await trx
    .deleteFrom('keywords')
    .where('account_id', '=', actor.accountId)
    .where('keyword_id', '=', params.KeywordID)
    .returning('keyword_id')
    .executeTakeFirst();
  if (gone === undefined) throw new Refusal('notFound');
  await notify(trx, actor.accountId, [{ type: 'replies.changed' }]);
  return {};
}

interface ReadKeyword {
  columns: { keyword: string; message: string; active: boolean; group_id: number | null };
  textNumberIds: number[];
  usableIds: number[];
}

/** The typed values, or a refusal in the specification's words at the field. */
async function readKeyword(trx: Trx, actor: Actor, body: Written): Promise<ReadKeyword> {
  const parsed = keywordForm().safeParse(body);
  if (!parsed.success) {
    const fields = parsed.error.issues.map(({ path, message }) => ({
      Field: path.join('.'),
      Message: message,
    }));
    throw new Refusal('invalid', fields[0]?.Message, { fields });
  }
  const { Keyword, Message, TextNumberIDs } = parsed.data;
  const usableIds = requireTextNumbers(actor, TextNumberIDs);
  if (body.ListID !== null) await refuseUnlessGroups(trx, actor, [body.ListID]);
  return {
    columns: { keyword: Keyword, message: Message, active: body.Active, group_id: body.ListID },
    textNumberIds: TextNumberIDs,
    usableIds,
  };
}

async function setNumbers(
  trx: Trx,
  actor: Actor,
  id: number,
  { columns, textNumberIds, usableIds }: ReadKeyword,
): Promise<Keyword> {
  // If the word is already in use nothing is written: of two at once, one is refused.
  const { rows } = await sql`
    insert into keyword_numbers (account_id, text_number_id, word, keyword_id)
    select distinct ${actor.accountId}::bigint, n, ${lettersOf(columns.keyword)}, ${id}::bigint
    from unnest(${textNumberIds}::bigint[]) n order by n
    on conflict do nothing
    returning text_number_id`.execute(trx);
  if (rows.length < new Set(textNumberIds).size) throw refuseField('Keyword', keywordTaken);
  await notify(trx, actor.accountId, [{ type: 'replies.changed' }]);
  const { Items } = await listKeywordRows(trx, actor, usableIds, { id });
  if (Items[0] === undefined) throw new Refusal('notFound');
  return Items[0];
}
