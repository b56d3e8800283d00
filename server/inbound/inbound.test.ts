import { beforeAll, describe, expect, it } from 'vitest';
import {
  createConversation,
  getConversation,
  listConversations,
  listTextMessages,
} from '../../contract/conversations.ts';
import { openOwnerPool } from '../db.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { applyInbound } from './apply-inbound.ts';
import { storeInbound } from './store-hooks.ts';

const number = '14235550100';
let app: TestApp;
let account: BuiltAccount;
let serial = 0;

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' });
  account = await buildAccount(app, { numbers: { [number]: 'infobip' } });
  // These tests are only about the texts; automatic replies are tested in replies/answer-texts.test.ts.
  await app.database.system.updateTable('text_numbers').set({ carrier_answers_words: true }).execute();
});

interface More {
  key?: string;
  to?: string;
  at?: Date;
  media?: { contentType: string; url: string }[];
}

function inbound(from: string, body: string, more: More = {}) {
  serial += 1;
  return {
    inboundKey: more.key ?? `test:${serial}`,
    from,
    to: more.to ?? number,
    body,
    media: more.media ?? [],
    occurredAt: more.at ?? new Date(),
  };
}

async function receive(...texts: ReturnType<typeof inbound>[]): Promise<void> {
  await storeInbound(app.database, 5, texts);
  await applyInbound(app.database, 500);
}

async function conversationWith(phone: string) {
  const { body } = await app.call(
    listConversations,
    { query: { q: phone.slice(1), pagesize: 100 } },
    account.owner,
  );
  const found = body.Items.find((item) => item.PhoneNumber === phone.slice(1));
  if (found === undefined) throw new Error(`no conversation with ${phone}`);
  return found;
}

function write(phone: string, message: string) {
  return app.call(
    createConversation,
    {
      body: {
        TextNumberID: account.numbers[number] ?? 0,
        LastMessage: { Contact: { PrimaryPhone: phone }, Message: message },
      },
    },
    account.owner,
  );
}

it('the same webhook twice, in one batch or later, is one text', async () => {
  const text = inbound('14235550131', 'Once', { key: 'test:same' });
  await receive(text, { ...text });
  await receive(text);
  expect(await conversationWith('14235550131')).toMatchObject({
    UnreadCount: 1,
    LastMessage: { Message: 'Once' },
  });
});

it('several texts of one phone in one batch are one conversation, with the last one shown', async () => {
  await receive(
    inbound('14235550132', 'first'),
    inbound('14235550132', 'second'),
    inbound('14235550133', 'other'),
  );
  expect(await conversationWith('14235550132')).toMatchObject({
    UnreadCount: 2,
    LastMessage: { Message: 'second' },
  });
});

it('a text that arrives an hour late is sorted by its time and does not hide a newer one', async () => {
  await receive(inbound('14235550134', 'new'));
  await receive(inbound('14235550134', 'old', { at: new Date(Date.now() - 3_600_000) }));
  expect(await conversationWith('14235550134')).toMatchObject({
    UnreadCount: 2,
    LastMessage: { Message: 'new' },
  });
});

it('texts for an unknown number, or without a sender, are kept with the reason, unlike others', async () => {
  await receive(
    inbound('14235550135', 'hello?', { to: '19995550000', key: 'test:lost-1' }),
    inbound('14235550135', 'hello!', { key: 'test:lost-2' }),
    inbound('SCHOOL', 'who am I?', { key: 'test:lost-3' }),
    inbound('14235550135', 'anybody?', { to: '12', key: 'test:lost-4' }),
  );
  const kept = await app.database.system
    .selectFrom('carrier_inbound')
    .select(['body', 'problem'])
    .where('inbound_key', 'like', 'test:lost-%')
    .orderBy('inbound_key')
    .execute();
  expect(kept).toEqual([
    { body: 'hello?', problem: 'nobody here has the number it was sent to' },
    { body: 'who am I?', problem: 'its sender is not a phone number' },
    { body: 'anybody?', problem: 'nobody here has the number it was sent to' },
  ]);
  expect(await conversationWith('14235550135')).toMatchObject({ LastMessage: { Message: 'hello!' } });
});

it('every picture of every text of a batch is listed, with its own job', async () => {
  const picture = (name: string) => ({ contentType: 'image/png', url: `https://carrier.example/${name}` });
  await receive(
    inbound('14235550142', 'two', { key: 'test:two', media: [picture('a'), picture('b')] }),
    inbound('14235550142', 'none'),
    inbound('14235550143', 'one', { key: 'test:one', media: [picture('c')] }),
  );
  const listed = await app.database.system
    .selectFrom('inbound_media as i')
    .innerJoin('messages as m', (join) =>
      join.onRef('m.account_id', '=', 'i.account_id').onRef('m.message_id', '=', 'i.message_id'),
    )
    .select(['m.message_id', 'm.body', 'i.position', 'i.url', 'i.aggregator_id'])
    .orderBy('i.url')
    .execute();
  expect(listed.map(({ message_id: _, ...row }) => row)).toEqual([
    { body: 'two', position: 0, url: 'https://carrier.example/a', aggregator_id: 5 },
    { body: 'two', position: 1, url: 'https://carrier.example/b', aggregator_id: 5 },
    { body: 'one', position: 0, url: 'https://carrier.example/c', aggregator_id: 5 },
  ]);
  const owner = openOwnerPool(app.databaseUrl, 1);
  const { rows } = await owner.query(
    `select payload, max_attempts from graphile_worker._private_jobs j
     join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'fetch_inbound_media'
     order by j.id`,
  );
  await owner.end();
  expect(rows).toEqual(
    listed.map(({ message_id, position }) => ({
      payload: { accountId: account.accountId, messageId: message_id, position },
      max_attempts: 12,
    })),
  );
  await forgetPictures();
});

it('a single emoji, 1,600 characters and an empty text are texts like others', async () => {
  const long = 'ñ'.repeat(1600);
  await receive(
    inbound('14235550146', '🎉'),
    inbound('14235550147', long),
    inbound('14235550148', ''),
    inbound('14235550149', '\u0000'),
  );
  for (const [phone, Message] of Object.entries({
    '14235550146': '🎉',
    '14235550147': long,
    '14235550148': '',
    '14235550149': '',
  })) {
    const { ConversationID } = await conversationWith(phone);
    const { body } = await app.call(listTextMessages, { params: { ConversationID } }, account.owner);
    expect(body.Items).toMatchObject([{ Message, IsInbound: true }]);
  }
});

it('a picture with an unreachable URL leaves the text unchanged, and is fetched again', async () => {
  const phone = '14235550150';
  const media = [{ contentType: 'image/png', url: 'https://media.invalid/a.png' }];
  await receive(inbound(phone, 'Look at this', { media }));
  await expect(app.drain()).rejects.toThrow('fetch_inbound_media failed');
  expect(await conversationWith(phone)).toMatchObject({ LastMessage: { Message: 'Look at this' } });
  const left = await app.database.system.selectFrom('inbound_media').select('problem').execute();
  expect(left).toEqual([{ problem: null }]);
  await forgetPictures();
});

it('webhooks duplicated, shuffled and late: each text once, at its position', async () => {
  const texts = Array.from({ length: 60 }, (_, index) =>
    inbound(`1423555${7000 + (index % 3)}`, `text ${index}`, {
      at: new Date(Date.now() - 3_600_000 + index * 60_000),
    }),
  );
  const shuffled = [...texts, ...texts].sort(() => Math.random() - 0.5);
  for (let at = 0; at < shuffled.length; at += 7) await receive(...shuffled.slice(at, at + 7));
  for (const last of [57, 58, 59]) {
    const { ConversationID, UnreadCount, LastMessage } = await conversationWith(
      `1423555${7000 + (last % 3)}`,
    );
    expect([UnreadCount, LastMessage?.Message]).toEqual([20, `text ${last}`]);
    const { body } = await app.call(listTextMessages, { params: { ConversationID } }, account.owner);
    expect(body.Items.map((item) => item.Message)).toEqual(
      Array.from({ length: 20 }, (_, index) => `text ${last - 3 * index}`),
    );
  }
});

it('wakes a snoozed conversation', async () => {
  const phone = '14235550151';
  await receive(inbound(phone, 'one'));
  const { ConversationID } = await conversationWith(phone);
  await app.database.system
    .updateTable('conversations')
    .set({ snoozed_until: new Date(Date.now() + 86_400_000) })
    .where('conversation_id', '=', ConversationID)
    .execute();
  await receive(inbound(phone, 'two'));
  const row = await app.database.system
    .selectFrom('conversations')
    .select(['snoozed_until', 'place'])
    .where('conversation_id', '=', ConversationID)
    .executeTakeFirstOrThrow();
  expect(row).toEqual({ snoozed_until: null, place: 0 });
});

describe('answers to a broadcast', () => {
  const day = 86_400_000;

  /** A broadcast's text to a phone, this long ago. */
  function sent(phone: string, broadcastId: number, agoMs: number) {
    return app.database.system
      .insertInto('messages')
      .values({
        account_id: account.accountId,
        text_number_id: account.numbers[number] ?? 0,
        phone,
        is_inbound: false,
        status: 'delivered',
        origin: 'broadcast',
        body: 'Snow day',
        broadcast_id: broadcastId,
        created_at: new Date(Date.now() - agoMs),
      })
      .execute();
  }

  async function repliesOf(phone: string) {
    return app.database.system
      .selectFrom('broadcast_replies as r')
      .innerJoin('conversations as c', 'c.conversation_id', 'r.conversation_id')
      .innerJoin('messages as m', 'm.message_id', 'c.last_message_id')
      .select(['r.broadcast_id', 'm.broadcast_id as of_text', 'r.replied_at', 'm.created_at'])
      .where('c.phone', '=', phone)
      .orderBy('r.broadcast_id')
      .execute();
  }

  it('belong to the latest one before them, at the latest answer', async () => {
    const phone = '14235550152';
    await sent(phone, 71, 3 * day);
    await receive(inbound(phone, 'Thanks', { at: new Date(Date.now() - 2 * day) }));
    await sent(phone, 72, day);
    await receive(inbound(phone, 'Thanks'), inbound(phone, 'Again', { at: new Date() }));
    const replies = await repliesOf(phone);
    expect(replies.map((reply) => [reply.broadcast_id, reply.of_text])).toEqual([
      [71, 72],
      [72, 72],
    ]);
    expect(replies[1]?.replied_at).toEqual(replies[1]?.created_at);
  });

  it('are not answers before it, or two weeks after it', async () => {
    await sent('14235550153', 73, day);
    await receive(inbound('14235550153', 'Late', { at: new Date(Date.now() - 2 * day) }));
    await sent('14235550154', 74, 15 * day);
    await receive(inbound('14235550154', 'Old'));
    expect([...(await repliesOf('14235550153')), ...(await repliesOf('14235550154'))]).toEqual([]);
  });
});

it('reopens a done conversation', async () => {
  await receive(inbound('14235550136', 'one'));
  const { ConversationID } = await conversationWith('14235550136');
  await app.database.system
    .updateTable('conversations')
    .set({ is_done: true })
    .where('conversation_id', '=', ConversationID)
    .execute();
  await receive(inbound('14235550136', 'two'));
  const { body } = await app.call(getConversation, { params: { ConversationID } }, account.owner);
  expect(body).toMatchObject({ IsDone: false, LastMessage: { Message: 'two' } });
});

describe('STOP and UNSTOP', () => {
  it('STOP opts out with the text as proof, moves the conversation, and refuses the next text', async () => {
    const phone = '14235550137';
    await receive(inbound(phone, ' Stop. '));
    const conversation = await conversationWith(phone);
    expect(conversation).toMatchObject({ OptedOut: true, IsAutoOptOut: true });
    const proof = await app.database.system
      .selectFrom('consent_events')
      .select(['state', 'source', 'message_id'])
      .where('phone', '=', phone)
      .execute();
    expect(proof).toEqual([
      { state: 'out', source: 'inbound', message_id: conversation.LastMessage?.TextMessageID },
    ]);
    const refused = await write(phone, 'Hello');
    expect([refused.status, (refused.body as unknown as { Message: string }).Message]).toEqual([
      422,
      'This number has opted out of receiving texts.',
    ]);

    await receive(inbound(phone, 'UNSTOP'));
    expect(await conversationWith(phone)).toMatchObject({
      OptedOut: false,
      OptedIn: true,
      IsAutoOptOut: false,
    });
    expect((await write(phone, 'Welcome back')).status).toBe(200);
  });

  it('JOIN opts in, with the text as proof', async () => {
    const phone = '14235550144';
    await receive(inbound(phone, 'Join everyone'));
    expect(await conversationWith(phone)).toMatchObject({ OptedIn: true, OptedOut: false, UnreadCount: 1 });
    const proof = await app.database.system
      .selectFrom('consent_events')
      .select(['state', 'source'])
      .where('phone', '=', phone)
      .execute();
    expect(proof).toEqual([{ state: 'in', source: 'inbound' }]);
  });

  it('an old STOP that arrives after a newer START does not stop a waiting text', async () => {
    const phone = '14235550145';
    await receive(inbound(phone, 'START'));
    await write(phone, 'This must arrive');
    await receive(inbound(phone, 'STOP', { at: new Date(Date.now() - 60_000) }));
    expect(await statusesTo(phone)).toEqual(['waiting']);
    await app.until(async () => (await app.sandbox.messages(phone)).length === 1);
  });

  it('the last keyword of a batch counts', async () => {
    const at = Date.now();
    await receive(
      inbound('14235550138', 'STOP', { at: new Date(at) }),
      inbound('14235550138', 'START', { at: new Date(at + 1000) }),
    );
    expect(await conversationWith('14235550138')).toMatchObject({ OptedOut: false });
  });

  it('an old UNSTOP that arrives after a newer STOP does not opt in again', async () => {
    await receive(inbound('14235550139', 'STOP'));
    await receive(inbound('14235550139', 'UNSTOP', { at: new Date(Date.now() - 60_000) }));
    expect(await conversationWith('14235550139')).toMatchObject({ OptedOut: true });
  });

  it('a text that is waiting when STOP comes is not sent, and its credit returns', async () => {
    const phone = '14235550140';
    await app.drain();
    const before = await credits();
    await write(phone, 'This must not arrive');
    await receive(inbound(phone, 'STOP'));
    await app.drain();
    expect(await app.sandbox.messages(phone)).toEqual([]);
    expect(await statusesTo(phone)).toEqual(['opted_out']);
    expect(await credits()).toEqual(before);
  });

  it('STOP is checked in the statement that claims: an opt-out in the row also stops it', async () => {
    const phone = '14235550141';
    const before = await credits();
    await write(phone, 'This must not arrive either');
    await app.database.system
      .insertInto('phone_consents')
      .values({ account_id: account.accountId, phone, text_state: 'out', text_changed_at: new Date() })
      .execute();
    await app.drain();
    expect(await app.sandbox.messages(phone)).toEqual([]);
    expect(await statusesTo(phone)).toEqual(['opted_out']);
    expect(await credits()).toEqual(before);
  });
});

/** Nobody fetches them: they don't exist. */
async function forgetPictures(): Promise<void> {
  const owner = openOwnerPool(app.databaseUrl, 1);
  await owner.query('delete from graphile_worker._private_jobs');
  await owner.end();
  await app.database.system.deleteFrom('inbound_media').execute();
}

async function credits() {
  return app.database.system
    .selectFrom('accounts')
    .select(['credit_balance', 'credit_reserved'])
    .where('account_id', '=', account.accountId)
    .executeTakeFirstOrThrow();
}

async function statusesTo(phone: string): Promise<string[]> {
  const rows = await app.database.system
    .selectFrom('messages')
    .select('status')
    .where('phone', '=', phone)
    .where('is_inbound', '=', false)
    .execute();
  return rows.map((row) => row.status);
}
