import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { getBestHour } from '../../../contract/broadcasts.ts';
import { aBroadcast } from '../../testing/broadcasts.ts';
import { buildAccount } from '../../testing/builders.ts';
import { testApp } from '../../testing/test-app.ts';
import { findBestHour, type SentBefore } from './get-best-hour.ts';

const zone = 'America/New_York';
const always = () => true;
/** Creates this many broadcasts at an hour in New York, a hundred texts each. */
const at = (hour: number, count: number, replies: number): SentBefore[] =>
  Array.from({ length: count }, (_, day) => ({
    startedMs: Date.UTC(2026, 0, 5 + day, hour + 5, 20),
    texts: 100,
    replies,
  }));

describe('the best hour to send', () => {
  it('is the one with the highest share of replies, on the user’s clock', () => {
    expect(findBestHour([...at(9, 5, 4), ...at(17, 4, 12)], zone, always)).toEqual({
      ...{ Hour: 17, RepliesPer100: 12, UsualPer100: 7.6, BroadcastCount: 4, TextCount: 400 },
    });
    expect(findBestHour([...at(9, 5, 4), ...at(17, 4, 12)], 'America/Chicago', always).Hour).toBe(16);
  });

  it.each<[string, SentBefore[]]>([
    ['nothing was sent', []],
    ['all went out at one hour', at(9, 20, 10)],
    ['too few went out at the other', [...at(9, 10, 4), ...at(17, 2, 40)]],
    ['there is no real difference', [...at(9, 10, 10), ...at(17, 10, 10)]],
    ['nobody ever replied', [...at(9, 10, 0), ...at(17, 10, 0)]],
  ])('is unknown when %s', (_, sent) => {
    expect(findBestHour(sent, zone, always).Hour).toBeNull();
  });

  it('is never one at which nothing may be sent', () => {
    const sent = [...at(9, 5, 4), ...at(17, 4, 12), ...at(22, 4, 40)];
    expect(findBestHour(sent, zone, always).Hour).toBe(22);
    expect(findBestHour([...at(9, 5, 4), ...at(22, 9, 12)], zone, (hour) => hour < 21).Hour).toBeNull();
  });

  it('counts from the first text that went out, by first replies, without texts that failed', async () => {
    const number = '14235550100';
    const app = await testApp({ [number]: 'infobip' });
    const { accountId, owner, numbers } = await buildAccount(app, { numbers: { [number]: 'infobip' } });
    const sender = { accountId, userId: owner.userId, textNumberId: numbers[number] ?? 0 };
    await sql`update users set time_zone = 'UTC' where user_id = ${owner.userId}`.execute(
      app.database.system,
    );
    /** Held from 4 in the morning until that hour; each of these people replied twice, in time and two days later. */
    const send = async (day: number, hour: number, replies: number) => {
      const id = await aBroadcast(app.database, sender, { status: 'draft', count: 20 });
      const held = sql`date_trunc('day', now()) - ${day} * interval '1 day' + interval '4 hours'`;
      const sentAt = sql`date_trunc('day', now()) - ${day} * interval '1 day' + ${hour} * interval '1 hour'`;
      await sql`update broadcasts set status = 'completed', started_at = ${held}, fed_count = 90
        where broadcast_id = ${id}`.execute(app.database.system);
      await sql`insert into broadcast_slices
        (account_id, broadcast_id, first_message_id, last_message_id, total, delivered, failed, opted_out, created_at)
        values (${accountId}, ${id}, 1, 90, 90, 50, 30, 10, ${sentAt})`.execute(app.database.system);
      await sql`update broadcast_recipients set replied_at = ${sentAt} + interval '5 hours'
        where broadcast_id = ${id} and recipient_id in (
          select recipient_id from broadcast_recipients where broadcast_id = ${id} order by 1 limit ${replies})`.execute(
        app.database.system,
      );
    };
    for (const day of [3, 4, 5]) {
      await send(day, 9, 2);
      await send(day, 15, 10);
    }
    expect((await app.call(getBestHour, {}, owner)).body).toEqual({
      ...{ Hour: 15, RepliesPer100: 20, UsualPer100: 12, BroadcastCount: 3, TextCount: 150, Days: 180 },
    });
  });
});
