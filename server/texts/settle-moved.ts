import { sql } from 'kysely';
import type { Event } from '../../contract/events.ts';
import { type CreditMove, moveCredits, ofBroadcast } from '../billing/move-credits.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';

/**
 * The moved texts, for their credits; one for each broadcast, and one without an id for texts outside of
 * broadcasts.
 */
export interface MovedPart {
  account_id: number;
  broadcast_id: number | null;
  settled: number;
  released: number;
  /** For texts outside of broadcasts. */
  settled_ids: number[] | null;
  released_ids: number[] | null;
}

/** A text of a conversation that a user may have open. */
export interface ShownText {
  account_id: number;
  conversation_id: number;
  message_id: number;
}

/**
 * Read `moved` with account_id, message_id, broadcast_id, text_number_id, phone, origin, settled and
 * released.
 */
export const movedParts = sql`
  select account_id, broadcast_id, sum(settled)::int as settled, sum(released)::int as released,
    array_agg(message_id) filter (where settled > 0 and broadcast_id is null) as settled_ids,
    array_agg(message_id) filter (where released > 0 and broadcast_id is null) as released_ids
  from moved group by account_id, broadcast_id`;

export const shownTexts = sql`
  select m.account_id, m.message_id, c.conversation_id
  from moved m
  join conversations c on c.account_id = m.account_id and c.text_number_id = m.text_number_id and c.phone = m.phone
  where m.origin <> 'broadcast'`;

/** Credits and notices for texts that moved, account by account. */
export async function settleMoved(
  trx: Trx,
  parts: readonly MovedPart[],
  shown: readonly ShownText[],
  note: string,
): Promise<void> {
  const shownOf = Map.groupBy(shown, (text) => text.account_id);
  const byAccount = [...Map.groupBy(parts, (part) => part.account_id)].sort(([a], [b]) => a - b);
  for (const [accountId, own] of byAccount) {
    const moves = own.flatMap((part) => movesOf(part, note));
    await moveCredits(trx, moves);
    const events: Event[] = (shownOf.get(accountId) ?? []).map((text) => ({
      type: 'message.changed',
      ConversationID: text.conversation_id,
      TextMessageID: text.message_id,
    }));
    for (const { broadcast_id: BroadcastID } of own) {
      if (BroadcastID !== null) events.push({ type: 'broadcast.changed', BroadcastID });
    }
    if (moves.some(({ credits }) => credits > 0)) events.push({ type: 'credits.changed' });
    await notify(trx, accountId, events);
  }
}

function movesOf(part: MovedPart, note: string): CreditMove[] {
  const { account_id: accountId, broadcast_id: broadcastId } = part;
  const referTo = (ids: number[] | null) =>
    broadcastId === null ? { kind: 'text' as const, ids: ids ?? [] } : ofBroadcast(broadcastId);
  return [
    { accountId, kind: 'settle', credits: part.settled, note, reference: referTo(part.settled_ids) },
    {
      ...{ accountId, kind: 'release', credits: part.released, note: 'Texts that were not sent' },
      reference: referTo(part.released_ids),
    },
  ];
}
