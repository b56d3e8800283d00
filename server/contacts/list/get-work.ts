import type { Input } from '../../../contract/call.ts';
import { Refusal } from '../../../contract/errors.ts';
import type { getWork as definition } from '../../../contract/work.ts';
import type { Trx } from '../../db.ts';
import type { Actor } from '../../serve.ts';

function ownWork(trx: Trx, actor: Actor) {
  return trx
    .selectFrom('work')
    .select([
      'work_id as WorkID',
      'kind as Kind',
      'status as Status',
      'done as Done',
      'total as Total',
      'undo_id as UndoID',
      (value) => value.fn.coalesce('error_message', value.val('')).as('ErrorMessage'),
    ])
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', actor.userId);
}

export async function getWork(trx: Trx, actor: Actor, { params }: Input<typeof definition>) {
  const work = await ownWork(trx, actor).where('work_id', '=', params.WorkID).executeTakeFirst();
  if (work === undefined) throw new Refusal('notFound');
  return work;
}

export async function listWork(trx: Trx, actor: Actor) {
  const Items = await ownWork(trx, actor)
    .where('status', '=', 'InProgress')
    .orderBy('work_id')
    .limit(100)
    .execute();
  return { Items };
}
