import { sql } from 'kysely';
import { expect } from 'vitest';
import type { CallInput } from '../../../contract/call.ts';
import { getScheduledConversation, scheduleConversation } from '../../../contract/scheduled.ts';
import { type BuiltAccount, type BuiltUser, buildAccount } from '../../testing/builders.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

export const number = '14235550100';
export const second = '14235550150';
export let app: TestApp;
export let account: BuiltAccount;

/** For `beforeAll` of a file that uses these steps. */
export async function setUp(): Promise<void> {
  app = await testApp({ [number]: 'infobip', [second]: 'infobip' });
  account = await buildAccount(app, { numbers: { [number]: 'infobip', [second]: 'infobip' }, credits: 500 });
}

export type Body = CallInput<typeof scheduleConversation>['body'];

export const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

export function written(phone: string, TextMessage: string, more: Partial<Body> = {}): Body {
  return {
    TextNumberID: account.numbers[number],
    Contacts: [{ PrimaryPhone: phone }],
    TextMessage,
    StartDate: inMinutes(5),
    ...more,
  };
}

export function schedule(
  phone: string,
  text: string,
  more: Partial<Body> = {},
  as: BuiltUser = account.owner,
) {
  return app.call(scheduleConversation, { body: written(phone, text, more) }, as);
}

export async function scheduled(phone: string, text: string, more: Partial<Body> = {}) {
  const reply = await schedule(phone, text, more);
  expect([reply.status, reply.body]).toEqual([200, expect.anything()]);
  return { ScheduledConversationID: reply.body.ScheduledConversationID };
}

/** As if it were due. */
export async function makeDue(...ids: { ScheduledConversationID: number }[]) {
  await app.database.system
    .updateTable('scheduled_conversations')
    .set({ start_at: sql`now() - interval '1 minute'` })
    .where(
      'scheduled_id',
      'in',
      ids.map((one) => one.ScheduledConversationID),
    )
    .execute();
}

export async function get(params: { ScheduledConversationID: number }) {
  return (await app.call(getScheduledConversation, { params }, account.owner)).body;
}

export async function textsTo(phone: string) {
  return (await app.sandbox.messages(phone)).map((text) => text.Text);
}

export async function reserved() {
  const row = await app.database.system
    .selectFrom('accounts')
    .select('credit_reserved')
    .where('account_id', '=', account.accountId)
    .executeTakeFirstOrThrow();
  return row.credit_reserved;
}

export function setAccount(change: string) {
  return sql`update accounts set ${sql.raw(change)} where account_id = ${account.accountId}`.execute(
    app.database.system,
  );
}
