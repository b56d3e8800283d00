import { sql } from 'kysely';
import type { Input } from '../../../contract/call.ts';
import { Refusal } from '../../../contract/errors.ts';
import type { chooseText as definition } from '../../../contract/second-text.ts';
import type { Trx } from '../../db.ts';
import { enqueue } from '../../jobs.ts';
import { notify } from '../../notify.ts';
import { recordBeside } from '../../record-events.ts';
import type { Actor } from '../../serve.ts';
import { lockBroadcast } from '../lock-broadcast.ts';
import { countAnswers } from './count-answers.ts';
import { findSecondText } from './keep-second-text.ts';
import { type Decision, decideText, type TextPlace } from './rules.ts';

const names = { 1: 'First', 2: 'Second' } as const;

/**
 * A user chooses one of the two texts before the time is up. Locks the row that feeding locks: people whom a
 * worker holds at that moment get the text they were meant to get, everybody after them the chosen one.
 */
export async function chooseText(trx: Trx, actor: Actor, { params, body }: Input<typeof definition>) {
  const row = await lockBroadcast(trx, actor, params.BroadcastID);
  const of = { accountId: row.account_id, broadcastId: row.broadcast_id };
  const second = await findSecondText(trx, of);
  if (second === undefined) throw new Refusal('notFound', 'This broadcast has one text.');
  const winner: TextPlace = body.Text === 'First' ? 1 : 2;
  if (second.winner === winner) return { Winner: names[winner] };
  if (second.winner !== null) {
    throw new Refusal(
      'conflict',
      `The ${names[winner === 1 ? 2 : 1].toLowerCase()} text has been chosen already.`,
    );
  }
  if (row.status === 'canceled') throw new Refusal('conflict', 'This broadcast was canceled.');
  if (row.fed_count === 0) {
    throw new Refusal('conflict', 'Nobody has got either text yet. Edit the broadcast to send one text.');
  }
  await writeDecision(trx, of, { winner, by: actor.userId, decide_by: second.decide_by });
  await trx
    .updateTable('broadcasts')
    .set({ next_feed_at: sql`case when next_feed_at is not null then now() end`, held_reason: '' })
    .where('account_id', '=', of.accountId)
    .where('broadcast_id', '=', of.broadcastId)
    .execute();
  await enqueue(trx, 'send_messages', {});
  await notify(trx, of.accountId, [{ type: 'broadcast.changed', BroadcastID: of.broadcastId }]);
  return { Winner: names[winner] };
}

interface Tried {
  decide_by: string;
}

/**
 * The time is up. Runs in the feed's transaction, with the broadcast's row locked: the next slice carries the
 * chosen text.
 */
export async function decide(
  trx: Trx,
  of: { accountId: number; broadcastId: number },
  { decide_by }: Tried,
): Promise<void> {
  await writeDecision(trx, of, { decide_by });
  await recordBeside(trx, { accountId: of.accountId }, [
    { kind: 'broadcast.textChosen', id: of.broadcastId },
  ]);
  await notify(trx, of.accountId, [
    { type: 'broadcast.changed', BroadcastID: of.broadcastId },
    { type: 'broadcasts.changed' },
  ]);
}

/** Saves the decision with the figures behind it: later replies don't change the reason. */
async function writeDecision(
  trx: Trx,
  { accountId, broadcastId }: { accountId: number; broadcastId: number },
  { decide_by, ...given }: Tried & { winner?: TextPlace; by?: number },
): Promise<void> {
  const { first, second } = await countAnswers(trx, { accountId, broadcastId });
  const people = decide_by === 'clicks' ? 'clicked' : 'replied';
  const figures = [first, second].map((one) => ({ sent: one.sent, people: one[people] }));
  const [ofFirst = { sent: 0, people: 0 }, ofSecond = { sent: 0, people: 0 }] = figures;
  const { winner, reason }: Decision | { winner: TextPlace; reason: 'chosen' } =
    given.winner === undefined ? decideText(ofFirst, ofSecond) : { winner: given.winner, reason: 'chosen' };
  // Chosen early: people who were meant to get one of the two first are now part of the rest.
  await sql`
    update second_text_zones set total = fed
    where account_id = ${accountId} and broadcast_id = ${broadcastId} and fed < total`.execute(trx);
  await trx
    .updateTable('second_texts')
    .set({
      winner,
      reason,
      decided_at: sql`now()`,
      decided_by: given.by ?? null,
      first_sent: ofFirst.sent,
      second_sent: ofSecond.sent,
      first_people: ofFirst.people,
      second_people: ofSecond.people,
    })
    .where('account_id', '=', accountId)
    .where('broadcast_id', '=', broadcastId)
    .execute();
}
