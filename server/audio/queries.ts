import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { AudioFilter, AudioOrigin, AudioType, audio, listAudio } from '../../contract/audio.ts';
import { Refusal } from '../../contract/errors.ts';
import { audioTooLong } from '../../contract/uploads/audio.ts';
import { may } from '../access/refuse-unless.ts';
import type { Trx } from '../db.ts';
import { likeText } from '../search-text.ts';
import type { Actor } from '../serve.ts';
import { audioAddress, playAddress } from './rules.ts';

/** Recordings, aliased `a`, that this actor may use: their own and those that others share. */
function mayUse(actor: Actor): RawBuilder<unknown> {
  return sql`a.account_id = ${actor.accountId} and (a.user_id = ${actor.userId}
    or (a.is_shared and ${may(actor, 'seeGroupAudio')}))`;
}

/** Their own, and for owners and admins all that are shared: the creator may have left. */
export function mayChange(actor: Actor): RawBuilder<unknown> {
  return may(actor, 'changeSharedMessages')
    ? sql`(a.user_id = ${actor.userId} or a.is_shared)`
    : sql`a.user_id = ${actor.userId}`;
}

const isFavorite = (actor: Actor) => sql`exists (select from audio_favorites f
  where f.account_id = a.account_id and f.user_id = ${actor.userId} and f.audio_id = a.audio_id)`;

/** The recordings in a list with this filter. Selections use the same condition. */
export function shownAudio(actor: Actor, filter: AudioFilter): RawBuilder<unknown> {
  const conditions = [mayUse(actor), sql`a.deleted_at is null`];
  const { isfavorite, isshared, unused, type, q } = filter;
  if (isfavorite !== undefined) {
    conditions.push(isfavorite ? isFavorite(actor) : sql`not ${isFavorite(actor)}`);
  }
  if (isshared !== undefined) conditions.push(sql`a.is_shared = ${isshared}`);
  if (unused !== undefined) conditions.push(unused ? sql`a.use_count = 0` : sql`a.use_count > 0`);
  if (type !== undefined) conditions.push(sql`a.audio_type = ${type}`);
  if (q !== '') conditions.push(sql`lower(a.name) like ${likeText(q)}`);
  return sql.join(conditions, sql` and `);
}

interface AudioRow {
  account_id: number;
  audio_id: number;
  name: string;
  audio_type: AudioType;
  origin: AudioOrigin;
  spoken_text: string | null;
  voice_id: string | null;
  length_ms: number;
  public_key: string;
  peaks: Buffer;
  silence_before_ms: number;
  silence_after_ms: number;
  is_silence_cut: boolean;
  is_shared: boolean;
  use_count: number;
  last_used_at: Date | null;
  created_at: Date;
  is_favorite: boolean;
  is_read_only: boolean;
  added_by: string | null;
}

const columns = (actor: Actor) => sql`
  a.account_id, a.audio_id, a.name, a.audio_type, a.origin, a.spoken_text, a.voice_id, a.length_ms, a.public_key, a.peaks,
  a.silence_before_ms, a.silence_after_ms, a.is_silence_cut, a.is_shared, a.use_count, a.last_used_at, a.created_at,
  ${isFavorite(actor)} as is_favorite, not ${mayChange(actor)} as is_read_only,
  (select trim(u.first_name || ' ' || u.last_name) from users u
    where u.account_id = a.account_id and u.user_id = a.user_id) as added_by`;

const seconds = (ms: number) => Math.round(ms / 100) / 10;

function toAudio(row: AudioRow): z.input<typeof audio> {
  return {
    AudioID: row.audio_id,
    Name: row.name,
    Length: seconds(row.length_ms),
    Uri: audioAddress(row.audio_id),
    Favorite: row.is_favorite,
    Shared: row.is_shared,
    ReadOnly: row.is_read_only,
    AudioType: row.audio_type,
    Origin: row.origin,
    PlayUri: playAddress(row.account_id, row.public_key),
    Peaks: [...row.peaks],
    SilenceBefore: seconds(row.silence_before_ms),
    SilenceAfter: seconds(row.silence_after_ms),
    SilenceCut: row.is_silence_cut,
    Problem: audioTooLong(row.length_ms / 1000) ?? null,
    Text: row.spoken_text,
    VoiceID: row.voice_id,
    UseCount: row.use_count,
    LastUsedTimestamp: row.last_used_at,
    AddedBy: row.added_by ?? '',
    CreateTimestamp: row.created_at,
  };
}

const orders = {
  name: sql`lower(a.name), a.audio_id`,
  '-name': sql`lower(a.name) desc, a.audio_id desc`,
  newest: sql`a.created_at desc, a.audio_id desc`,
  oldest: sql`a.created_at, a.audio_id`,
  length: sql`a.length_ms, a.audio_id`,
  '-length': sql`a.length_ms desc, a.audio_id desc`,
  used: sql`a.last_used_at desc nulls last, lower(a.name), a.audio_id`,
} as const;

export async function listAudioRows(trx: Trx, actor: Actor, query: z.output<typeof listAudio.query>) {
  const shown = shownAudio(actor, query);
  const { rows } = await sql<AudioRow>`
    select ${columns(actor)} from audio a where ${shown} order by ${orders[query.sort]}
    limit ${query.pagesize} offset ${(query.page - 1) * query.pagesize}`.execute(trx);
  const counted = await sql<{ size: number }>`select count(*) as size from audio a where ${shown}`.execute(
    trx,
  );
  return { Items: rows.map(toAudio), Size: counted.rows[0]?.size ?? 0 };
}

export async function readAudioSummary(trx: Trx, actor: Actor) {
  const { rows } = await sql<{ All: number; Favorited: number; Shared: number; Unused: number }>`
    select count(*) as "All", count(*) filter (where ${isFavorite(actor)}) as "Favorited",
      count(*) filter (where a.is_shared) as "Shared", count(*) filter (where a.use_count = 0) as "Unused"
    from audio a where ${mayUse(actor)} and a.deleted_at is null`.execute(trx);
  return rows[0] ?? { All: 0, Favorited: 0, Shared: 0, Unused: 0 };
}

/** A recording that this actor may use, or not found. */
export async function requireAudio(trx: Trx, actor: Actor, audioId: number) {
  return readAudio(trx, actor, sql`${mayUse(actor)} and a.audio_id = ${audioId}`);
}

/** As it is after this actor has changed it: somebody else's that isn't shared any more is no longer theirs to use. */
export function readChangedAudio(trx: Trx, actor: Actor, audioId: number) {
  return readAudio(trx, actor, sql`a.account_id = ${actor.accountId} and a.audio_id = ${audioId}`);
}

async function readAudio(trx: Trx, actor: Actor, where: RawBuilder<unknown>) {
  const { rows } = await sql<AudioRow>`
    select ${columns(actor)} from audio a where ${where} and a.deleted_at is null`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw notHere();
  return toAudio(row);
}

const notHere = () => new Refusal('notFound', 'That recording is no longer here.');

/** The files of a recording that this actor may use; `archived`: also after it was deleted. */
export async function requireFiles(trx: Trx, actor: Actor, audioId: number, include?: 'archived') {
  const { rows } = await sql<AudioFiles>`
    select ${fileColumns} from audio a
    where ${mayUse(actor)} and a.audio_id = ${audioId} and (${include === 'archived'} or a.deleted_at is null)`.execute(
    trx,
  );
  const [row] = rows;
  if (row === undefined) throw notHere();
  return row;
}

export interface AudioFiles {
  name: string;
  original_hash: string | null;
  original_type: string | null;
  whole_hash: string;
  whole_ms: number;
  call_hash: string;
  silence_before_ms: number;
  silence_after_ms: number;
  is_silence_cut: boolean;
}

const fileColumns = sql`a.name, a.original_hash, a.original_type, a.whole_hash, a.whole_ms, a.call_hash,
  a.silence_before_ms, a.silence_after_ms, a.is_silence_cut`;

/** The files of several recordings, by name, at most `most` and one more. */
export async function listFiles(trx: Trx, rows: RawBuilder<unknown>, most: number): Promise<AudioFiles[]> {
  const found = await sql<AudioFiles>`
    select ${fileColumns} from audio a where ${rows} order by lower(a.name), a.audio_id limit ${most + 1}`.execute(
    trx,
  );
  return found.rows;
}
