/**
 * Emergencies: what they override and what they never do, two people at once, drills, and the first state of
 * the screen. Long because every test starts them in the same organization, which is set up once.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { listAuditLog } from '../../../contract/audit-log.ts';
import { getRecipientTimeline } from '../../../contract/broadcast-results.ts';
import { getBroadcast, listBroadcasts, updateBroadcast } from '../../../contract/broadcasts.ts';
import {
  addEmergencyMessage,
  deleteEmergencyMessage,
  emergencyRefusals,
  getEmergency,
  getEmergencySettings,
  previewEmergency,
  startEmergency,
  updateEmergencyMessage,
  updateEmergencySettings,
} from '../../../contract/emergencies.ts';
import { limits } from '../../../contract/reference/limits.ts';
import { wallMsAt } from '../../../contract/time/wall-clock.ts';
import { asSystem } from '../../db.ts';
import { aBroadcast } from '../../testing/broadcasts.ts';
import { type BuiltAccount, type BuiltUser, buildAccount, buildUser } from '../../testing/builders.ts';
import { callAtAnyHour, callsOf } from '../../testing/calls.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';
import { lockDue } from '../feed/find-due.ts';

const ours = [
  '18655552101',
  '18655552102',
  '18655552103',
  '18655552104',
  '18655552105',
  '18655552106',
  '18655552107',
  '18655552108',
  '18655552109',
  '18655552110',
  '18655552111',
  '18655552112',
  '18655552113',
  '18655552114',
  '18655552115',
  '18655552116',
  '18655552117',
  '18655552118',
];
let app: TestApp;
let serial = 0;

interface School extends BuiltAccount {
  number: string;
  listId: number;
  messageId: number;
  phones: string[];
}

beforeAll(async () => {
  app = await testApp(Object.fromEntries(ours.map((phone) => [phone, 'twilio' as const])), {
    CALL_STARTS_PER_SECOND: '200',
  });
  await app.sandbox.control('PUT', '/settings', { CallSpeed: 25, CallStartsPerSecond: 1000 });
});

const body = 'Harlow Creek Schools are closed today because of snow.';

/** An organization with a group of people, prepared for a snow day. */
async function aSchool(people = 3, credits = 1000): Promise<School> {
  const number = ours[serial] ?? '';
  serial += 1;
  const account = await buildAccount(app, { numbers: { [number]: 'twilio' }, credits });
  await callAtAnyHour(app, account);
  const phones = Array.from({ length: people }, (_, index) => `1423${550 + serial}${1000 + index}`);
  const listId = await aGroup(account, 'Parents', phones);
  const { body: message } = await app.call(
    addEmergencyMessage,
    {
      body: {
        Title: 'School closed',
        TextMessage: body,
        SpokenText: 'This is Harlow Creek Schools. All schools are closed today because of snow.',
      },
    },
    account.owner,
  );
  await prepare(account, { Lists: [{ ListID: listId }], DrillListID: null, IsForEveryone: false });
  return { ...account, number, listId, phones, messageId: message.EmergencyMessageID };
}

async function aGroup({ accountId, owner }: BuiltAccount, name: string, phones: string[]): Promise<number> {
  const { system } = app.database;
  const { rows } = await sql<{ id: number }>`
    insert into groups (account_id, name) values (${accountId}, ${name}) returning group_id as id`.execute(
    system,
  );
  const id = rows[0]?.id ?? 0;
  await sql`
    insert into contacts (account_id, first_name, primary_phone, created_by_user_id)
    select ${accountId}, 'Person', phone, ${owner.userId} from unnest(${phones}::text[]) phone`.execute(
    system,
  );
  await sql`
    insert into group_members (account_id, group_id, person_id, sort_name)
    select account_id, ${id}, person_id, sort_name from contacts
    where account_id = ${accountId} and primary_phone = any(${phones}::text[])`.execute(system);
  return id;
}

const prepare = (
  { owner }: BuiltAccount,
  settings: { Lists: { ListID: number }[]; DrillListID: number | null; IsForEveryone: boolean },
) => app.call(updateEmergencySettings, { body: settings }, owner);

const asked = ({ messageId, listId }: School) => ({
  EmergencyMessageID: messageId,
  Lists: [{ ListID: listId }],
});
const start = (school: School, more: object = {}, as: BuiltUser = school.owner) =>
  app.call(startEmergency, { body: { ...asked(school), Key: randomUUID(), ...more } }, as);
const preview = (school: School, more: object = {}, as: BuiltUser = school.owner) =>
  app.call(previewEmergency, { body: { ...asked(school), ...more } }, as);
const read = async (BroadcastID: number, as: BuiltUser) =>
  (await app.call(getBroadcast, { params: { BroadcastID } }, as)).body;
const textsTo = async (phone: string) => (await app.sandbox.messages(phone)).map(({ Text }) => Text);
const countBroadcasts = async ({ accountId }: BuiltAccount) => {
  const { rows } = await sql<{ many: number }>`
    select count(*) as many from broadcasts where account_id = ${accountId} and is_emergency`.execute(
    app.database.system,
  );
  return rows[0]?.many;
};
/** Nobody may be texted for the next three hours, in any zone. */
async function makeItNight({ accountId }: BuiltAccount): Promise<void> {
  const at = (hours: number) =>
    new Date(wallMsAt(Date.now() + hours * 3_600_000, 'America/New_York')).toISOString().slice(11, 16);
  await sql`update accounts set quiet_hours_on = true, quiet_start = ${at(3)}, quiet_stop = ${at(6)}
    where account_id = ${accountId}`.execute(app.database.system);
  await sql`update users set calling_start = ${at(3)}, calling_stop = ${at(6)}
    where account_id = ${accountId}`.execute(app.database.system);
}

describe('an emergency', () => {
  it('is a broadcast that texts and calls all at once, past pace and limit but never past STOP', async () => {
    const school = await aSchool(4);
    const [first = '', stopped = '', silent = ''] = school.phones;
    await sql`insert into phone_consents (account_id, phone, text_state, voice_state) values
      (${school.accountId}, ${stopped}, 'out', null), (${school.accountId}, ${silent}, 'out', 'out')`.execute(
      app.database.system,
    );
    // All have had as many broadcasts as the account allows.
    await sql`update accounts set most_broadcasts = 1, most_broadcasts_days = 7
      where account_id = ${school.accountId}`.execute(app.database.system);
    const textNumberId = school.numbers[school.number] ?? 0;
    const sender = { accountId: school.accountId, userId: school.owner.userId, textNumberId };
    await aBroadcast(app.database, sender, { phones: [first] });
    await app.drain();

    const shown = (await preview(school)).body;
    expect(shown).toMatchObject({
      ...{ Channel: 'TextAndCall', Reached: 3, Texted: 2, TextProblem: '', CallProblem: '', Refusal: null },
      ...{ TextCredits: 2, CallCredits: 3, HeldTexts: 0, HeldCalls: 0, HeldUntil: null, Joins: null },
    });
    expect(shown.Summary).toMatchObject({
      Total: 4,
      Good: 3,
      LeftOut: [{ Problem: 'do_not_call', Count: 1 }],
    });
    expect(await countBroadcasts(school)).toBe(0);

    const { body: started } = await start(school, { ExpectedCount: 3, ExpectedCredits: 5 });
    expect(started).toMatchObject({ IsJoined: false, StartedBy: { UserID: school.owner.userId } });
    await app.until(
      async () => (await textsTo(first)).includes(body) && (await callsOf(app, stopped)).length > 0,
    );
    expect(await textsTo(first)).toContain(body);
    expect(await textsTo(stopped)).toEqual([]);
    expect(await textsTo(silent)).toEqual([]);
    expect(await callsOf(app, stopped)).toHaveLength(1);
    expect(await callsOf(app, silent)).toEqual([]);

    const whole = await read(started.BroadcastID, school.owner);
    expect(whole).toMatchObject({
      ...{ BroadcastName: 'Emergency: School closed', BroadcastType: 'SMSAndAnnouncement', PerMinute: null },
      ...{ IsEmergency: true, IsDrill: false, HoursSetAsideBy: '', CallTotal: 3, CallThrottle: 0 },
    });
    // Short words are repeated until they fill a call; the recording isn't in the library.
    expect(whole.Audio?.Length).toBeGreaterThanOrEqual(10);
    const { body: list } = await app.call(listBroadcasts, { query: {} }, school.owner);
    expect(list.Items[0]).toMatchObject({ BroadcastID: started.BroadcastID, IsEmergency: true });
    const { rows } = await sql<{ id: number; hidden: boolean }>`
      select r.recipient_id as id, (select bool_and(deleted_at is not null) from audio where account_id = r.account_id) as hidden
      from broadcast_recipients r where r.account_id = ${school.accountId}
        and r.broadcast_id = ${started.BroadcastID} and r.phone = ${first}`.execute(app.database.system);
    expect(rows[0]?.hidden).toBe(true);
    const { body: timeline } = await app.call(
      getRecipientTimeline,
      { params: { BroadcastID: started.BroadcastID, RecipientID: rows[0]?.id ?? 0 } },
      school.owner,
    );
    expect(timeline.Events.map(({ Text }) => Text)).toContain('Limit of broadcasts set aside');
    const { body: log } = await app.call(listAuditLog, { query: {} }, school.owner);
    const said = log.Items.map(({ What }) => What);
    expect(said).toContain('Started an emergency');
    expect(said).toContain('Set the limit of broadcasts for a person aside');
    expect(said).not.toContain('Set quiet hours and the calling window aside for a broadcast');
  });

  it('texts a message as long as one can be prepared, past the limit of whoever starts it', async () => {
    const school = await aSchool(1);
    await sql`update users set text_character_limit = 160 where user_id = ${school.owner.userId}`.execute(
      app.database.system,
    );
    await sql`update accounts set prepend_organization_to_text = true where account_id = ${school.accountId}`.execute(
      app.database.system,
    );
    const TextMessage = 'a'.repeat(limits.emergency.text);
    await app.call(
      updateEmergencyMessage,
      {
        params: { EmergencyMessageID: school.messageId },
        body: { Title: 'Long', TextMessage, SpokenText: 'A long story.' },
      },
      school.owner,
    );
    await prepare(school, { Lists: [], DrillListID: school.listId, IsForEveryone: false });
    expect((await preview(school, { IsDrill: true })).body.Refusal).toBeNull();
    await start(school, { IsDrill: true });
    const [phone = ''] = school.phones;
    await app.until(async () => (await textsTo(phone)).length > 0);
    expect((await textsTo(phone))[0]).toMatch(new RegExp(`.+This is a drill. ${TextMessage}$`));
  });

  it('goes out by text when files can’t be saved, and a preview saves none', async () => {
    const school = await aSchool(1);
    const folder = join(app.dataDir, 'media');
    const TextMessage = 'Nobody has read these words aloud.';
    const recordings = async () => {
      const { rows } = await sql<{ many: number }>`
        select count(*)::int as many from audio where account_id = ${school.accountId}`.execute(
        app.database.system,
      );
      return rows[0]?.many;
    };
    expect((await preview(school, { TextMessage })).body.CallProblem).toBe('');
    expect(await recordings()).toBe(0);

    // A file in place of the folder: whatever is saved there fails.
    await mkdir(folder, { recursive: true });
    await rename(folder, `${folder}-aside`);
    await writeFile(folder, '');
    const CallProblem = 'The message for calls can’t be saved at the moment.';
    expect((await preview(school, { TextMessage })).body).toMatchObject({
      ...{ CallProblem, Channel: 'Text', Reached: 1, Refusal: null },
    });
    expect((await preview(school, { TextMessage, Channel: 'Text' })).body.CallProblem).toBe('');
    const { body: started } = await start(school, { TextMessage });
    expect((await read(started.BroadcastID, school.owner)).BroadcastType).toBe('SMS');
    await app.until(async () => (await textsTo(school.phones[0] ?? '')).length > 0);
    await rm(folder);
    await rename(`${folder}-aside`, folder);
    await start(school);
    expect(await recordings()).toBe(1);
  });

  it('refuses a key that was used with other choices', async () => {
    const school = await aSchool(1);
    const Key = randomUUID();
    const { body: started } = await start(school, { Key });
    for (const other of [
      { TextMessage: 'Go home.' },
      { IsDrill: true },
      { Channel: 'Text' },
      { Lists: [] },
    ]) {
      const refused = refusalOf(await start(school, { Key, ...other }));
      expect([refused.status, refused.Message]).toEqual([409, emergencyRefusals.otherChoices]);
    }
    expect((await start(school, { Key })).body.BroadcastID).toBe(started.BroadcastID);
  });

  it('selects nobody in the place of a prepared group that was deleted', async () => {
    const school = await aSchool(1);
    const staff = await aGroup(school, 'Staff', ['14235569921']);
    const Lists = [{ ListID: school.listId }, { ListID: staff }];
    await prepare(school, { Lists, DrillListID: null, IsForEveryone: false });
    const screen = async () => (await app.call(getEmergency, {}, school.owner)).body;
    const remove = (id: number) =>
      sql`update groups set deleted_at = now() where account_id = ${school.accountId} and group_id = ${id}`.execute(
        app.database.system,
      );
    expect(await screen()).toMatchObject({ SelectedListID: school.listId, DeletedLists: 0 });
    await remove(school.listId);
    expect(await screen()).toMatchObject({
      ...{ SelectedListID: null, DeletedLists: 1, Lists: [{ ListID: staff }] },
    });
    await remove(staff);
    expect(await screen()).toMatchObject({ SelectedListID: null, DeletedLists: 2, Lists: [{ ListID: 0 }] });
    await prepare(school, { Lists: [], DrillListID: null, IsForEveryone: false });
    expect(await screen()).toMatchObject({ SelectedListID: 0, DeletedLists: 0 });
  });

  it('reads the words to callers in their language, whoever starts it', async () => {
    const school = await aSchool(1);
    const words = {
      Title: 'Nieve',
      TextMessage: 'La escuela cierra hoy.',
      SpokenText: 'La escuela cierra hoy por la nieve.',
    };
    await app.call(
      updateEmergencyMessage,
      { params: { EmergencyMessageID: school.messageId }, body: words },
      school.owner,
    );
    const { body: started } = await start(school);
    const { rows } = await sql<{ voice: string; words: string }>`
      select a.voice_id as voice, a.spoken_text as words from broadcasts b join audio a using (account_id, audio_id)
      where b.account_id = ${school.accountId} and b.broadcast_id = ${started.BroadcastID}`.execute(
      app.database.system,
    );
    expect(rows).toEqual([{ voice: 'flite:slt-es', words: expect.stringContaining('nieve. Repito. La') }]);
    const [phone = ''] = school.phones;
    await app.until(async () => (await callsOf(app, phone)).length > 0);
  });

  it('waits for quiet hours and the calling window, unless the user overrides them, on record', async () => {
    const school = await aSchool(2);
    const [first = ''] = school.phones;
    await makeItNight(school);
    const night = (await preview(school)).body;
    expect(night).toMatchObject({ HeldTexts: 2, HeldCalls: 2, Refusal: null });
    expect(Date.parse(night.HeldUntil ?? '')).toBeGreaterThan(Date.now() + 3_600_000);
    expect((await preview(school, { IgnoreHours: true })).body).toMatchObject({
      ...{ HeldTexts: 0, HeldCalls: 0, HeldUntil: null },
    });
    const { body: held } = await start(school);
    await app.drain();
    await app.drain();
    expect(await textsTo(first)).toEqual([]);
    expect(await callsOf(app, first)).toEqual([]);
    expect((await read(held.BroadcastID, school.owner)).HeldReason).toMatch(/^Quiet hours until/);

    // Other words, so that nobody joins the waiting one.
    const words = 'Go to the gym now. This is not a drill.';
    const { body: now } = await start(school, { TextMessage: words, IgnoreHours: true });
    await app.until(async () => (await callsOf(app, first)).length > 0 && (await textsTo(first)).length > 0);
    expect(await textsTo(first)).toEqual([words]);
    const whole = await read(now.BroadcastID, school.owner);
    expect(whole.HoursSetAsideBy).toMatch(/^Pat Number/);
    const { body: log } = await app.call(listAuditLog, { query: {} }, school.owner);
    expect(log.Items.map(({ What }) => What)).toContain(
      'Set quiet hours and the calling window aside for a broadcast',
    );
  });

  it('is one broadcast, however often and by however many people it is started', async () => {
    const school = await aSchool(3);
    const admin = await buildUser(app, school.accountId, 'admin', {});
    const Key = randomUUID();
    // The reply was lost, and the page confirms again: one broadcast, the same reply.
    const again = await Promise.all([start(school, { Key }), start(school, { Key }), start(school, { Key })]);
    expect(new Set(again.map(({ body: { BroadcastID } }) => BroadcastID)).size).toBe(1);
    expect(again.map(({ body: { IsJoined } }) => IsJoined)).toEqual([false, false, false]);
    const id = again[0]?.body.BroadcastID ?? 0;
    // After a reload the screen asks for the result of its key.
    const screen = await app.call(getEmergency, { query: { Key } }, school.owner);
    expect(screen.body.StartedBroadcastID).toBe(id);

    // Another user starts the same one: they are told who did, and see it without the right to see all
    // broadcasts.
    const shown = (await preview(school, {}, admin)).body;
    expect(shown).toMatchObject({ Reached: 0, Refusal: null, Joins: { BroadcastID: id, Count: 3 } });
    const { body: joined } = await start(school, {}, admin);
    expect(joined).toMatchObject({
      BroadcastID: id,
      IsJoined: true,
      StartedBy: { UserID: school.owner.userId },
    });
    expect((await read(id, admin)).IsEmergency).toBe(true);
    expect(await countBroadcasts(school)).toBe(1);

    // With an additional group, it goes to those whom the first one doesn't reach. An admin reaches contacts
    // of others too.
    const more = ['14235569901'];
    const staff = await aGroup(school, 'Staff', more);
    const Lists = [{ ListID: school.listId }, { ListID: staff }];
    expect(refusalOf(await start(school, { Lists }, admin)).Message).toBe(emergencyRefusals.notPrepared);
    await prepare(school, { Lists, DrillListID: null, IsForEveryone: false });
    const { body: rest } = await start(school, { Lists }, admin);
    expect(rest.IsJoined).toBe(false);
    await app.until(async () => (await textsTo(more[0] ?? '')).length === 1);
    await app.drain();
    for (const phone of school.phones) expect(await textsTo(phone)).toEqual([body]);
    const { body: log } = await app.call(listAuditLog, { query: {} }, school.owner);
    expect(log.Items.map(({ What }) => What)).toContain('Joined an emergency that was started already');
  });

  it('is the same one where only calls go out, and the second texts whom the first can’t call', async () => {
    const school = await aSchool(2);
    const admin = await buildUser(app, school.accountId, 'admin', {});
    const [first = '', uncalled = ''] = school.phones;
    await sql`insert into phone_consents (account_id, phone, voice_state)
      values (${school.accountId}, ${uncalled}, 'out')`.execute(app.database.system);
    const block = (isBlocked: boolean) =>
      sql`update text_numbers set is_blocked = ${isBlocked} where account_id = ${school.accountId}`.execute(
        app.database.system,
      );
    await block(true);
    const { body: called } = await start(school);
    expect((await preview(school, {}, admin)).body).toMatchObject({
      ...{ Channel: 'Call', Reached: 0, Refusal: null },
      Joins: { BroadcastID: called.BroadcastID, Channel: 'Call', IsPaused: false },
    });
    const { body: joined } = await start(school, {}, admin);
    expect(joined).toMatchObject({ BroadcastID: called.BroadcastID, IsJoined: true });
    expect(await countBroadcasts(school)).toBe(1);

    await block(false);
    expect((await preview(school, {}, admin)).body).toMatchObject({ Reached: 1, Texted: 1 });
    expect((await start(school, {}, admin)).body.IsJoined).toBe(false);
    await app.until(
      async () => (await textsTo(uncalled)).length > 0 && (await callsOf(app, first)).length > 0,
    );
    await app.drain();
    expect(await textsTo(first)).toEqual([]);
    expect(await callsOf(app, first)).toHaveLength(1);
  });

  it('is released from quiet hours when somebody starts the same one now, whatever the hour', async () => {
    const school = await aSchool(2);
    const admin = await buildUser(app, school.accountId, 'admin', {});
    const [first = ''] = school.phones;
    await makeItNight(school);
    const { body: held } = await start(school);
    await app.drain();
    await app.drain();
    expect(await textsTo(first)).toEqual([]);
    const shown = (await preview(school, { IgnoreHours: true }, admin)).body;
    expect(shown).toMatchObject({ Reached: 0, HeldUntil: null, Joins: { BroadcastID: held.BroadcastID } });
    expect(Date.parse(shown.Joins?.HeldUntil ?? '')).toBeGreaterThan(Date.now() + 3_600_000);

    const { body: joined } = await start(school, { IgnoreHours: true }, admin);
    expect(joined).toMatchObject({ BroadcastID: held.BroadcastID, IsJoined: true });
    await app.until(async () => (await callsOf(app, first)).length > 0 && (await textsTo(first)).length > 0);
    expect(await textsTo(first)).toEqual([body]);
    expect((await read(held.BroadcastID, school.owner)).HoursSetAsideBy).not.toBe('');
    expect((await preview(school, {}, admin)).body.Joins?.HeldUntil).toBeNull();
    const { body: log } = await app.call(listAuditLog, { query: {} }, school.owner);
    const set = log.Items.filter(
      ({ What }) => What === 'Set quiet hours and the calling window aside for a broadcast',
    );
    expect(set).toHaveLength(1);
  });

  it('releases those whom it leaves out, too, and says when they wait for somebody to resume', async () => {
    const school = await aSchool(1);
    const admin = await buildUser(app, school.accountId, 'admin', {});
    await makeItNight(school);
    const { body: held } = await start(school, { Channel: 'Text' });
    const pause = (BroadcastStatus: 'Paused' | 'Broadcasting') =>
      app.call(
        updateBroadcast,
        { params: { BroadcastID: held.BroadcastID }, body: { BroadcastStatus } },
        school.owner,
      );
    await pause('Paused');
    expect((await preview(school, {}, admin)).body.Joins).toMatchObject({ IsPaused: true, Channel: 'Text' });
    await pause('Broadcasting');
    const more = await aGroup(school, 'Staff', ['14235569911']);
    const Lists = [{ ListID: school.listId }, { ListID: more }];
    await prepare(school, { Lists, DrillListID: null, IsForEveryone: false });
    const { body: rest } = await start(school, { Lists, IgnoreHours: true, Channel: 'Text' }, admin);
    expect(rest.IsJoined).toBe(false);
    await app.until(
      async () =>
        (await textsTo('14235569911')).length > 0 && (await textsTo(school.phones[0] ?? '')).length > 0,
    );
  });

  it('lists missing requirements in advance: credits, an unblocked text number, recipients', async () => {
    const school = await aSchool(3, 4);
    const poor = (await preview(school)).body;
    expect(poor).toMatchObject({ TextCredits: 3, CallCredits: 3, Refusal: { ErrorCode: 4100 } });
    expect(refusalOf(await start(school)).ErrorCode).toBe(4100);
    expect((await preview(school, { Channel: 'Text' })).body.Refusal).toBeNull();
    const { body: screen } = await app.call(getEmergency, {}, school.owner);
    expect(screen.Owners).toHaveLength(1);
    expect(screen).toMatchObject({ TextProblem: '', CallProblem: '', Running: [] });

    await sql`update text_numbers set is_blocked = true where account_id = ${school.accountId}`.execute(
      app.database.system,
    );
    const blocked = (await preview(school)).body;
    expect(blocked).toMatchObject({ Channel: 'Call', Texted: 0, Reached: 3, Refusal: null });
    expect(blocked.TextProblem).toMatch(/^This text number is blocked/);
    const { body: called } = await start(school);
    await app.until(async () => (await callsOf(app, school.phones[0] ?? '')).length > 0);
    expect(await textsTo(school.phones[0] ?? '')).toEqual([]);
    expect((await read(called.BroadcastID, school.owner)).BroadcastType).toBe('Announcement');

    await sql`update accounts set voice_allowed = false where account_id = ${school.accountId}`.execute(
      app.database.system,
    );
    expect(refusalOf(await preview(school)).Message).toBe(emergencyRefusals.noChannel);
    expect(refusalOf(await start(school, { Lists: [] })).status).toBeGreaterThanOrEqual(400);
    expect(refusalOf(await start(school, { EmergencyMessageID: null })).Errors?.[0]?.Message).toBe(
      emergencyRefusals.noMessage,
    );
  });
});

it('continues calling when its text number is blocked midway, and takes priority at its number', async () => {
  const school = await aSchool(2);
  const textNumberId = school.numbers[school.number] ?? 0;
  const [first = ''] = school.phones;
  await sql`update text_numbers set per_minute = 2 where text_number_id = ${textNumberId}`.execute(
    app.database.system,
  );
  const sender = { accountId: school.accountId, userId: school.owner.userId, textNumberId };
  const slow = await aBroadcast(app.database, sender, { phones: ['14235561234', '14235561235'] });
  const { body: started } = await start(school);
  await app.drain();
  // The emergency uses the number's full pace; the other one waits.
  expect(await textsTo(first)).toEqual([body]);
  expect((await read(slow, school.owner)).HeldReason).toBe('An emergency goes first');
  await sql`update text_numbers set is_blocked = true where text_number_id = ${textNumberId}`.execute(
    app.database.system,
  );
  await sql`update broadcasts set next_feed_at = now() where broadcast_id = ${started.BroadcastID}`.execute(
    app.database.system,
  );
  await app.until(async () => (await callsOf(app, school.phones[1] ?? '')).length > 0);
  const whole = await read(started.BroadcastID, school.owner);
  expect(whole.BroadcastStatus).toBe('Broadcasting');
  expect(whole.HeldReason).toMatch(/^This text number is blocked/);
});

it('goes before its own organization’s broadcasts, and takes turns with those of others', async () => {
  const { system } = app.database;
  const school = await aSchool(1);
  const others = await aSchool(1);
  await sql`update broadcasts set next_feed_at = null`.execute(system);
  const senderOf = ({ accountId, owner, numbers, number }: School) => ({
    accountId,
    userId: owner.userId,
    textNumberId: numbers[number] ?? 0,
  });
  const own = await aBroadcast(app.database, senderOf(school), { phones: ['14235561241'] });
  const theirs = await aBroadcast(app.database, senderOf(others), { phones: ['14235561242'] });
  const emergency = await aBroadcast(app.database, senderOf(school), { phones: ['14235561243'] });
  await sql`update broadcasts set is_emergency = broadcast_id = ${emergency}, next_feed_at = now(),
    last_fed_at = case when broadcast_id = ${emergency} then null else now() - interval '1 minute' end
    where broadcast_id in (${own}, ${theirs}, ${emergency})`.execute(system);
  const nextTurns = async (many: number) => {
    const fed: number[] = [];
    while (fed.length < many)
      await asSystem(app.database, async (trx) => {
        const due = await lockDue(trx, 2);
        fed.push(due?.broadcast_id ?? 0);
        await sql`update broadcasts set last_fed_at = clock_timestamp()
          where broadcast_id = ${due?.broadcast_id ?? 0}`.execute(trx);
      });
    return fed;
  };
  const end = (id: number) =>
    sql`update broadcasts set next_feed_at = null where broadcast_id = ${id}`.execute(system);
  expect(await nextTurns(4)).toEqual([emergency, theirs, emergency, theirs]);
  await end(theirs);
  expect(await nextTurns(2)).toEqual([emergency, emergency]);
  await end(emergency);
  expect(await nextTurns(1)).toEqual([own]);
  await end(own);
});

it('sends a drill to staff only and says so; owners and admins prepare it and choose who may', async () => {
  const school = await aSchool(2);
  const user = await buildUser(app, school.accountId, 'user', {
    textNumberIds: Object.values(school.numbers),
  });
  await sql`update users set can_create_broadcast = true where user_id = ${user.userId}`.execute(
    app.database.system,
  );
  expect(refusalOf(await preview(school, {}, user)).status).toBe(403);
  await prepare(school, { Lists: [{ ListID: school.listId }], DrillListID: null, IsForEveryone: true });
  expect((await preview(school, {}, user)).body.Reached).toBe(2);
  expect(refusalOf(await app.call(getEmergencySettings, {}, user)).status).toBe(403);

  // Staff are the users who have a phone.
  await sql`update users set phone = '(423) 556-7001' where user_id = ${user.userId}`.execute(
    app.database.system,
  );
  const { body: screen } = await app.call(getEmergency, {}, school.owner);
  expect(screen.Drill).toEqual({ Name: 'Your team', Count: 1 });
  // A phone that this country can't text is no one's: it isn't read as a number here.
  await sql`update users set phone = '8765550143' where user_id = ${school.owner.userId}`.execute(
    app.database.system,
  );
  expect((await app.call(getEmergency, {}, school.owner)).body.Drill?.Count).toBe(1);
  expect(screen.Lists).toEqual([{ ListID: school.listId, ListName: 'Parents', Count: 2 }]);
  const { body: drill } = await start(school, { IsDrill: true, Channel: 'Text' });
  await app.until(async () => (await textsTo('14235567001')).length > 0);
  expect(await textsTo('14235567001')).toEqual([`This is a drill. ${body}`]);
  for (const phone of school.phones) expect(await textsTo(phone)).toEqual([]);
  expect(await read(drill.BroadcastID, school.owner)).toMatchObject({
    ...{ BroadcastName: 'Drill: School closed', IsEmergency: true, IsDrill: true },
  });
  // A user who reads Spanish joins the same one, and starts another one in Spanish.
  await sql`update users set language_id = 2 where user_id = ${user.userId}`.execute(app.database.system);
  const joined = await preview(school, { IsDrill: true, Channel: 'Text' }, user);
  expect(joined.body.Joins).toMatchObject({ BroadcastID: drill.BroadcastID });
  const own = { EmergencyMessageID: null, TextMessage: 'Salgan ahora.', IsDrill: true, Channel: 'Text' };
  const { body: simulacro } = await start(school, own, user);
  expect(await read(simulacro.BroadcastID, school.owner)).toMatchObject({
    ...{ BroadcastName: 'Simulacro: Mensaje propio', TextMessage: 'Esto es un simulacro. Salgan ahora.' },
  });
  // A real emergency isn't the running drill.
  expect((await preview(school)).body.Joins).toBeNull();
  // A group that was chosen for drills gets them instead.
  const practice = await aGroup(school, 'Practice', ['14235567002']);
  await prepare(school, { Lists: [], DrillListID: practice, IsForEveryone: false });
  const again = await app.call(getEmergency, {}, school.owner);
  expect(again.body.Drill).toEqual({ Name: 'Practice', Count: 1 });
  // Without a prepared group, everybody is offered.
  expect(again.body.Lists).toMatchObject([{ ListID: 0, ListName: 'Everyone' }]);

  const words = { Title: ' ', TextMessage: 'Hello {{FirstName}}', SpokenText: '' };
  const bad = refusalOf(await app.call(addEmergencyMessage, { body: words }, school.owner));
  expect(bad.Errors).toEqual([
    { Field: 'Title', Message: 'Enter a Title' },
    { Field: 'TextMessage', Message: 'Text cannot contain personalization' },
    { Field: 'SpokenText', Message: 'Enter a Spoken Message' },
  ]);
  const params = { EmergencyMessageID: school.messageId };
  const changed = {
    Title: 'Lockdown',
    TextMessage: 'Stay where you are.',
    SpokenText: 'Stay where you are.',
  };
  await app.call(updateEmergencyMessage, { params, body: changed }, school.owner);
  const { body: settings } = await app.call(getEmergencySettings, {}, school.owner);
  expect(settings).toEqual({
    ...{ Lists: [], DrillListID: practice, IsForEveryone: false },
    Messages: [{ ...params, ...changed }],
  });
  await app.call(deleteEmergencyMessage, { params }, school.owner);
  expect(refusalOf(await preview(school)).Message).toBe(emergencyRefusals.messageGone);
});
