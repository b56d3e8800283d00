import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { updateBroadcast } from '../../contract/broadcasts.ts';
import { buildAccount } from '../testing/builders.ts';
import {
  aCallDraft,
  callAtAnyHour,
  callsOf,
  phoneOf,
  readBroadcast,
  resultsOf,
  send,
} from '../testing/calls.ts';
import { testApp } from '../testing/test-app.ts';

it('whoever was connected over Infobip counts as transferred, without a length', async () => {
  const caller = '18655551190';
  const app = await testApp(
    { [caller]: 'infobip' },
    { INFOBIP_CALLS: 'true', CALL_STARTS_PER_SECOND: '200' },
  );
  await app.sandbox.control('PUT', '/settings', { CallSpeed: 25, CallStartsPerSecond: 1000 });
  const account = await buildAccount(app, { numbers: { [caller]: 'infobip' } });
  await callAtAnyHour(app, account);
  const { rows } = await sql<{ id: number }>`
    insert into transfer_numbers (account_id, phone, status, user_id)
    values (${account.accountId}, '14235550199', 'Approved', ${account.owner.userId})
    returning transfer_number_id as id`.execute(app.database.system);
  const id = await aCallDraft(app, account, [phoneOf('0151'), phoneOf('0153')], {
    BroadcastType: 'Survey',
    IsTransfer: true,
    TransferNumber: { ID: rows[0]?.id ?? 0 },
    TransferLines: 1,
  });
  expect((await send(app, account, id)).status).toBe(200);
  await app.until(async () => (await readBroadcast(app, account, id)).BroadcastStatus === 'Completed');
  expect(await resultsOf(app, id)).toMatchObject({
    '0151': { result: 'live_answer' },
    '0153': { result: 'live_answer' },
  });
  expect(await readBroadcast(app, account, id)).toMatchObject({
    TransferTotal: 1,
    TransferSeconds: 0,
    TransferLinesUp: 0,
    AbandonedTotal: 0,
  });
});

it.each([
  ['a person', 'Answer'],
  ['a machine', 'Voicemail'],
])('%s that answers after Cancel doesn’t hear the message', async (_, Do) => {
  const caller = '18655551191';
  const app = await testApp(
    { [caller]: 'infobip' },
    { INFOBIP_CALLS: 'true', CALL_STARTS_PER_SECOND: '200' },
  );
  await app.sandbox.control('PUT', '/settings', { CallSpeed: 4, CallStartsPerSecond: 1000 });
  const account = await buildAccount(app, { numbers: { [caller]: 'infobip' } });
  await callAtAnyHour(app, account);
  // Nobody answers it unless it is answered by hand.
  const phone = phoneOf('0147');
  const id = await aCallDraft(app, account, [phone]);
  await send(app, account, id);
  const call = async () => (await callsOf(app, phone))[0];
  await app.until(async () => (await call())?.State === 'Ringing');
  const body = { BroadcastStatus: 'Canceled' as const };
  await app.call(updateBroadcast, { params: { BroadcastID: id }, body }, account.owner);
  const path = `/phones/${phone}/calls/${(await call())?.CallID}`;
  expect((await app.sandbox.control('POST', path, { Do })).status).toBe(200);
  await app.until(async () => (await readBroadcast(app, account, id)).CallsUp === 0);
  expect(await call()).toMatchObject({
    State: 'Ended',
    Result: expect.not.stringMatching('NoAnswer'),
    Heard: [],
  });
  await app.until(async () => (await readBroadcast(app, account, id)).Credits.Reserved === 0);
  expect(await resultsOf(app, id)).toEqual({ '0147': { result: 'canceled', attempts: 1, charged: 0 } });
});
