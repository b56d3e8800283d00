import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { getAccount, updateAccount, updateUser } from '../../contract/accounts.ts';
import { createBroadcast } from '../../contract/broadcasts.ts';
import { addDraftContact, addDraftNumbers, updateDraftContact } from '../../contract/draft-recipients.ts';
import { createDraft, getPreflight } from '../../contract/drafts.ts';
import { mergeDraft, mergeSingle } from '../../contract/template-merges.ts';
import { createDraftSteps } from '../broadcasts/draft/testing/draft-steps.ts';
import { type BuiltAccount, buildAccount, buildUser } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';

const number = '14235550100';
const phone = '4235550143';
let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' });
  account = await buildAccount(app, { numbers: { [number]: 'infobip' } });
  await sql`update accounts set quiet_hours_on = false, sender_name = 'Harlow Schools'
    where account_id = ${account.accountId}`.execute(app.database.system);
});

const change = (body: object, as: { cookie: string } = account.owner) =>
  app.call(updateAccount, { body }, as);
const profile = async () => (await app.call(getAccount, {}, account.owner)).body.Profile;

describe('an invalid setting is refused at its field', () => {
  const Message = 'This can’t be changed here.';

  it.each([
    ['GroupCode', { GroupCode: 'another' }],
    ['AccountStatusID', { IsAutoReplyOn: false, AccountStatusID: 0 }],
    ['Profile.VoiceAllowed', { Profile: { VoiceAllowed: true, PrependOrganizationToText: true } }],
  ])('of the organization: %s', async (Field, body) => {
    expect(refusalOf(await change(body))).toMatchObject({ status: 400, Errors: [{ Field, Message }] });
    // The other settings are not changed either.
    expect((await profile()).PrependOrganizationToText).toBe(false);
  });

  it('of the user', async () => {
    const body = { Features: [], IsMasterUser: true } as object;
    expect(refusalOf(await app.call(updateUser, { body }, account.owner))).toMatchObject({
      status: 400,
      Errors: [
        { Field: 'Features', Message },
        { Field: 'IsMasterUser', Message },
      ],
    });
  });
});

describe('the organization itself', () => {
  it('has a name, a state, an industry and a sender name', async () => {
    const own = await buildAccount(app);
    const set = (body: object) => change(body, own.owner);
    const { status, body } = await set({
      CompanyName: ' Harlow Creek Schools ',
      State: 'tennessee',
      IndustryID: 4,
      SenderName: 'Harlow Creek',
    });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        CompanyName: 'Harlow Creek Schools',
        State: 'TN',
        IndustryID: 4,
        SenderName: 'Harlow Creek',
        HasSpecialGroupCode: false,
      }),
    ]);
    expect((await set({ SenderName: '' })).body).toMatchObject({ SenderName: '', State: 'TN' });
  });

  it('owners move it to another country and zone, as long as there is no text number', async () => {
    const own = await buildAccount(app);
    const admin = await buildUser(app, own.accountId, 'admin');
    const set = (body: object, by = own.owner) => app.call(updateAccount, { body }, by);
    expect((await set({ State: 'Tennessee' })).body).toMatchObject({ CountryID: 1, State: 'TN' });
    // An admin may save the form as it is.
    const here = { CountryID: 1, TimeZone: 'America/New_York' };
    expect((await set(here, admin)).body).toMatchObject({ ...here, State: 'TN' });
    expect(refusalOf(await set({ CountryID: 2 }, admin)).status).toBe(403);
    expect(refusalOf(await set({ CountryID: 18 })).Errors?.[0]?.Message).toBe('Select a country');
    expect(refusalOf(await set({ TimeZone: 'Mars/Olympus' })).Errors?.[0]?.Message).toBe(
      'Select a time zone',
    );
    const there = { CountryID: 5, TimeZone: 'Europe/Berlin' };
    expect((await set(there)).body).toMatchObject({ ...there, State: '' });
    expect((await set({ State: 'Bayern' })).body.State).toBe('Bayern');
    const { rows } = await sql<{ changes: unknown }>`
      select changes from events where account_id = ${own.accountId} and changes ? 'TimeZone'`.execute(
      app.database.system,
    );
    expect(rows).toEqual([
      {
        changes: {
          ...{ CountryId: [1, 5], State: ['TN', ''] },
          TimeZone: ['America/New_York', 'Europe/Berlin'],
        },
      },
    ]);
    // The other organization has a number.
    expect(refusalOf(await change({ CountryID: 5 })).Errors?.[0]).toMatchObject({
      Field: 'CountryID',
      Message: expect.stringContaining('text numbers'),
    });
  });

  it.each([
    [{ CompanyName: ' ' }, 'CompanyName', 'Enter an Account Name'],
    [{ CompanyName: 'x'.repeat(42) }, 'CompanyName', 'Account Name must be at most 41 characters'],
    [{ State: 'Atlantis' }, 'State', 'Not a valid state'],
    [{ IndustryID: 99 }, 'IndustryID', 'Select an industry'],
    [{ SenderName: 'x'.repeat(31) }, 'SenderName', 'Sender Name must be at most 30 characters'],
  ])('%o is refused', async (body, Field, Message) => {
    expect(refusalOf(await change(body)).Errors).toEqual([{ Field, Message }]);
  });

  it('recognizes a special group code, and staff by their mail domain', async () => {
    const special = await testApp({}, { STAFF_DOMAIN: 'example.org', SPECIAL_GROUP_CODES: 'ford, other' });
    const own = await buildAccount(special);
    await sql`update accounts set group_code = 'Ford' where account_id = ${own.accountId}`.execute(
      special.database.system,
    );
    const query = { include: 'currentuser' as const };
    const { body } = await special.call(getAccount, { query }, own.owner);
    expect([body.HasSpecialGroupCode, body.CurrentUser?.IsInternalStaff]).toEqual([true, true]);
    // After it was entered, it isn't verified yet.
    const renamed = { Email: `other-${own.owner.userName}@example.org` };
    const { body: user } = await special.call(updateUser, { body: renamed }, own.owner);
    expect([user.NeedsEmailVerification, user.IsInternalStaff]).toEqual([true, false]);
  });
});

describe('broadcast settings', () => {
  it('are set by managers, each for their own account', async () => {
    const user = await buildUser(app, account.accountId, 'user');
    const admin = await buildUser(app, account.accountId, 'admin');
    const before = await profile();
    expect((await change({ Profile: { AllowCopyPasteInBroadcast: false } }, user)).status).toBe(403);
    for (const name of [
      'PrependOrganizationToText',
      'AllowAddIndividualNumbersInBroadcast',
      'AllowCopyPasteInBroadcast',
    ] as const) {
      const changed = await change({ Profile: { [name]: !before[name] } }, admin);
      expect(changed.body.Profile).toEqual({ ...before, [name]: !before[name] });
      await change({ Profile: { [name]: before[name] } });
    }
  });

  it('keeps numbers from being typed or pasted', async () => {
    const steps = createDraftSteps(app, account);
    const DraftBroadcastID = await steps.begin();
    const params = { DraftBroadcastID };
    await steps.paste(DraftBroadcastID, ['4235550101']);
    const RecipientID = (await steps.items(DraftBroadcastID))[0]?.RecipientID ?? 0;
    const typed = (PrimaryPhone: string) =>
      app.call(addDraftContact, { params, body: { PrimaryPhone, FirstName: 'Pat' } }, account.owner);

    await change({ Profile: { AllowAddIndividualNumbersInBroadcast: false } });
    const individual = 'Your organization doesn’t allow adding individual numbers to a broadcast.';
    expect(refusalOf(await typed('4235550102'))).toMatchObject({ status: 422, Message: individual });
    const edit = (PrimaryPhone: string) =>
      app.call(
        updateDraftContact,
        { params, body: { RecipientID, PrimaryPhone, FirstName: 'Sam' } },
        account.owner,
      );
    expect(refusalOf(await edit('4235550103')).Message).toBe(individual);
    expect((await edit('4235550101')).status).toBe(200);
    expect((await steps.paste(DraftBroadcastID, ['4235550104'])).status).toBe(200);

    await change({
      Profile: { AllowAddIndividualNumbersInBroadcast: true, AllowCopyPasteInBroadcast: false },
    });
    const Items = [{ PrimaryPhone: '4235550105', Name: '' }];
    expect(
      refusalOf(await app.call(addDraftNumbers, { params, body: { Items } }, account.owner)),
    ).toMatchObject({
      status: 422,
      Message: 'Your organization doesn’t allow pasting numbers into a broadcast.',
    });
    expect((await typed('4235550106')).status).toBe(200);
    await change({ Profile: { AllowCopyPasteInBroadcast: true } });
  });

  it.each([
    ['the same for all', 'No school.', 'Harlow Schools: No school.'],
    ['personalized', 'No school, {{FirstName}}.', 'Harlow Schools: No school, Pat.'],
  ])('puts the organization before a text that is %s', async (_what, TextMessage, arrives) => {
    await change({ Profile: { PrependOrganizationToText: true } });
    const made = await app.call(
      createDraft,
      {
        body: {
          BroadcastName: 'Snow day',
          TextMessage,
          TextNumberID: account.numbers[number] ?? 0,
        },
      },
      account.owner,
    );
    const params = { DraftBroadcastID: made.body.DraftBroadcastID };
    const Items = [{ PrimaryPhone: phone, Name: 'Pat' }];
    await app.call(addDraftNumbers, { params, body: { Items } }, account.owner);
    const preview = { TemplateText: TextMessage, IncludeSignature: false, HasMedia: false };
    const shown = await app.call(mergeSingle, { params, body: preview }, account.owner);
    expect(shown.body.TextMessage).toBe(arrives);
    if (TextMessage.includes('{{')) {
      await app.call(mergeDraft, { params, body: {} }, account.owner);
      await app.drain();
    }
    const before = (await app.sandbox.messages(phone)).length;
    const sent = await app.call(createBroadcast, { body: params }, account.owner);
    expect(sent.status).toBe(200);
    await app.until(async () => (await app.sandbox.messages(phone)).length > before);
    expect((await app.sandbox.messages(phone)).at(-1)?.Text).toBe(arrives);
  });

  it('counts the organization in segments and length', async () => {
    await change({ Profile: { PrependOrganizationToText: true } });
    const preflight = async (TextMessage: string) => {
      const made = await app.call(
        createDraft,
        { body: { BroadcastName: 'Long', TextMessage, TextNumberID: account.numbers[number] ?? 0 } },
        account.owner,
      );
      const params = { DraftBroadcastID: made.body.DraftBroadcastID };
      const Items = [{ PrimaryPhone: '4235550107', Name: '' }];
      await app.call(addDraftNumbers, { params, body: { Items } }, account.owner);
      return (await app.call(getPreflight, { params }, account.owner)).body;
    };
    // "Harlow Schools: " takes 16 of the 160.
    expect((await preflight('a'.repeat(144))).Cost.Credits).toBe(1);
    expect((await preflight('a'.repeat(145))).Cost.Credits).toBe(2);
    await change({ Profile: { PrependOrganizationToText: false } });
    expect((await preflight('a'.repeat(160))).Cost.Credits).toBe(1);
  });
});
