import { expect, it } from 'vitest';
import { createConversation } from '../../contract/conversations.ts';
import { listTextNumbers } from '../../contract/numbers.ts';
import { applyInbound } from '../inbound/apply-inbound.ts';
import { storeInbound } from '../inbound/store-hooks.ts';
import { runOperator } from '../operator.ts';
import { readTwilioInbound } from '../outside/twilio-hooks.ts';
import { signTwilio } from '../outside/twilio-signature.ts';
import { buildAccount } from '../testing/builders.ts';
import { testApp } from '../testing/test-app.ts';
import { testCredentials } from '../testing/test-sandbox.ts';

const number = '14235550120';
const agent = `MG${'0'.repeat(31)}7`;

it('sends RCS through a number’s agent, records reads, and receives the answers', async () => {
  const app = await testApp({ [number]: 'twilio', '14235550121': 'infobip' });
  const account = await buildAccount(app, { numbers: { [number]: 'twilio', '14235550121': 'infobip' } });
  const run = (words: string) => runOperator(app.database, words.split(' '));
  expect(await run(`rcs ${number} ${agent}`)).toEqual([expect.stringContaining(`RCS through ${agent}.`)]);
  await expect(run(`rcs 14235550121 ${agent}`)).rejects.toThrow('RCS goes through Twilio');
  await expect(run(`rcs ${number} agent`)).rejects.toThrow('MG and 32 digits');
  const { body } = await app.call(listTextNumbers, {}, account.owner);
  expect(body.Items.map(({ RcsAgent }) => RcsAgent).sort()).toEqual([agent, null]);

  const write = (phone: string) =>
    app.call(
      createConversation,
      {
        body: {
          TextNumberID: account.numbers[number] ?? 0,
          LastMessage: { Contact: { PrimaryPhone: phone }, Message: 'School is closed.' },
        },
      },
      account.owner,
    );
  // The carrier's first response is lost: the text is searched, although it is from the agent, and never sent
  // again.
  await app.sandbox.faults({ ResetAfterAccept: 1 });
  await write('14235550102');
  await app.drain();
  await app.sandbox.faults({ ResetAfterAccept: 0 });
  await write('14235550103');
  const statusOf = async (phone: string) =>
    (
      await app.database.system.selectFrom('messages').select('status').where('phone', '=', phone).execute()
    ).map(({ status }) => status);
  await app.until(async () => (await statusOf('14235550102'))[0] === 'read');
  await app.until(async () => (await statusOf('14235550103'))[0] === 'delivered');
  expect(await app.sandbox.messages('4235550102')).toHaveLength(1);

  const form = new URLSearchParams({
    ...{ MessageSid: `SM${'1'.repeat(32)}`, From: 'rcs:+14235550102', To: 'rcs:harlow_agent' },
    ...{ MessagingServiceSid: agent, Body: 'Thanks!', NumMedia: '0' },
  });
  const url = `${app.url}/hooks/twilio/inbound`;
  const token = testCredentials.TWILIO_AUTH_TOKEN;
  const headers = { 'x-twilio-signature': signTwilio(token, url, form) };
  const texts = readTwilioInbound(
    { url, secret: '', query: {}, headers, body: Buffer.from(form.toString()) },
    token,
  );
  expect(texts).toMatchObject([{ from: '14235550102', to: agent }]);
  await storeInbound(app.database, 2, texts);
  await applyInbound(app.database, 500);
  expect(await statusOf('14235550102')).toContain('received');

  // RCS stays while Twilio is one of its carriers.
  expect(await run(`carrier ${number} infobip twilio`)).toHaveLength(1);
  expect(await run(`rcs ${number}`)).toEqual([expect.stringContaining(`RCS through ${agent}.`)]);
  expect(await run(`carrier ${number} infobip`)).toEqual([
    expect.stringContaining('infobip, without a second carrier.'),
    'It no longer sends RCS, which goes through Twilio. Its texts are SMS.',
  ]);
  expect(await run(`rcs ${number}`)).toEqual([expect.stringContaining('no RCS.')]);
  const { changes } = await app.database.system
    .selectFrom('events')
    .select('changes')
    .where('kind', '=', 'textNumber.updated')
    .orderBy('event_id', 'desc')
    .executeTakeFirstOrThrow();
  expect(changes).toEqual({
    ...{ AggregatorID: [5, 5], SecondAggregatorID: [2, null], RcsAgent: [agent, null] },
  });
});
