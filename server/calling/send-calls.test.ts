/** Long because every test calls from the same account with the same telephones, which are set up once. */
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { updateAccount } from '../../contract/accounts.ts';
import { deleteAudio, getAudio } from '../../contract/audio.ts';
import {
  detailsToDraft,
  getRecipientTimeline,
  listBroadcastDetails,
} from '../../contract/broadcast-results.ts';
import { createBroadcast, validateBroadcast } from '../../contract/broadcasts.ts';
import {
  addCallerId,
  addTransferNumber,
  callForRecording,
  callingRefusals,
  createRecording,
  deleteCallerId,
  deleteTransferNumber,
  getRecording,
  listCallerIds,
  setBroadcastAudio,
  setBroadcastAudioVM,
  testCall,
  updateTransferNumber,
} from '../../contract/calling.ts';
import { addDraftContact, getContactSummary } from '../../contract/draft-recipients.ts';
import {
  createDraft,
  type DraftForm,
  getDraft,
  getPreflight,
  updateDraftType,
} from '../../contract/drafts.ts';
import { asynchronousMessages } from '../../contract/fields/asynchronous-checks.ts';
import { voiceHints } from '../../contract/forms/broadcast.ts';
import { broadcastLabel } from '../../contract/states/broadcast-status.ts';
import { dayNames } from '../../contract/time/wall-clock.ts';
import { callWords } from '../calls/rules.ts';
import { signTwilio } from '../outside/twilio-signature.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import {
  aCallDraft,
  aRecording,
  callingAccount,
  callingApp,
  callsOf,
  phoneOf,
  readBroadcast,
  resultsOf,
  send,
} from '../testing/calls.ts';
import { refusalOf, type TestApp } from '../testing/test-app.ts';
import { testCredentials } from '../testing/test-sandbox.ts';

const callers = Array.from({ length: 30 }, (_, index) => `186555520${String(index).padStart(2, '0')}`);
let serial = -1;
let app: TestApp;
let account: BuiltAccount;
let caller: string;

beforeAll(async () => {
  app = await callingApp(callers);
});
beforeEach(async () => {
  serial += 1;
  caller = callers[serial] ?? '';
  account = await callingAccount(app, caller);
});

const read = (id: number) => readBroadcast(app, account, id);
const completed = (id: number) => app.until(async () => (await read(id)).BroadcastStatus === 'Completed');
const params = (DraftBroadcastID: number) => ({ params: { DraftBroadcastID } });

async function refused(form: Partial<DraftForm>): Promise<string> {
  const id = await aCallDraft(app, account, [phoneOf('0101')], form);
  return refusalOf(await send(app, account, id)).Message;
}

describe('Send', () => {
  it('refuses what can’t be called, each with its message', async () => {
    expect(await refused({ CallerID: '' })).toBe('Enter a Caller ID');
    expect(await refused({ CallerID: '8685550100' })).toBe(
      "This number isn't in the US, Puerto Rico, or Canada",
    );
    expect(await refused({ CallerID: '4235550188' })).toBe(callingRefusals.notYours);
    expect(await refused({ Audio: null })).toBe('Choose a message for live answers');
    expect(await refused({ AudioVM: null })).toBe('Choose a message for voicemail');
    const long = await aRecording(app, account, { seconds: 121 });
    expect(await refused({ Audio: { AudioID: long } })).toBe(
      'Your message cannot exceed 2 minutes. The message you selected is 121 seconds long.',
    );
    expect(await refused({ MaxMessageLength: 30 })).toBe(
      'Your message cannot exceed 30 seconds. The message you selected is 40 seconds long.',
    );
    for (const body of [{ Retries: 4 }, { MaxMessageLength: 37 }]) {
      const answer = await app.call(createDraft, { body }, account.owner);
      expect(refusalOf(answer).Message).toBe('Select one of the choices');
    }
    expect(await refused({ IsTransfer: true })).toBe(callingRefusals.transferNotEnabled);
    const words = await aRecording(app, account, { text: 'This is Harlow Creek Schools. We are closed.' });
    expect(await refused({ BroadcastType: 'Survey', Audio: { AudioID: words } })).toBe(voiceHints.survey);
    // A single digit isn't a key: not one of a date, a time or a telephone number.
    const digits = await aRecording(app, account, {
      text: 'This is Harlow Creek Schools. Will you come on May 4, 2026 at 6 pm? Call 423 555 0100.',
    });
    expect(await refused({ BroadcastType: 'Survey', Audio: { AudioID: digits } })).toBe(voiceHints.survey);
    const { rows } = await sql<{ id: number }>`
      insert into transfer_numbers (account_id, phone, status, user_id)
      values (${account.accountId}, '14235550199', 'Approved', ${account.owner.userId})
      returning transfer_number_id as id`.execute(app.database.system);
    const transfer = { IsTransfer: true, TransferNumber: { ID: rows[0]?.id ?? 0 }, TransferLines: 1 };
    expect(await refused({ ...transfer, Audio: { AudioID: words } })).toBe(voiceHints.transfer);
    const zero = await aRecording(app, account, {
      text: 'This is Harlow Creek Schools. It is below 0 outside.',
    });
    expect(await refused({ ...transfer, Audio: { AudioID: zero } })).toBe(voiceHints.transfer);
    await sql`update users set calling_days = '{}' where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    expect(await refused({})).toBe('Choose a Start Time within your Calling Window');
    expect(
      (
        await app.call(
          validateBroadcast,
          { body: { StartDate: new Date().toISOString(), CheckCallingWindow: true } },
          account.owner,
        )
      ).body.StartDateValidation.IsOutsideCallingWindow,
    ).toBe(true);
    // The broadcast's own window overrides the user's.
    const own = {
      CallingWindowDays: [...dayNames],
      StartTimeOfDay: { Hour: 0, Minute: 0 },
      StopTimeOfDay: { Hour: 0, Minute: 0 },
    };
    const judged = await app.call(
      validateBroadcast,
      { body: { StartDate: new Date().toISOString(), CheckCallingWindow: true, ...own } },
      account.owner,
    );
    expect(judged.body.StartDateValidation.IsOutsideCallingWindow).toBe(false);
  });

  it('counts who is called and the cost; switching the type to SMS clears the call settings', async () => {
    const id = await aCallDraft(app, account, [phoneOf('0101'), phoneOf('0102'), '555']);
    const draft = (await app.call(getDraft, params(id), account.owner)).body;
    // 20 and 40 seconds: two credits each are reserved.
    expect(draft).toMatchObject({
      ...{ VoiceNumberCount: 2, MinCallUnitsRequired: 4, TextNumberCredits: 0 },
      // Ten digits, as everywhere.
      CallerID: caller.slice(1),
    });
    const short = await aRecording(app, account, { seconds: 10 });
    const tried = await app.call(
      getDraft,
      { ...params(id), query: { audiovm: short, audio: short } },
      account.owner,
    );
    expect(tried.body.MinCallUnitsRequired).toBe(2);
    // One line, and some are transferred: the last call ends later.
    const endOf = async (query: { callthrottle: number; istransfer?: boolean }) =>
      Date.parse((await app.call(getDraft, { ...params(id), query }, account.owner)).body.Ends ?? '');
    const slow = await endOf({ callthrottle: 1 });
    expect(slow).toBeGreaterThan(Date.parse(draft.Ends ?? ''));
    expect(await endOf({ callthrottle: 1, istransfer: true })).toBeGreaterThan(slow);
    const preflight = (await app.call(getPreflight, params(id), account.owner)).body;
    expect(preflight.Refusal).toBeNull();
    expect(preflight.Calls).toMatchObject({
      Called: 2,
      Texted: 0,
      LeftOut: [{ Problem: 'invalid', Count: 1 }],
      Lines: 50,
      CreditsEach: 2,
      Credits: 4,
      Expiring: 0,
    });
    const switched = await app.call(
      updateDraftType,
      { ...params(id), body: { BroadcastTypeDesc: 'SMS' } },
      account.owner,
    );
    expect(switched.body).toMatchObject({
      Audio: null,
      AudioVM: null,
      CheckCallingWindow: false,
      VoiceNumberCount: 0,
    });
  });

  it('texts people who can be texted and calls the others, or does both', async () => {
    const numbers = { TextNumberID: account.numbers[caller] ?? 0, TextMessage: 'No school today.' };
    const landline = phoneOf('0102');
    await sql`insert into phone_lookups (account_id, phone, is_valid, line_type)
      values (${account.accountId}, ${`1${landline}`}, true, 'landline')`.execute(app.database.system);
    const phones = [phoneOf('0101'), landline];
    const either = await aCallDraft(app, account, phones, { ...numbers, BroadcastType: 'SMSOrAnnouncement' });
    expect((await app.call(getContactSummary, params(either), account.owner)).body).toMatchObject({
      Good: 2,
      LeftOut: [],
    });
    expect((await send(app, account, either)).status).toBe(200);
    await completed(either);
    expect(await read(either)).toMatchObject({
      PhoneNumberCount: 2,
      LivePersonTotal: 1,
      CallTotal: 1,
      DeliveredTexts: 1,
    });
    const both = await aCallDraft(app, account, phones, { ...numbers, BroadcastType: 'SMSAndAnnouncement' });
    expect((await send(app, account, both)).status).toBe(200);
    await completed(both);
    expect(await read(both)).toMatchObject({
      PhoneNumberCount: 2,
      LivePersonTotal: 2,
      CallTotal: 2,
      DeliveredTexts: 1,
    });
    // Added by hand, a landline is accepted if it gets a call.
    const more = await aCallDraft(app, account, [phoneOf('0101')]);
    const added = await app.call(
      addDraftContact,
      { ...params(more), body: { PrimaryPhone: landline } },
      account.owner,
    );
    expect(added.body).toMatchObject({ Problem: null });
  });

  it('calls nobody who asked not to be called, also after Send', async () => {
    const out = (phone: string) =>
      sql`insert into phone_consents (account_id, phone, voice_state, voice_changed_at)
        values (${account.accountId}, ${`1${phone}`}, 'out', now())`.execute(app.database.system);
    await out(phoneOf('0103'));
    const id = await aCallDraft(app, account, [phoneOf('0101'), phoneOf('0103'), phoneOf('0104')]);
    await send(app, account, id);
    await out(phoneOf('0104'));
    await completed(id);
    expect(await resultsOf(app, id)).toEqual({
      '0101': { result: 'live_answer', attempts: 1, charged: 1 },
      '0104': { result: 'do_not_call', attempts: 0, charged: 0 },
    });
    expect(await callsOf(app, phoneOf('0103'))).toEqual([]);
  });
});

describe('the calling window', () => {
  it('expires people who weren’t called when it closed, and returns the credits', async () => {
    const id = await aCallDraft(app, account, [phoneOf('0101')]);
    await send(app, account, id);
    await sql`update broadcasts set call_until = now() - interval '1 second' where broadcast_id = ${id}`.execute(
      app.database.system,
    );
    await sql`insert into webhook_endpoints (account_id, url, event_types, secret)
      values (${account.accountId}, 'https://example.com/hook', '{call.ended}', '\\x00')`.execute(
      app.database.system,
    );
    await completed(id);
    expect(await resultsOf(app, id)).toEqual({ '0101': { result: 'expired', attempts: 0, charged: 0 } });
    // Webhooks hear of people whom nobody called, too.
    const { rows } = await sql<{ result: string }>`
      select c.result from events e join calls c on c.account_id = e.account_id and c.call_id = e.subject_id
      where e.account_id = ${account.accountId} and e.kind = 'call.ended'`.execute(app.database.system);
    expect(rows).toEqual([{ result: 'expired' }]);
  });

  it('waits for the hours at the phone’s location', async () => {
    // Quiet hours that end in an hour: nobody may be called before.
    await sql`update accounts set quiet_hours_on = true,
      quiet_start = ((now() at time zone 'America/New_York') + interval '1 hour')::time(0),
      quiet_stop = ((now() at time zone 'America/New_York') + interval '7 hours')::time(0)
      where account_id = ${account.accountId}`.execute(app.database.system);
    const id = await aCallDraft(app, account, [phoneOf('0101')], { ContinueOnNextDay: true });
    await send(app, account, id);
    const due = await app.until(async () => {
      const { rows } = await sql<{ minutes: number }>`
        select extract(epoch from due_at - now())::float8 / 60 as minutes from call_queue where broadcast_id = ${id}`.execute(
        app.database.system,
      );
      return rows[0];
    });
    expect(due.minutes).toBeGreaterThan(30);
    expect(await callsOf(app, phoneOf('0101')).then((calls) => calls.length)).toBeLessThan(20);
    expect(await resultsOf(app, id)).toEqual({
      '0101': { result: 'not_yet_called', attempts: 0, charged: 0 },
    });
    // Without quiet hours nothing is left to wait for.
    const QuietHours = { IsOn: false, Start: '8:00 AM', Stop: '9:00 PM' };
    expect((await app.call(updateAccount, { body: { QuietHours } }, account.owner)).status).toBe(200);
    await completed(id);
    expect(await resultsOf(app, id)).toEqual({ '0101': { result: 'live_answer', attempts: 1, charged: 1 } });
  });
});

describe('messages that are recorded later', () => {
  it('hold a broadcast back until they exist, recorded by telephone or uploaded', async () => {
    const id = await aCallDraft(app, account, [phoneOf('0105')], {
      Audio: null,
      AudioVM: null,
      RecordLater: true,
      RecordLaterVM: true,
    });
    const sent = await app.call(createBroadcast, { body: { DraftBroadcastID: id } }, account.owner);
    expect(sent.body).toMatchObject({
      MessageRecordingInstruction: { ID: expect.any(Number), Uri: expect.stringContaining('/recordings/') },
      UriSummary: `/broadcasts/${id}`,
    });
    expect(await read(id)).toMatchObject({
      BroadcastStatus: 'NeedsMessage',
      BroadcastStatusCategory: 'NeedsMessage',
    });
    const RecordingID = sent.body.MessageRecordingInstruction?.ID ?? 0;
    const recording = async () =>
      (await app.call(getRecording, { params: { RecordingID } }, account.owner)).body;
    // Nobody answers the phone: it can be tried again.
    await app.call(
      callForRecording,
      { params: { RecordingID }, body: { PhoneNumber: phoneOf('0147') } },
      account.owner,
    );
    const missed = await app.until(async () => {
      const now = await recording();
      return now.State !== 'Calling' && now;
    });
    expect(missed).toMatchObject({ State: 'Waiting', Note: 'Nobody answered your phone. Try again.' });
    const phone = phoneOf('0159'); // Presses 1 when it is asked.
    const calling = await app.call(
      callForRecording,
      { params: { RecordingID }, body: { PhoneNumber: phone } },
      account.owner,
    );
    expect(calling.body).toMatchObject({ State: 'Calling', Part: 'Audio' });
    // A second request doesn't call twice.
    const twice = await app.call(
      callForRecording,
      { params: { RecordingID }, body: { PhoneNumber: phone } },
      account.owner,
    );
    expect(refusalOf(twice).Message).toBe(callingRefusals.beingRecorded);
    // While the only missing message is being prepared, it shows Processing.
    const state = (name: string) =>
      sql`update message_recordings set state = ${name} where account_id = ${account.accountId} and part = 'AudioVM'`.execute(
        app.database.system,
      );
    await app.until(async () => (await recording()).State === 'Kept');
    await state('Keeping');
    const keeping = await read(id);
    expect([keeping.BroadcastStatusCategory, broadcastLabel(keeping, Date.now())]).toEqual([
      'NeedsMessage',
      'Processing',
    ]);
    await state('Waiting');
    const texts = (await callsOf(app, phone)).at(-1)?.Heard.map(({ Text }) => Text);
    expect(texts).toContain(callWords.record);
    expect((await read(id)).BroadcastStatus).toBe('NeedsMessage');
    const AudioID = await aRecording(app, account);
    const given = await app.call(
      setBroadcastAudioVM,
      { params: { BroadcastID: id }, body: { AudioID } },
      account.owner,
    );
    expect(given.body.BroadcastStatus).toBe('Broadcasting');
    await completed(id);
    expect(await resultsOf(app, id)).toMatchObject({ '0105': { result: 'live_answer' } });
    const again = await app.call(
      setBroadcastAudio,
      { params: { BroadcastID: id }, body: { AudioID } },
      account.owner,
    );
    expect(refusalOf(again)).toMatchObject({ status: 409, Message: callingRefusals.messageGiven });
  });

  it('are filed in the library under what they are for', async () => {
    const phone = phoneOf('0159'); // Presses 1 when it is asked.
    const kept = async (RecordingID: number) => {
      const AudioID = await app.until(async () => {
        const { body } = await app.call(getRecording, { params: { RecordingID } }, account.owner);
        return body.State === 'Kept' && body.AudioID;
      });
      return (await app.call(getAudio, { params: { AudioID: AudioID || 0 } }, account.owner)).body;
    };
    const body = { PhoneNumber: phone, AudioType: 'transfer-connect' as const };
    const now = await app.call(createRecording, { body }, account.owner);
    expect((await kept(now.body.ID)).AudioType).toBe('transfer-connect');
    const id = await aCallDraft(app, account, [phoneOf('0105')], {
      BroadcastType: 'Survey',
      Audio: null,
      RecordLater: true,
    });
    const sent = await app.call(createBroadcast, { body: { DraftBroadcastID: id } }, account.owner);
    const RecordingID = sent.body.MessageRecordingInstruction?.ID ?? 0;
    await app.call(
      callForRecording,
      { params: { RecordingID }, body: { PhoneNumber: phone } },
      account.owner,
    );
    expect((await kept(RecordingID)).AudioType).toBe('survey');
  });

  it('must mention what a survey or a transfer needs, like those that exist at Send', async () => {
    const id = await aCallDraft(app, account, [phoneOf('0105')], {
      BroadcastType: 'Survey',
      Audio: null,
      RecordLater: true,
    });
    expect((await send(app, account, id)).status).toBe(200);
    const give = async (text: string) => {
      const AudioID = await aRecording(app, account, { text });
      const message = { params: { BroadcastID: id }, body: { AudioID } };
      return app.call(setBroadcastAudio, message, account.owner);
    };
    expect(refusalOf(await give('This is Harlow Creek Schools. We are closed.')).Message).toBe(
      voiceHints.survey,
    );
    expect((await read(id)).BroadcastStatus).toBe('NeedsMessage');
    expect((await give('Will you come? For yes, press star 1.')).status).toBe(200);
  });

  it('are played to nobody who asked not to be called', async () => {
    const id = await aCallDraft(app, account, [phoneOf('0101')]);
    const phone = phoneOf('0106');
    await sql`insert into phone_consents (account_id, phone, voice_state, voice_changed_at)
      values (${account.accountId}, ${`1${phone}`}, 'out', now())`.execute(app.database.system);
    const body = { PhoneNumber: phone };
    const refused = [
      await app.call(testCall, { ...params(id), body }, account.owner),
      await app.call(addTransferNumber, { body }, account.owner),
      await app.call(addCallerId, { body }, account.owner),
      await app.call(createRecording, { body }, account.owner),
    ];
    const { optedOutOfCalls } = asynchronousMessages;
    expect(refused.map((reply) => refusalOf(reply).Message)).toEqual(Array(4).fill(optedOutOfCalls));
  });

  it('can be played on your own phone before', async () => {
    const id = await aCallDraft(app, account, [phoneOf('0101')]);
    const phone = phoneOf('0106');
    const test = await app.call(testCall, { ...params(id), body: { PhoneNumber: phone } }, account.owner);
    expect(test.body).toEqual({ PhoneNumber: phone, Credits: 1 });
    await sql`update accounts set country_id = 14 where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    // In Austria, digits of somebody in California aren't read as a number in Vienna.
    const california = { ...params(id), body: { PhoneNumber: '13108207129' } };
    const foreign = await app.call(testCall, california, account.owner);
    await sql`update accounts set country_id = 1 where account_id = ${account.accountId}`.execute(
      app.database.system,
    );
    expect(refusalOf(foreign).Errors).toMatchObject([{ Field: 'PhoneNumber' }]);
    await app.until(async () => (await callsOf(app, phone)).some(({ State }) => State === 'Ended'));
    expect((await callsOf(app, phone))[0]?.Heard[0]?.Seconds).toBeGreaterThan(19);
    await app.until(async () => {
      const { rows } = await sql<{ reserved: number; balance: number }>`
        select credit_reserved as reserved, credit_balance as balance from accounts
        where account_id = ${account.accountId}`.execute(app.database.system);
      return rows[0]?.reserved === 0 && rows[0].balance === 999;
    });
  });
});

describe('results', () => {
  it('show each recipient’s calls, and call again those who didn’t answer', async () => {
    const id = await aCallDraft(app, account, [phoneOf('0101'), phoneOf('0146')], { Retries: 0 });
    await send(app, account, id);
    await completed(id);
    const list = async (callresultcategory: 'BusyNoAnswer' | 'LiveAnswer' | 'NotCompleted' | 'All') =>
      (
        await app.call(
          listBroadcastDetails,
          { params: { BroadcastID: id }, query: { callresultcategory } },
          account.owner,
        )
      ).body;
    expect((await list('All')).Size).toBe(2);
    const busy = await list('BusyNoAnswer');
    expect(busy.Items).toMatchObject([
      {
        ...{ CallResultCategory: 'BusyNoAnswer', CallResult: 'busy', numberofattempts: 1 },
        // Nobody is texted.
        ...{ TextResultCategory: '', TextResult: '' },
      },
    ]);
    expect(await read(id)).toMatchObject({ CallerID: caller.slice(1), MaxMessageLength: 120 });
    const timeline = await app.call(
      getRecipientTimeline,
      { params: { BroadcastID: id, RecipientID: busy.Items[0]?.RecipientID ?? 0 } },
      account.owner,
    );
    expect(timeline.body.Verdict).toContain('Busy');
    expect(timeline.body.Events).toMatchObject([{ Kind: 'added' }, { Kind: 'call', Text: 'Called: Busy' }]);
    const again = await app.call(
      detailsToDraft,
      {
        params: { BroadcastID: id },
        query: { callresultcategory: 'NotCompleted' },
        body: { Selection: { Type: 'SelectedAll' }, WithMessage: true },
      },
      account.owner,
    );
    expect(again.body.AddedCount).toBe(1);
    const draft = (await app.call(getDraft, params(again.body.DraftBroadcastID), account.owner)).body;
    expect(draft).toMatchObject({ BroadcastType: 'Announcement', VoiceNumberCount: 1 });
    expect(draft.Audio?.AudioID).toBe((await read(id)).Audio?.AudioID);
  });

  it('are called again with the same settings, except those deleted since', async () => {
    const { rows } = await sql<{ id: number }>`
      insert into transfer_numbers (account_id, phone, status, user_id)
      values (${account.accountId}, '14235550199', 'Approved', ${account.owner.userId})
      returning transfer_number_id as id`.execute(app.database.system);
    const TransferNumber = { ID: rows[0]?.id ?? 0 };
    const calling = {
      ...{ IsTransfer: true, TransferLines: 3, MaxMessageLength: 60, ContinueOnNextDay: true },
      StartTimeOfDay: { Hour: 0, Minute: 0 },
      StopTimeOfDay: { Hour: 0, Minute: 0 },
    };
    const id = await aCallDraft(app, account, [phoneOf('0146')], { Retries: 0, TransferNumber, ...calling });
    await send(app, account, id);
    await completed(id);
    const callAgain = async () => {
      const reply = await app.call(
        detailsToDraft,
        { params: { BroadcastID: id }, body: { Selection: { Type: 'SelectedAll' }, WithMessage: true } },
        account.owner,
      );
      return (await app.call(getDraft, params(reply.body.DraftBroadcastID), account.owner)).body;
    };
    expect(await callAgain()).toMatchObject({ ...calling, TransferNumber });
    await app.call(deleteTransferNumber, { params: { TransferNumberID: TransferNumber.ID } }, account.owner);
    const Items = [(await read(id)).Audio?.AudioID ?? 0];
    await app.call(deleteAudio, { body: { Selection: { Type: 'Selected', Items } } }, account.owner);
    expect(await callAgain()).toMatchObject({
      ...{ IsTransfer: false, TransferNumber: null, Audio: null },
      AudioVM: { Name: 'Message of 40 s' },
    });
  });
});

describe('voice settings', () => {
  it('approve a transfer number by the code that a call reads out', async () => {
    const phone = phoneOf('0107');
    const added = await app.call(addTransferNumber, { body: { PhoneNumber: phone } }, account.owner);
    expect(added.body).toMatchObject({ PhoneNumber: phone, Status: 'Pending', IsDefault: true });
    await app.until(async () => (await callsOf(app, phone)).some(({ State }) => State === 'Ended'));
    const heard = (await callsOf(app, phone)).at(-1)?.Heard.map(({ Text }) => Text ?? '') ?? [];
    const code =
      heard
        .join(' ')
        .match(/(\d), (\d), (\d), (\d)/)
        ?.slice(1)
        .join('') ?? '';
    const answer = (Code: string) =>
      app.call(
        updateTransferNumber,
        { params: { TransferNumberID: added.body.ID }, body: { Code } },
        account.owner,
      );
    expect(refusalOf(await answer('0')).Message).toBe(callingRefusals.wrongCode);
    expect((await answer(code)).body.Status).toBe('Approved');
  });

  it('call nobody more than five times an hour with a code', async () => {
    const added = await app.call(
      addTransferNumber,
      { body: { PhoneNumber: phoneOf('0105') } },
      account.owner,
    );
    const params = { TransferNumberID: added.body.ID };
    const again = () => app.call(updateTransferNumber, { params, body: { CallAgain: true } }, account.owner);
    for (let calls = 1; calls < 5; calls++) expect((await again()).status).toBe(200);
    expect((await again()).status).toBe(429);
  });

  it('verify a caller ID at the provider', async () => {
    const phone = phoneOf('0108');
    const added = await app.call(addCallerId, { body: { PhoneNumber: phone } }, account.owner);
    expect(added.body).toMatchObject({
      PhoneNumber: phone,
      Status: 'Pending',
      Code: expect.stringMatching(/^\d{6}$/),
    });
    const listed = async (of = account) => {
      const { body } = await app.call(listCallerIds, {}, of.owner);
      return body.Items.find(({ PhoneNumber }) => PhoneNumber === phone);
    };
    expect(await listed()).toMatchObject({ Status: 'Pending' });
    // Another organization adds it too, before the code is typed.
    const other = await buildAccount(app, {});
    const add = (of: BuiltAccount) => app.call(addCallerId, { body: { PhoneNumber: phone } }, of.owner);
    const call = await app.until(async () =>
      (await callsOf(app, phone)).find(({ Heard }) => Heard.some(({ Text }) => Text?.includes('Twilio'))),
    );
    expect((await add(other)).body).toMatchObject({ Status: 'Pending' });
    const press = { Do: 'Press', Keys: added.body.Code };
    await app.sandbox.control('POST', `/phones/${phone}/calls/${call.CallID}`, press);
    await app.until(async () => (await listed())?.Status === 'Verified');
    expect(await listed(other)).toMatchObject({ Status: 'Pending' });
    expect(refusalOf(await add(other))).toMatchObject({
      status: 409,
      Message: callingRefusals.verifiedElsewhere,
    });
    // Deleted, it is free for both.
    const params = { CallerIDID: (await listed())?.CallerIDID ?? 0 };
    expect((await app.call(deleteCallerId, { params }, account.owner)).status).toBe(200);
    expect((await add(other)).body).toMatchObject({ Status: 'Pending' });
    expect((await add(account)).body).toMatchObject({ Status: 'Pending' });
  });
});

it('webhooks with a wrong signature are refused, and those of an unknown call hang up', async () => {
  const wrong = await fetch(`${app.url}/hooks/twilio/voice?key=c1-1-1-1&at=answered`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': 'x' },
    body: 'CallSid=CA1',
  });
  expect(wrong.status).toBe(403);
  const url = `${app.url}/hooks/twilio/voice?key=c999-1-1-1&at=answered`;
  const form = new URLSearchParams({ CallSid: 'CA2', From: '+14235550100', To: '+14235550101' });
  const unknown = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': signTwilio(testCredentials.TWILIO_AUTH_TOKEN, url, form),
    },
    body: form.toString(),
  });
  expect(await unknown.text()).toContain('<Hangup/>');
});
