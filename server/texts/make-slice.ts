import { type RawBuilder, sql } from 'kysely';
import { leaseSeconds } from './rules.ts';

/** The broadcast whose recipients become texts. */
export interface SlicedBroadcast {
  account_id: number;
  broadcast_id: number;
  text_number_id: number;
  aggregator_id: number;
  user_id: number;
  media_ids: number[];
}

/**
 * The parts of the feeding statement that write the ledger: `slice` with the slice that counts the texts, `made` with
 * the texts, `leased` with the lease of this worker on them. Reads `next` (a row for each recipient, with message_id,
 * nonce, phone, body, segments, credits and status: waiting, opted_out, or canceled if the account's rules bar it) and
 * `sums` (many, out, barred, released, first_id, last_id).
 */
export function makeSlice(
  due: SlicedBroadcast,
  by: { leaseId: string; sliceId: number | undefined; place?: number | undefined },
): RawBuilder<unknown> {
  const { account_id: accountId, broadcast_id: broadcastId } = due;
  const slice =
    by.sliceId === undefined
      ? sql`
        insert into broadcast_slices
          (account_id, broadcast_id, first_message_id, last_message_id, total, waiting, opted_out, canceled, released,
          place)
        select ${accountId}, ${broadcastId}, first_id, last_id, many, many - out - barred, out, barred, released,
          ${by.place ?? null}::smallint
        from sums where many > 0
        returning slice_id`
      : sql`
        update broadcast_slices s
        set last_message_id = greatest(s.last_message_id, u.last_id), total = s.total + u.many,
          waiting = s.waiting + u.many - u.out - u.barred, opted_out = s.opted_out + u.out,
          canceled = s.canceled + u.barred, released = s.released + u.released
        from sums u
        where s.account_id = ${accountId} and s.broadcast_id = ${broadcastId} and s.slice_id = ${by.sliceId}
          and u.many > 0
        returning s.slice_id`;
  return sql`
    slice as (${slice}),
    made as (
      insert into messages
        (account_id, message_id, text_number_id, status_at, user_id, media_ids, send_nonce, segments, credits,
        is_inbound, phone, status, origin, body, broadcast_id, slice_id)
      overriding system value
      select ${accountId}, n.message_id, ${due.text_number_id}, now(), ${due.user_id}, ${due.media_ids}::bigint[],
        n.nonce, n.segments, n.credits, false, n.phone, n.status,
        'broadcast', n.body, ${broadcastId}, slice.slice_id
      from next n, slice
    ),
    leased as (
      insert into outbox_slices
        (account_id, broadcast_id, slice_id, first_message_id, last_message_id, text_number_id, aggregator_id,
        lease_id, lease_until)
      select ${accountId}, ${broadcastId}, slice.slice_id, first_id, last_id, ${due.text_number_id},
        ${due.aggregator_id}, ${by.leaseId}::uuid, now() + ${leaseSeconds} * interval '1 second'
      from sums, slice where many > out + barred
    )`;
}
