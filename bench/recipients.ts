/**
 * Recipients of a draft: `node bench/recipients.ts [count]`. A group of a million is added in the background, counted,
 * paged, searched and taken out again, with all that judging asks: half of the phones looked up, some opted out, an
 * earlier text to each. The bare limit is the same insert … select without judging.
 */
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { listDraftContacts } from '../contract/draft-recipients.ts';
import { findUserActor } from '../server/access/load-actor.ts';
import { beginDraft } from '../server/broadcasts/draft/create-draft.ts';
import { addRecipients } from '../server/broadcasts/recipients/add-recipients.ts';
import { createRecipientWork } from '../server/broadcasts/recipients/change-in-slices.ts';
import { listDraftContacts as list } from '../server/broadcasts/recipients/list-recipients.ts';
import { removeDraftContacts } from '../server/broadcasts/recipients/remove-recipients.ts';
import { summarizeRecipients } from '../server/broadcasts/recipients/summarize-recipients.ts';
import { readConfig } from '../server/config.ts';
import { asAccount, asSystem, openDatabase, type Trx } from '../server/db.ts';
import { createLog } from '../server/log.ts';
import type { Actor } from '../server/serve.ts';
import { startBench } from './harness.ts';

const count = Number(process.argv[2] ?? 1_000_000);
const bench = await startBench({ port: 5260, numbers: {} });
const database = openDatabase(bench.databaseUrl, { connections: 8 });
const log = createLog(readConfig({ LOG_LEVEL: 'warn', DATABASE_URL: bench.databaseUrl }));
let failed = 0;

function tell(what: string, ms: number, figure: string, isGood: boolean): void {
  console.log(`  ${isGood ? 'ok  ' : 'LATE'} ${what}: ${Math.round(ms)} ms${figure}`);
  if (!isGood) failed += 1;
}

async function time(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await run();
  return performance.now() - began;
}

const actor = await build();
const within = <T>(run: (trx: Trx) => Promise<T>) => asAccount(database, actor.accountId, run);
const work = createRecipientWork({ database, log });

const draft = await within((trx) => beginDraft(trx, actor));
const group = await groupOf();
const press = await time(() =>
  within((trx) => addRecipients(trx, actor, draft, { kind: 'lists', listIds: [group] })),
);
tell('press', press, '', press < 2_000);
const adding = await time(() => work.run());
const rate = Math.round((count / adding) * 1000);
tell(`add ${count}`, adding, `, ${rate} a second`, rate >= 60_000);
const bare = await time(() => insertBare());
console.log(
  `       bare insert … select: ${Math.round(bare)} ms, ${Math.round((count / bare) * 1000)} a second`,
);

const kept = await time(() => within((trx) => summarizeRecipients(trx, actor.accountId, draft)));
tell('summary as kept', kept, '', kept < 50);
await sql`update broadcasts set summary_version = null where broadcast_id = ${draft}`.execute(
  database.system,
);
const counted = await time(() => within((trx) => summarizeRecipients(trx, actor.accountId, draft)));
tell('summary when counted', counted, '', counted < 1_000);

const { good, total, leftOut } = await within((trx) => summarizeRecipients(trx, actor.accountId, draft));
console.log(`       ${good} of ${total} go; left out: ${JSON.stringify(leftOut)}`);

await page('first page', {});
await page('last page', { sortby: '-added' });
await page('opted out', { problem: 'opted_out' });
await page('by phone', { phonenumber: '4235000777' });
await page('search of a name', { q: 'person 777' }, 1_500);
await page('by name', { sortby: 'name' }, 1_500);

const removing = await time(async () => {
  await within((trx) =>
    removeDraftContacts(trx, actor, {
      params: { DraftBroadcastID: draft },
      query: { q: '', problem: 'good' },
      body: { Selection: { Type: 'SelectedAll', Items: [] } },
    }),
  );
  await work.run();
});
tell('take all who go out', removing, `, ${Math.round((good / removing) * 1000)} a second`, true);

await work.stop();
await database.close();
await bench.close();
process.exitCode = failed === 0 ? 0 : 1;

async function page(what: string, query: z.input<typeof listDraftContacts.query>, most = 80): Promise<void> {
  const ms = await time(() =>
    within((trx) =>
      list(trx, actor, {
        params: { DraftBroadcastID: draft },
        query: listDraftContacts.query.parse(query),
        body: undefined,
      }),
    ),
  );
  tell(what, ms, '', ms < most);
}

async function build(): Promise<Actor> {
  const run = (statement: RawBuilder<unknown>) => statement.execute(database.system);
  const { accountId, userId, numberId } = await asSystem(database, async (trx) => {
    const { account_id: accountId } = await trx
      .insertInto('accounts')
      .values({ company_name: 'Bench', time_zone: 'America/New_York' })
      .returning('account_id')
      .executeTakeFirstOrThrow();
    const { user_id: userId } = await trx
      .insertInto('users')
      .values({
        account_id: accountId,
        user_name: 'bench',
        password_hash: '',
        first_name: 'Ben',
        last_name: 'Ch',
        email: 'bench@example.org',
        role: 'owner',
      })
      .returning('user_id')
      .executeTakeFirstOrThrow();
    const { text_number_id: numberId } = await trx
      .insertInto('text_numbers')
      .values({
        account_id: accountId,
        phone: '18655550100',
        aggregator_id: 5,
        registration_status: 'Registered',
      })
      .returning('text_number_id')
      .executeTakeFirstOrThrow();
    return { accountId, userId, numberId };
  });
  await run(sql`insert into groups (account_id, name) values (${accountId}, 'All')`);
  const phone = sql`(14235000000 + i * 7 % 10000000)::text`;
  const all = sql`generate_series(1, ${count}::int) i`;
  await asSystem(database, async (trx) => {
    await sql`select set_config('app.keeps_contacts_itself', 'on', true)`.execute(trx);
    await sql`insert into contacts (account_id, first_name, last_name, primary_phone, created_by_user_id)
      select ${accountId}, 'Person', i::text, ${phone}, ${userId} from ${all}`.execute(trx);
    await sql`insert into group_members (account_id, group_id, person_id, sort_name)
      select c.account_id, g.group_id, c.person_id, c.sort_name from contacts c join groups g using (account_id)`.execute(
      trx,
    );
  });
  await run(sql`insert into phone_lookups (account_id, phone, is_valid, line_type)
    select ${accountId}, ${phone}, true, case when i % 100 = 2 then 'landline' else 'mobile' end from ${all} where i % 2 = 0
    on conflict do nothing`);
  await run(sql`insert into phone_consents (account_id, phone, text_state)
    select ${accountId}, ${phone}, case when i % 50 = 1 then 'out' else 'in' end from ${all} on conflict do nothing`);
  await run(sql`insert into messages (account_id, text_number_id, phone, is_inbound, status, body, origin)
    select ${accountId}, ${numberId}, ${phone}, false, 'delivered', 'Hello', 'notification' from ${all}`);
  await bench.db.query('analyze');
  const actor = await asAccount(database, accountId, (trx) => findUserActor(trx, accountId, userId));
  if (actor === undefined) throw new Error('the user is not there');
  return actor;
}

async function groupOf(): Promise<number> {
  const { group_id } = await database.system
    .selectFrom('groups')
    .select('group_id')
    .executeTakeFirstOrThrow();
  return group_id;
}

/** The same rows without a question: what the disk and the indexes take. */
async function insertBare(): Promise<void> {
  const other = await within((trx) => beginDraft(trx, actor));
  await sql`
    insert into broadcast_recipients (account_id, broadcast_id, person_id, phone, zone, first_name, last_name)
    select distinct on (primary_phone) account_id, ${other}, person_id, primary_phone, 'America/New_York', first_name, last_name
    from contacts`.execute(database.system);
}
