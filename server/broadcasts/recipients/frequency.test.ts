/**
 * At most a given number of broadcasts per person and period: who is left out, emergencies, and two
 * broadcasts at once.
 */
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { getAccount, updateAccount } from '../../../contract/accounts.ts';
import { listAuditLog } from '../../../contract/audit-log.ts';
import { getRecipientTimeline } from '../../../contract/broadcast-results.ts';
import { getContactSummary, setFrequencyAside } from '../../../contract/draft-recipients.ts';
import { aBroadcast, checkBroadcast } from '../../testing/broadcasts.ts';
import { type BuiltAccount, buildAccount } from '../../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';
import { createDraftSteps } from '../draft/testing/draft-steps.ts';

const ours = '14235550100';
let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp({ [ours]: 'infobip' });
  account = await buildAccount(app, { numbers: { [ours]: 'infobip' } });
});

const sender = () => ({
  ...{ accountId: account.accountId, userId: account.owner.userId, textNumberId: account.numbers[ours] ?? 0 },
});
const setLimit = (BroadcastLimit: { Most: number; Days: number } | null) =>
  app.call(updateAccount, { body: { BroadcastLimit } }, account.owner);
const done = (id: number) =>
  app.until(async () => (await checkBroadcast(app.database, id)).status === 'completed');
const summaryOf = async (DraftBroadcastID: number) =>
  (await app.call(getContactSummary, { params: { DraftBroadcastID } }, account.owner)).body;

it('leaves out people at the limit, says why, and lets an emergency through, on record', async () => {
  const people = { phones: ['14235550151', '14235550152'] };
  await done(await aBroadcast(app.database, sender(), people));
  expect(refusalOf(await setLimit({ Most: 0, Days: 7 })).Message).toBe('Enter a number from 1 to 100');
  expect((await setLimit({ Most: 1, Days: 7 })).body.BroadcastLimit).toEqual({ Most: 1, Days: 7 });
  const steps = createDraftSteps(app, account);
  const draft = await steps.begin();
  // The first has reached the limit, twice on the list; the last is new.
  const typed = ['14235550151', '14235550151', '14235550155'];
  await steps.paste(
    draft,
    typed.map((phone) => phone.slice(1)),
  );
  const before = await summaryOf(draft);
  expect(before).toMatchObject({ Good: 1, IsFrequencySetAside: false });
  expect(before.LeftOut).toEqual([{ Problem: 'too_often', Count: 2 }]);

  const params = { DraftBroadcastID: draft };
  const aside = await app.call(setFrequencyAside, { params, body: { IsSetAside: true } }, account.owner);
  expect(aside.body).toMatchObject({ Good: 2, IsFrequencySetAside: true });
  expect(aside.body.LeftOut).toEqual([{ Problem: 'duplicate', Count: 1 }]);
  const back = await app.call(setFrequencyAside, { params, body: { IsSetAside: false } }, account.owner);
  expect(back.body).toEqual(before);
  await app.call(setFrequencyAside, { params, body: { IsSetAside: true } }, account.owner);
  const { body: log } = await app.call(listAuditLog, { query: {} }, account.owner);
  expect(log.Items.map(({ What }) => What)).toContain('Set the limit of broadcasts for a person aside');

  // Days in the past don't count.
  await setLimit(null);
  expect((await app.call(getAccount, {}, account.owner)).body.BroadcastLimit).toBeNull();
});

it('never lets two broadcasts exceed the limit together, and shows it in the timeline', async () => {
  await setLimit({ Most: 1, Days: 30 });
  const people = { phones: ['14235550171'], creditsEach: 1 };
  // Both were created before either had sent anything.
  const [one, two] = [
    await aBroadcast(app.database, sender(), people),
    await aBroadcast(app.database, sender(), people),
  ];
  const emergency = await aBroadcast(app.database, sender(), people);
  await sql`update broadcasts set frequency_set_aside_at = now(), frequency_set_aside_by = ${account.owner.userId}
    where broadcast_id = ${emergency}`.execute(app.database.system);
  await Promise.all([done(one), done(two), done(emergency)]);
  const texts = [await checkBroadcast(app.database, one), await checkBroadcast(app.database, two)].map(
    (b) => b.texts,
  );
  expect(texts.filter(({ delivered }) => delivered === 1).length).toBeLessThanOrEqual(1);
  expect(texts.filter(({ canceled }) => canceled === 1).length).toBeGreaterThanOrEqual(1);
  expect((await checkBroadcast(app.database, emergency)).texts).toEqual({ delivered: 1 });
  const { rows } = await sql<{ id: number }>`
    select recipient_id as id from broadcast_recipients where broadcast_id = ${emergency}`.execute(
    app.database.system,
  );
  const timeline = await app.call(
    getRecipientTimeline,
    { params: { BroadcastID: emergency, RecipientID: rows[0]?.id ?? 0 } },
    account.owner,
  );
  expect(timeline.body.Events.map(({ Text }) => Text)).toContain('Limit of broadcasts set aside');
});
