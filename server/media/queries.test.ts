import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { updateBroadcast } from '../../contract/broadcasts.ts';
import { createConversation, sendTextMessage } from '../../contract/conversations.ts';
import { createDraft, updateDraft } from '../../contract/drafts.ts';
import { classifyMedia } from '../../contract/media.ts';
import { updateRepeating } from '../../contract/repeating-broadcasts.ts';
import { scheduleConversation, sendScheduledConversation } from '../../contract/scheduled.ts';
import { addTemplate, updateTemplate } from '../../contract/templates.ts';
import { resendTextMessage } from '../../contract/text-messages.ts';
import { aBroadcast } from '../testing/broadcasts.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../testing/builders.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';

const office = '14235550171';
const nurse = '14235550172';
const phone = '4235550101';

let app: TestApp;
let account: BuiltAccount;
/** May use the office's number only. */
let user: BuiltUser;
/** May use both. */
let colleague: BuiltUser;
/** Came in to the nurse's number. */
let picture: number;

beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app, { numbers: { [office]: 'infobip', [nurse]: 'infobip' } });

  user = await buildUser(app, account.accountId, 'user', { textNumberIds: [idOf(office)] });
  colleague = await buildUser(app, account.accountId, 'user', {
    textNumberIds: [idOf(office), idOf(nurse)],
  });
  picture = await receivePicture(idOf(nurse));
});

function idOf(number: string): number {
  return account.numbers[number] ?? 0;
}

async function receivePicture(text_number_id: number): Promise<number> {
  const { message_id } = await app.database.system
    .insertInto('messages')
    .values({
      account_id: account.accountId,
      text_number_id,
      phone: `1${phone}`,
      is_inbound: true,
      status: 'received',
      origin: 'inbound',
      body: 'My rash',
      segments: 1,
      credits: 0,
    })
    .returning('message_id')
    .executeTakeFirstOrThrow();
  return keepPicture({ message_id });
}

async function keepPicture(of: {
  message_id?: number;
  created_by_user_id?: number;
  content_type?: string;
}): Promise<number> {
  const { media_id } = await app.database.system
    .insertInto('media')
    .values({
      account_id: account.accountId,
      public_key: crypto.randomUUID(),
      content_type: 'image/png',
      file_name: 'a.png',
      byte_size: 1,
      width: 1,
      height: 1,
      content_hash: 'none',
      ...of,
    })
    .returning('media_id')
    .executeTakeFirstOrThrow();
  return media_id;
}

let lastPhone = 14235550700;
async function talkAt(text_number_id: number): Promise<number> {
  lastPhone += 1;
  const { conversation_id } = await app.database.system
    .insertInto('conversations')
    .values({ account_id: account.accountId, text_number_id, phone: String(lastPhone) })
    .returning('conversation_id')
    .executeTakeFirstOrThrow();
  return conversation_id;
}

/** The status of using a picture in every call that accepts one. */
async function nameEverywhere(mediaId: number, as: BuiltUser): Promise<Record<string, number>> {
  const Media = [{ MediaID: mediaId }];
  const TextNumberID = idOf(office);
  const template = await app.call(addTemplate, { body: { TemplateName: 'A', TemplateText: 'a' } }, as);
  const draft = await app.call(createDraft, { body: {} }, as);
  const sender = { accountId: account.accountId, userId: as.userId, textNumberId: TextNumberID };
  const startAt = new Date(Date.now() + 86_400_000);
  const BroadcastID = await aBroadcast(app.database, sender, { count: 1, status: 'scheduled', startAt });
  const model = await aBroadcast(app.database, sender, { count: 1, status: 'model' });
  const { repeating_id } = await app.database.system
    .insertInto('repeating_broadcasts')
    .values({
      account_id: account.accountId,
      broadcast_id: model,
      user_id: as.userId,
      schedule: JSON.stringify({ Interval: 1, IntervalFrequency: 'days', DaysOfWeek: [] }),
      description: 'Every day',
      zone: 'America/New_York',
      start_wall: '2027-01-04T09:00:00',
      next_at: startAt,
    })
    .returning('repeating_id')
    .executeTakeFirstOrThrow();
  const ConversationID = await talkAt(TextNumberID);
  const answers = {
    conversation: () =>
      app.call(
        createConversation,
        {
          body: {
            TextNumberID,
            LastMessage: { Contact: { PrimaryPhone: phone }, Message: 'Hi', MmsOutboundMedia: Media },
          },
        },
        as,
      ),
    text: () =>
      app.call(
        sendTextMessage,
        { params: { ConversationID }, body: { Message: 'Hi', MmsOutboundMedia: Media } },
        as,
      ),
    scheduled: () =>
      app.call(
        scheduleConversation,
        {
          body: {
            TextNumberID,
            TextMessage: 'Hi',
            Media,
            StartDate: startAt.toISOString(),
            Contacts: [{ PrimaryPhone: phone }],
          },
        },
        as,
      ),
    'new template': () =>
      app.call(addTemplate, { body: { TemplateName: 'B', TemplateText: 'b', Media } }, as),
    template: () =>
      app.call(updateTemplate, { params: { TemplateID: template.body.TemplateID }, body: { Media } }, as),
    'new draft': () => app.call(createDraft, { body: { Media } }, as),
    draft: () =>
      app.call(
        updateDraft,
        { params: { DraftBroadcastID: draft.body.DraftBroadcastID }, body: { Media } },
        as,
      ),
    broadcast: () => app.call(updateBroadcast, { params: { BroadcastID }, body: { Media } }, as),
    repeating: () =>
      app.call(updateRepeating, { params: { RepeatingBroadcastID: repeating_id }, body: { Media } }, as),
    verdict: () => app.call(classifyMedia, { params: { MediaID: mediaId }, body: { ExplicitStatus: 6 } }, as),
  };
  const entries: [string, number][] = [];
  for (const [name, ask] of Object.entries(answers)) entries.push([name, (await ask()).status]);
  return Object.fromEntries(entries);
}

const all = (status: number) => ({
  conversation: status,
  text: status,
  scheduled: status,
  'new template': status,
  template: status,
  'new draft': status,
  draft: status,
  broadcast: status,
  repeating: status,
  verdict: status,
});

describe('a picture', () => {
  it('of a number that the user may not use can be used in no call', async () => {
    expect(await nameEverywhere(picture, user)).toEqual(all(404));
  });

  it.each([
    ['who may use its number', () => colleague],
    ['the owner', () => account.owner],
  ])('can be used in every call by %s', async (_who, as) => {
    expect(await nameEverywhere(picture, as())).toEqual(all(200));
  });

  it('that a user uploaded is their own, and nobody else’s', async () => {
    const own = await keepPicture({ created_by_user_id: user.userId });
    expect(await nameEverywhere(own, user)).toEqual(all(200));
    expect(await nameEverywhere(await keepPicture({ created_by_user_id: colleague.userId }), user)).toEqual(
      all(404),
    );
  });

  it('that is a gif can be used in every call but those of conversations', async () => {
    const gif = await keepPicture({ created_by_user_id: user.userId, content_type: 'image/gif' });
    expect(await nameEverywhere(gif, user)).toEqual({
      ...all(200),
      ...{ conversation: 400, text: 400, scheduled: 400 },
    });
    const MmsOutboundMedia = [{ MediaID: gif }];
    const ConversationID = await talkAt(idOf(office));
    expect(
      await app.call(
        sendTextMessage,
        { params: { ConversationID }, body: { Message: '', MmsOutboundMedia } },
        user,
      ),
    ).toMatchObject({
      body: { Message: 'Unsupported image format. You can send either .png or .jpg images.' },
    });
  });

  it('that is a gif still goes out in a text that was scheduled or failed before', async () => {
    const Media = [{ MediaID: await keepPicture({ created_by_user_id: user.userId }) }];
    const ConversationID = await talkAt(idOf(office));
    const failed = await app.call(
      sendTextMessage,
      { params: { ConversationID }, body: { Message: 'Look', MmsOutboundMedia: Media } },
      user,
    );
    const waiting = await app.call(
      scheduleConversation,
      {
        body: {
          TextNumberID: idOf(office),
          Media,
          StartDate: new Date(Date.now() + 86_400_000).toISOString(),
          Contacts: [{ PrimaryPhone: phone }],
        },
      },
      user,
    );
    const { system } = app.database;
    await sql`update media set content_type = 'image/gif' where media_id = ${Media[0]?.MediaID}`.execute(
      system,
    );
    const { TextMessageID } = failed.body;
    await sql`update messages set status = 'not_delivered' where message_id = ${TextMessageID}`.execute(
      system,
    );
    expect(await app.call(resendTextMessage, { params: { TextMessageID }, body: {} }, user)).toMatchObject({
      status: 200,
      body: { MmsOutboundMedia: Media },
    });
    const { ScheduledConversationID } = waiting.body;
    expect(
      await app.call(sendScheduledConversation, { params: { ScheduledConversationID } }, user),
    ).toMatchObject({ status: 200, body: { Status: 'Sent' } });
  });

  it('of a shared text, a scheduled text or a broadcast is visible to all who see those', async () => {
    const system = app.database.system;
    const owned = { account_id: account.accountId, user_id: colleague.userId };
    const use = async (mediaId: number) =>
      (await app.call(createDraft, { body: { Media: [{ MediaID: mediaId }] } }, user)).status;

    const shared = await keepPicture({ created_by_user_id: colleague.userId });
    const template = { ...owned, name: 'T', body: '', shortcut: '', media_ids: [shared] };
    await system.insertInto('templates').values(template).execute();
    expect(await use(shared)).toBe(404);
    await system.updateTable('templates').set({ is_shared: true }).where('name', '=', 'T').execute();
    expect(await use(shared)).toBe(200);

    for (const [number, status] of [
      [nurse, 404],
      [office, 200],
    ] as const) {
      const later = await keepPicture({ created_by_user_id: colleague.userId });
      await system
        .insertInto('scheduled_conversations')
        .values({
          ...owned,
          text_number_id: idOf(number),
          body: '',
          media_ids: [later],
          include_signature: false,
          start_at: new Date(),
        })
        .execute();
      expect([number, await use(later)]).toEqual([number, status]);

      const sent = await keepPicture({ created_by_user_id: colleague.userId });
      const sender = { accountId: account.accountId, userId: colleague.userId, textNumberId: idOf(number) };
      const broadcastId = await aBroadcast(app.database, sender, { count: 1, status: 'draft' });
      const set = (values: { media_ids: number[]; status?: 'completed' }) =>
        system.updateTable('broadcasts').set(values).where('broadcast_id', '=', broadcastId).execute();
      await set({ media_ids: [sent] });
      expect(await use(sent)).toBe(404);
      await set({ media_ids: [sent], status: 'completed' });
      expect([number, await use(sent)]).toEqual([number, status]);
    }
  });
});
