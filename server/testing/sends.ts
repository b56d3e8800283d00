import { sql } from 'kysely';
import { expect } from 'vitest';
import { createBroadcast } from '../../contract/broadcasts.ts';
import { addDraftNumbers } from '../../contract/draft-recipients.ts';
import { createDraft } from '../../contract/drafts.ts';
import { type BuiltAccount, type BuiltUser, buildAccount } from './builders.ts';
import type { TestApp } from './test-app.ts';

/**
 * Accounts, drafts and Send, for tests of Send. The app is a function because it exists only once the tests
 * run.
 */
export function sendingWith(appOf: () => TestApp) {
  let lastNumber = 4235550100;
  function newNumber(): string {
    lastNumber += 1;
    return `1${lastNumber}`;
  }

  /** Each with a unique number. */
  async function anAccount(credits: number, phone = newNumber()): Promise<BuiltAccount> {
    const built = await buildAccount(appOf(), { numbers: { [phone]: 'infobip' }, credits });
    await setAccount(built, 'quiet_hours_on = false');
    return built;
  }

  const numberOf = (of: BuiltAccount) => Object.values(of.numbers)[0] ?? 0;

  function setAccount(of: BuiltAccount, change: string) {
    return sql`update accounts set ${sql.raw(change)} where account_id = ${of.accountId}`.execute(
      appOf().database.system,
    );
  }

  let lastPhone = 2015550100;
  function phones(count: number) {
    lastPhone += count;
    return Array.from({ length: count }, (_, index) => ({
      PrimaryPhone: String(lastPhone - index),
      Name: 'Pat',
    }));
  }

  async function draft(
    of: BuiltAccount,
    form: object = {},
    people = 3,
    as: BuiltUser = of.owner,
  ): Promise<number> {
    const made = await appOf().call(
      createDraft,
      { body: { BroadcastName: 'Snow day', TextMessage: 'No school.', TextNumberID: numberOf(of), ...form } },
      as,
    );
    expect([made.status, made.body]).toEqual([200, expect.anything()]);
    const { DraftBroadcastID } = made.body;
    if (people > 0) await add(DraftBroadcastID, phones(people), as);
    return DraftBroadcastID;
  }

  async function add(
    DraftBroadcastID: number,
    Items: { PrimaryPhone: string; Name?: string }[],
    as: BuiltUser,
  ) {
    const added = await appOf().call(addDraftNumbers, { params: { DraftBroadcastID }, body: { Items } }, as);
    expect([added.status, added.body]).toEqual([200, expect.anything()]);
  }

  function send(
    DraftBroadcastID: number,
    as: BuiltUser,
    more: object = {},
    headers: Record<string, string> = {},
  ) {
    return appOf().call(createBroadcast, { body: { DraftBroadcastID, ...more } }, { ...as, headers });
  }

  async function row(broadcastId: number) {
    return appOf()
      .database.system.selectFrom('broadcasts')
      .selectAll()
      .where('broadcast_id', '=', broadcastId)
      .executeTakeFirstOrThrow();
  }

  async function countedPeople({ accountId }: BuiltAccount) {
    const { unique_call_count } = await appOf()
      .database.system.selectFrom('accounts')
      .select('unique_call_count')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    return unique_call_count;
  }

  async function credits(of: BuiltAccount) {
    const { rows } = await sql<{ reserved: number; free: number; entries: number; sum: number }>`
      select credit_reserved as reserved, credit_balance - credit_reserved as free,
        (select count(*) from credit_entries e where e.account_id = a.account_id and kind = 'reserve') as entries,
        (select sum(reserved_delta)::float8 from credit_entries e where e.account_id = a.account_id) as sum
      from accounts a where account_id = ${of.accountId}`.execute(appOf().database.system);
    return rows[0];
  }

  return { add, anAccount, countedPeople, credits, draft, numberOf, phones, row, send, setAccount };
}
