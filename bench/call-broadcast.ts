import { encodeWav } from '../sandbox/wav.ts';
import { readConfig } from '../server/config.ts';
import { openFiles } from '../server/outside/file-store.ts';
import type { Bench } from './harness.ts';
import { makeSender } from './texts.ts';

/** With rings, keys and voicemail greetings a call takes some 24 seconds then. */
const messageSeconds = 7;

/** An organization whose number calls, and its broadcast with so many recipients, as pressing Send leaves it. */
export async function addCallBroadcast(
  { db, environment, serverUrl }: Bench,
  number: string,
  count: number,
  retries = 0,
): Promise<number> {
  // The provider fetches it: without one, people would hear of an error, and a call would end there.
  const files = openFiles(readConfig({ ...environment, PUBLIC_URL: serverUrl }));
  const hash = await files.save(encodeWav(new Int16Array(8000 * messageSeconds).fill(1000), 8000));
  await files.close();
  const { accountId } = await makeSender(db, number, 2);
  await db.query('update accounts set quiet_hours_on = false where account_id = $1', [accountId]);
  const { rows: users } = await db.query<{ user_id: number }>(
    'select user_id from users where account_id = $1',
    [accountId],
  );
  const { rows: audio } = await db.query<{ audio_id: number }>(
    `insert into audio (account_id, user_id, name, origin, whole_hash, whole_ms, call_hash, length_ms, public_key, peaks)
     values ($1, $2, 'Bench', 'Upload', $3, $4, $3, $4, 'bench', '') returning audio_id`,
    [accountId, users[0]?.user_id ?? 1, hash, messageSeconds * 1000],
  );
  const { rows } = await db.query<{ broadcast_id: number }>(
    `insert into broadcasts (account_id, user_id, name, broadcast_type, status, confirmed_at, start_at, started_at, caller_id,
       call_throttle, retries, calling_days, calling_start, calling_stop, continue_on_next_day, audio_id, audio_vm_id,
       call_provider, call_zone, call_count, reach_count, call_credits_each, call_credits_unfed, credits_reserved, next_call_at)
     values ($1, $2, 'Bench', 'Announcement', 'broadcasting', now(), now(), now(), $3, 0, $6::int,
       '{Monday,Tuesday,Wednesday,Thursday,Friday,Saturday,Sunday}', '00:00', '23:59', true, $4, $4, 2, 'America/New_York',
       $5::int, $5::int, 1, $5::int, $5::int, now())
     returning broadcast_id`,
    [accountId, users[0]?.user_id ?? 1, number, audio[0]?.audio_id, count, retries],
  );
  const broadcastId = rows[0]?.broadcast_id ?? 0;
  await db.query(
    `insert into broadcast_recipients (account_id, broadcast_id, phone, call_state)
     select $1, $2, '1' || (2125550000 + i)::text, 'called' from generate_series(1, $3::int) i`,
    [accountId, broadcastId, count],
  );
  await db.query(
    `with moved as (
       update accounts set credit_balance = credit_balance + $2::bigint, credit_reserved = credit_reserved + $2::bigint
       where account_id = $1 returning *)
     insert into credit_entries (account_id, kind, balance_delta, reserved_delta, balance_after, reserved_after, note)
     select account_id, 'grant', $2::bigint, $2::bigint, credit_balance, credit_reserved, 'bench' from moved`,
    [accountId, count],
  );
  return broadcastId;
}
