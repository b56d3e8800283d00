import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { checkKeptConversations, dropConversationTriggers } from '../testing/check-kept-conversations.ts';
import { testDb } from '../testing/test-db.ts';
import { loadDemo } from './load-demo.ts';

it('is loaded once, and its broadcasts have the same sums as if they had been sent', async () => {
  const database = await testDb();
  await dropConversationTriggers(database.url);
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-demo-'));
  expect(await loadDemo(database.url, dataDir)).toEqual({ loaded: true });
  expect(await loadDemo(database.url, dataDir)).toEqual({ loaded: false });
  for (const { account_id } of await database.system.selectFrom('accounts').select('account_id').execute())
    await checkKeptConversations(database.system, account_id);
  const { rows: audio } = await sql<{ name: string; ms: number; call_hash: string }>`
    select name, length_ms as ms, call_hash from audio order by audio_id`.execute(database.system);
  expect(audio.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'Late start, two hours',
      'Schools closed, snow',
      'Bus count question',
      'Picture day',
    ]),
  );
  for (const { ms, call_hash } of audio) {
    expect(ms).toBeGreaterThan(7_000);
    expect(ms).toBeLessThan(30_000);
    expect((await stat(join(dataDir, 'media', call_hash.slice(0, 2), call_hash))).size).toBeGreaterThan(
      ms * 8,
    );
  }
  await rm(dataDir, { recursive: true });
  const { rows: ready } = await sql<{ titles: string[]; groups: number }>`
    select array_agg(m.title order by m.emergency_message_id) as titles, max(cardinality(s.list_ids)) as groups
    from emergency_messages m join emergency_settings s on s.account_id = m.account_id`.execute(
    database.system,
  );
  expect(ready).toEqual([{ titles: ['School closed', 'Lockdown', 'Severe weather'], groups: 6 }]);

  const { rows } = await sql<{
    name: string;
    status: string;
    isWhole: boolean;
    replied: number;
    answered: number;
  }>`
    select b.name, b.status,
      b.status in ('draft', 'model') or b.call_count = k.calls and k.calls > 0 or (
        b.going_count = r.going and b.left_out_count = r.left_out and b.fed_count = r.fed and b.fed_count = s.total
        and s.total = s.waiting + s.sent + s.delivered + s.read + s.failed + s.invalid + s.opted_out + s.canceled
        and s.total = m.texts and m.delivered = s.delivered
        -- A finished one waits for no carrier.
        and (b.status = 'scheduled' or s.waiting + s.sent = 0)) as "isWhole",
      r.replied, r.answered
    from broadcasts b,
      lateral (select count(*) filter (where problem is null)::int as going, count(problem)::int as left_out,
        count(message_id)::int as fed, count(replied_at)::int as replied, count(survey_answer)::int as answered
        from broadcast_recipients r where r.broadcast_id = b.broadcast_id) r,
      lateral (select coalesce(sum(total), 0) as total, coalesce(sum(waiting), 0) as waiting, coalesce(sum(sent), 0) as sent,
        coalesce(sum(delivered), 0) as delivered, coalesce(sum(read), 0) as read, coalesce(sum(failed), 0) as failed,
        coalesce(sum(invalid), 0) as invalid, coalesce(sum(opted_out), 0) as opted_out, coalesce(sum(canceled), 0) as canceled
        from broadcast_slices s where s.broadcast_id = b.broadcast_id) s,
      lateral (select count(*) as texts, count(*) filter (where status = 'delivered') as delivered
        from messages m where m.broadcast_id = b.broadcast_id and not is_inbound and slice_id is not null) m,
      lateral (select count(*)::int as calls from calls k where k.broadcast_id = b.broadcast_id and k.is_over) k
    order by b.broadcast_id`.execute(database.system);
  expect(rows).toEqual([
    { name: 'Picture day', status: 'completed', isWhole: true, replied: 3, answered: 0 },
    { name: 'Water main break at Creekside', status: 'canceled', isWhole: true, replied: 3, answered: 0 },
    { name: 'Early dismissal Friday', status: 'completed', isWhole: true, replied: 33, answered: 0 },
    { name: 'Fall festival helpers', status: 'completed', isWhole: true, replied: 43, answered: 42 },
    { name: 'Bus 14 detour', status: 'completed', isWhole: true, replied: 3, answered: 0 },
    { name: 'Parent survey reminder', status: 'completed', isWhole: true, replied: 11, answered: 0 },
    { name: 'Report cards', status: 'scheduled', isWhole: true, replied: 0, answered: 0 },
    { name: 'Lunch menu', status: 'model', isWhole: true, replied: 0, answered: 0 },
    { name: 'Winter concert', status: 'draft', isWhole: true, replied: 0, answered: 0 },
    { name: 'Welcome to the PTA, step 1', status: 'model', isWhole: true, replied: 0, answered: 0 },
    { name: 'Schools closed, snow', status: 'completed', isWhole: true, replied: 0, answered: 0 },
    { name: 'Who rides the bus?', status: 'completed', isWhole: true, replied: 0, answered: 0 },
    // The people of a drip campaign that is being written.
    { name: '', status: 'draft', isWhole: true, replied: 0, answered: 0 },
  ]);

  // The page of each recipient is consistent: nobody was added after it was sent, or left out for a later
  // event.
  const { rows: late } = await sql<{ added: number; out: number }>`
    select count(*) filter (where s.created_at > b.confirmed_at)::int as added,
      count(*) filter (where r.problem = 'opted_out' and c.text_changed_at > b.confirmed_at)::int as out
    from broadcasts b
    join broadcast_recipients r using (account_id, broadcast_id)
    join broadcast_sources s using (account_id, broadcast_id, source_id)
    left join phone_consents c on c.account_id = r.account_id and c.phone = r.phone
    where b.status in ('completed', 'canceled')`.execute(database.system);
  expect(late).toEqual([{ added: 0, out: 0 }]);

  const ledger = await sql<{ isRight: boolean; reserved: number; unfed: number }>`
    select (credit_balance, credit_reserved) = (
        select sum(balance_delta), sum(reserved_delta) from credit_entries e where e.account_id = a.account_id) as "isRight",
      credit_reserved as reserved,
      (select coalesce(sum(credits_unfed), 0)::bigint from broadcasts b where b.account_id = a.account_id) as unfed
    from accounts a order by account_id`.execute(database.system);
  // The reserved credits are those of the scheduled one.
  for (const row of ledger.rows)
    expect(row).toEqual({ isRight: true, reserved: row.unfed, unfed: row.unfed });
  expect(ledger.rows[0]?.unfed).toBeGreaterThan(100);
});
