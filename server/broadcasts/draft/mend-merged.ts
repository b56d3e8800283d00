import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { Refusal } from '../../../contract/errors.ts';
import type { updateMergedMessages as definition } from '../../../contract/template-merges.ts';
import type { Trx } from '../../db.ts';
import { notify } from '../../notify.ts';
import type { Actor } from '../../serve.ts';
import { toMergedMessage } from './list-merged.ts';
import { acceptMissing, getMerge, setMerge } from './merge-draft.ts';
import {
  bothTexts,
  type MergeRecipient,
  mergeProblems,
  mergeText,
  readMergeRecipients,
} from './merge-recipients.ts';
import { lockDraft } from './queries.ts';
import { isMergeFresh, readSending, type Sending } from './read-sending.ts';

/** Corrects single texts of a merge by hand, or leaves them out. People who are included again are judged again. */
export async function updateMerged(trx: Trx, actor: Actor, { params, body }: Input<typeof definition>) {
  const { TemplateMergeID } = params;
  await lockDraft(trx, actor, TemplateMergeID);
  const sending = await readSending(trx, actor.accountId, TemplateMergeID);
  if (!isMergeFresh(sending) || sending.merge_state !== 'done') {
    throw new Refusal(
      'conflict',
      'The text or its recipients have changed since it was personalized. Personalize it again first.',
    );
  }
  const rows = await requireMerged(trx, sending, body.Items);
  const mended = rows.map(({ row, item }) => ({
    ...row,
    ownBody: item.TextMessage ?? row.ownBody,
    isExcluded: item.Exclude ?? (item.TextMessage === undefined && row.problem === 'excluded'),
  }));
  await writeMended(trx, sending, mended);
  if (body.ExcludeAll) {
    await sql`
      update broadcast_recipients set problem = 'excluded'
      where account_id = ${actor.accountId} and broadcast_id = ${TemplateMergeID}
        and problem in ${mergeProblems}`.execute(trx);
  }
  await setMerge(trx, sending, {});
  if (body.AcceptMissing !== undefined && body.AcceptMissing !== sending.acceptsMissing) {
    await acceptMissing(trx, actor.accountId, TemplateMergeID, body.AcceptMissing);
  }
  await notify(trx, actor.accountId, [{ type: 'draft.changed', DraftBroadcastID: TemplateMergeID }]);
  const after = await readThese(trx, sending, body.Items, actor);
  return {
    Items: after.map((row) => toMergedMessage(actor, row, sending)),
    Merge: await getMerge(trx, actor, TemplateMergeID),
  };
}

type Item = Input<typeof definition>['body']['Items'][number];

function readThese(trx: Trx, sending: Sending, items: Item[], shownTo?: Actor) {
  const { accountId, broadcast_id } = sending;
  return readMergeRecipients(
    trx,
    { accountId, broadcastId: broadcast_id, text: bothTexts(sending), ...(shownTo && { shownTo }) },
    {
      where: sql`r.recipient_id = any(${items.map((item) => item.MergedMessageID)}::bigint[])
        and (r.problem is null or r.problem = 'excluded' or r.problem in ${mergeProblems})`,
    },
  );
}

async function requireMerged(trx: Trx, sending: Sending, items: Item[]) {
  const rows = new Map((await readThese(trx, sending, items)).map((row) => [row.recipientId, row]));
  return items.map((item) => {
    const row = rows.get(item.MergedMessageID);
    if (row === undefined) throw new Refusal('notFound', 'That text is no longer part of this broadcast.');
    return { row, item };
  });
}

async function writeMended(
  trx: Trx,
  sending: Sending,
  mended: (MergeRecipient & { isExcluded: boolean })[],
): Promise<void> {
  if (mended.length === 0) return;
  const judged = mended.map((row) => {
    const { segments, problem } = mergeText(row, sending);
    return { ...row, segments, problem: row.isExcluded ? 'excluded' : problem };
  });
  const column = <T>(pick: (row: (typeof judged)[number]) => T) => judged.map(pick);
  await sql`
    with mended as (
      select m.*, r.phone,
        -- If two with the same phone are included again, the first one gets the text.
        row_number() over (partition by r.phone, m.problem is null order by m.recipient_id) as place
      from unnest(${column((row) => row.recipientId)}::bigint[], ${column((row) => row.ownBody)}::text[],
        ${column((row) => row.segments)}::smallint[], ${column((row) => row.problem)}::text[]
      ) as m(recipient_id, own_body, segments, problem)
      join broadcast_recipients r on r.account_id = ${sending.accountId}
        and r.broadcast_id = ${sending.broadcast_id} and r.recipient_id = m.recipient_id
    ),
    judged as (
      select m.*, (
        select going.recipient_id from broadcast_recipients going
        where going.account_id = ${sending.accountId} and going.broadcast_id = ${sending.broadcast_id}
          and going.phone = m.phone and going.problem is null and going.recipient_id <> m.recipient_id) as goes_instead
      from mended m
    )
    update broadcast_recipients r
    set own_body = j.own_body, segments = j.segments,
      problem = case when j.problem is null and (j.place > 1 or j.goes_instead is not null)
        then 'duplicate' else j.problem end,
      duplicate_of = case when j.problem is null then j.goes_instead end
    from judged j
    where r.account_id = ${sending.accountId} and r.broadcast_id = ${sending.broadcast_id}
      and r.recipient_id = j.recipient_id`.execute(trx);
}
