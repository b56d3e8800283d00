/**
 * Seals events. A seal covers the events after the seal before it, in the order of their transactions, and
 * its hash covers their hashes and that seal's hash. Only events of transactions older than every running one
 * are sealed: those are final (server/read-events.ts).
 */
import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../db.ts';

const sealLock = 7_316_059;
const firstHash = Buffer.alloc(32);

export interface Seal {
  sealId: number;
  epoch: number;
  xactId: string;
  eventId: number;
  count: number;
  firstAt: Date;
  lastAt: Date;
  hash: Buffer;
}

interface Position {
  epoch: number;
  xactId: string;
  eventId: number;
}

interface Line extends Position {
  at: Date;
  line: string;
}

/**
 * An event as its hash covers it. jsonb has one way to write a value. A column that is added later is not
 * part of existing seals.
 */
const lineOf = sql`jsonb_build_array(
  account_id, event_id, (extract(epoch from created_at) * 1000000)::bigint, epoch, xact_id::text, kind, actor_kind,
  user_id, address, agent, subject_id, to_jsonb(subject_ids), subject_range::text, subject_count, changes)::text`;

export const sealColumns = sql`
  seal_id as "sealId", epoch, xact_id::text as "xactId", event_id as "eventId", event_count as count,
  first_at as "firstAt", last_at as "lastAt", hash`;

export async function readLines(
  trx: Trx,
  after: Position,
  upTo: RawBuilder<unknown>,
  most: number,
): Promise<Line[]> {
  const { rows } = await sql<Line>`
    select epoch, xact_id::text as "xactId", event_id as "eventId", created_at as at, ${lineOf} as line
    from events
    where (epoch, xact_id, event_id) > (${after.epoch}, ${after.xactId}::xid8, ${after.eventId}) and ${upTo}
    order by epoch, xact_id, event_id
    limit ${most}`.execute(trx);
  return rows;
}

export const beginning: Position & { hash: Buffer } = {
  epoch: 0,
  xactId: '0',
  eventId: 0,
  hash: firstHash,
};

export function chainHash(before: Buffer, lines: readonly { line: string }[]): Buffer {
  const hash = createHash('sha256').update(before);
  for (const { line } of lines) hash.update(line).update('\n');
  return hash.digest();
}

/** Nobody else can seal until this transaction ends. */
export async function holdSeals(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sealLock})`.execute(trx);
}

/** Seals up to `most` events. Returns how many; nothing is left to do while another process is sealing. */
export async function sealEvents(trx: Trx, most: number): Promise<Seal | undefined> {
  const { rows: locked } = await sql<{ isMine: boolean }>`
    select pg_try_advisory_xact_lock(${sealLock}) as "isMine"`.execute(trx);
  if (!locked[0]?.isMine) return undefined;
  const { rows: last } = await sql<Seal>`
    select ${sealColumns} from event_seals order by seal_id desc limit 1`.execute(trx);
  const before = last[0] ?? beginning;
  const final = sql`(epoch < current_event_epoch() or xact_id < pg_snapshot_xmin(pg_current_snapshot()))`;
  const lines = await readLines(trx, before, final, most);
  const end = lines.at(-1);
  if (end === undefined) return undefined;
  const times = lines.map(({ at }) => at.getTime());
  const hash = chainHash(before.hash, lines);
  const { rows } = await sql<Seal>`
    insert into event_seals (epoch, xact_id, event_id, event_count, first_at, last_at, hash)
    values (${end.epoch}, ${end.xactId}::xid8, ${end.eventId}, ${lines.length},
      ${new Date(times.reduce((a, b) => Math.min(a, b)))}, ${new Date(times.reduce((a, b) => Math.max(a, b)))}, ${hash})
    returning ${sealColumns}`.execute(trx);
  return rows[0];
}
