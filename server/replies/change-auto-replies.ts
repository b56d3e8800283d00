import { sql } from 'kysely';
import type {
  AutoReply,
  addAutoReply as addDefinition,
  deleteAutoReply as deleteDefinition,
  updateAutoReply as updateDefinition,
} from '../../contract/auto-replies.ts';
import type { Input } from '../../contract/call.ts';
import { Refusal } from '../../contract/errors.ts';
import { fieldErrors } from '../../contract/fields/form.ts';
import { autoReplyForm } from '../../contract/forms/auto-reply.ts';
import { autoReplyMode } from '../../contract/time/auto-reply-schedule.ts';
import { minutesOf, parseClockTime } from '../../contract/time/clock-time.ts';
import { autoReplyStepMinutes } from '../../contract/time/time-steps.ts';
import { dayNames } from '../../contract/time/wall-clock.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import type { Actor } from '../serve.ts';
import { listAutoReplyRows } from './queries.ts';

type Written = Input<typeof addDefinition>['body'];

export async function addAutoReply(trx: Trx, actor: Actor, { body }: Input<typeof addDefinition>) {
  const usableIds = refuseUnlessRight(actor, body);
  const { auto_reply_id: id } = await trx
    .insertInto('auto_replies')
    .values({ account_id: actor.accountId, ...columnsOf(body) })
    .returning('auto_reply_id')
    .executeTakeFirstOrThrow();
  return setNumbers(trx, actor, id, { textNumberIds: body.TextNumberIDs, usableIds });
}

export async function updateAutoReply(
  trx: Trx,
  actor: Actor,
  { params, body }: Input<typeof updateDefinition>,
) {
  const usableIds = refuseUnlessRight(actor, body);
  const changed = await trx
    .updateTable('auto_replies')
    .set({ ...columnsOf(body), updated_at: sql`now()` })
    .where('account_id', '=', actor.accountId)
    .where('auto_reply_id', '=', params.AutoReplyID)
    .returning('auto_reply_id')
    .executeTakeFirst();
  if (changed === undefined) throw new Refusal('notFound');
  return setNumbers(trx, actor, params.AutoReplyID, { textNumberIds: body.TextNumberIDs, usableIds });
}

/** Its numbers are removed with it (foreign key) and use the account's own from now on. */
export async function deleteAutoReply(trx: Trx, actor: Actor, { params }: Input<typeof deleteDefinition>) {
  const gone = await trx
    .deleteFrom('auto_replies')
    .where('account_id', '=', actor.accountId)
    .where('auto_reply_id', '=', params.AutoReplyID)
    .returning('auto_reply_id')
    .executeTakeFirst();
  if (gone === undefined) throw new Refusal('notFound');
  await notify(trx, actor.accountId, [{ type: 'replies.changed' }]);
  return {};
}

/** Checks it, with the specification's words at the field. Returns the numbers that the actor may use. */
function refuseUnlessRight(actor: Actor, body: Written): number[] {
  const errors = fieldErrors(autoReplyForm, { ...body, Mode: autoReplyMode(body) });
  const fields = [...Object.entries(errors), ...offSteps(body)].map(([Field, Message]) => ({
    Field,
    Message,
  }));
  if (fields.length > 0) throw new Refusal('invalid', fields[0]?.Message, { fields });
  return requireTextNumbers(actor, body.TextNumberIDs);
}

/** Times that are not on a half hour; the form refuses invalid times. */
function offSteps({ DaySchedules }: Written): [string, string][] {
  return dayNames.flatMap((day) =>
    (['StartTime', 'StopTime'] as const).flatMap((field): [string, string][] => {
      const time = parseClockTime(DaySchedules[day]?.[field] ?? '');
      if (time === undefined || minutesOf(time) % autoReplyStepMinutes === 0) return [];
      const label = field === 'StartTime' ? 'Start Time' : 'Stop Time';
      return [[`DaySchedules.${day}.${field}`, `${label} must be on the hour or the half hour.`]];
    }),
  );
}

function columnsOf(body: Written) {
  return {
    active: body.Active,
    type_id: body.AutoReplyTypeID,
    message: body.Message,
    day_schedules: JSON.stringify(body.DaySchedules),
  };
}

async function setNumbers(
  trx: Trx,
  actor: Actor,
  id: number,
  { textNumberIds, usableIds }: { textNumberIds: number[]; usableIds: number[] },
): Promise<AutoReply> {
  await sql`
    delete from auto_reply_numbers
    where account_id = ${actor.accountId} and auto_reply_id = ${id} and not text_number_id = any(${textNumberIds}::bigint[])`.execute(
    trx,
  );
  // A number has one: it leaves its previous one.
  await sql`
    insert into auto_reply_numbers (account_id, text_number_id, auto_reply_id)
    select distinct ${actor.accountId}::bigint, n, ${id}::bigint from unnest(${textNumberIds}::bigint[]) n order by n
    on conflict (account_id, text_number_id) do update set auto_reply_id = excluded.auto_reply_id`.execute(
    trx,
  );
  await notify(trx, actor.accountId, [{ type: 'replies.changed' }]);
  const { Items } = await listAutoReplyRows(trx, actor, usableIds, { id });
  if (Items[0] === undefined) throw new Refusal('notFound');
  return Items[0];
}

/** Checks that all these are text numbers that the actor may use; returns all of those. */
export function requireTextNumbers(actor: Actor, textNumberIds: number[]): number[] {
  const usable = actor.textNumberIds;
  const isUsable = new Set(usable);
  if (!textNumberIds.every((id) => isUsable.has(id))) {
    throw new Refusal('notFound', 'That text number is not yours to use.');
  }
  return usable;
}
