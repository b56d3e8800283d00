/** Texts that wait for a carrier that was taken out of the settings. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createConversation } from '../../contract/conversations.ts';
import type { Log } from '../log.ts';
import { buildAccount } from '../testing/builders.ts';
import { testApp } from '../testing/test-app.ts';
import { createUnservedCheck } from './give-up-unserved.ts';

const number = '14235550100';
/** No installation has it. */
const gone = 99;

it('the operator is told; what the carrier may have taken is Unknown and free after days, the rest waits', async () => {
  const app = await testApp({ [number]: 'infobip' });
  const account = await buildAccount(app, { numbers: { [number]: 'infobip' } });
  await app.sandbox.faults({ TooManyRequests: 1, Provider: 'infobip' });
  const write = async (line: string) => {
    const body = {
      TextNumberID: account.numbers[number] ?? 0,
      LastMessage: { Contact: { PrimaryPhone: `1615555${line}` }, Message: `Text ${line}` },
    };
    return (await app.call(createConversation, { body }, account.owner)).body.TextMessageID;
  };
  const [old, recent, waiting] = [await write('4001'), await write('4002'), await write('4003')];
  const said: unknown[] = [];
  const log = { warn: (_: unknown, sentence: string) => said.push(sentence) } as unknown as Log;
  const check = createUnservedCheck({ ...app, carriers: new Map([[5, {}]]), log });
  await check.run();
  expect(said).toEqual([]);

  // Leased when its worker died, and long ago: nobody has marked it as in doubt.
  await sql`update outbox set aggregator_id = ${gone}, lease_id = gen_random_uuid(), lease_until = now() - interval '73 hours'
    where message_id = ${old}`.execute(app.database.system);
  await sql`update outbox set aggregator_id = ${gone}, in_doubt = true, doubt_since = now() - interval '70 hours', send_at = now()
    where message_id = ${recent}`.execute(app.database.system);
  await sql`update outbox set aggregator_id = ${gone}, lease_id = null, lease_until = null where message_id = ${waiting}`.execute(
    app.database.system,
  );
  await check.run();
  expect(check.problem()).toEqual([expect.stringContaining('wait for a carrier that is not set up')]);
  expect(said).toHaveLength(1);

  const { rows } = await sql<{ message_id: number; status: string; is_waiting: boolean }>`
    select m.message_id, m.status, o.message_id is not null as is_waiting
    from messages m left join outbox o using (account_id, message_id) where account_id = ${account.accountId}
    order by m.message_id`.execute(app.database.system);
  expect(rows).toEqual([
    { message_id: old, status: 'unknown', is_waiting: false },
    { message_id: recent, status: 'waiting', is_waiting: true },
    { message_id: waiting, status: 'waiting', is_waiting: true },
  ]);
  const { rows: credits } = await sql<{ used: string; reserved: string }>`
    select sum(balance_delta) filter (where kind <> 'grant') as used, sum(reserved_delta) as reserved
    from credit_entries where account_id = ${account.accountId}`.execute(app.database.system);
  expect(credits.map(({ used, reserved }) => [Number(used), Number(reserved)])).toEqual([[0, 2]]);
});
