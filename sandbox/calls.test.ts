// Calls through the sandbox, played from both ends: the API and the webhooks on one side, the telephone on the other.
import { describe, expect, it } from 'vitest';
import { noProtocols, twilioBase } from './testing.ts';
import {
  callSandboxForEachTest,
  callSchema,
  check,
  client,
  document,
  lastStatus,
  muster,
  numbersOracle,
  oracle,
  phoneCalls,
  place,
  type Resource,
  until,
  use,
} from './testing-calls.ts';
import { encodeWav } from './wav.ts';

callSandboxForEachTest();

it.runIf(!oracle)(noProtocols, () => undefined);

describe('a call that somebody answers', () => {
  it('rings, plays the document and ends, and tells every step in order', async () => {
    const { sid, status } = await place('0143');
    expect(status).toBe('queued');
    const last = await lastStatus(sid);
    expect(last).toMatchObject({
      CallStatus: 'completed',
      SipResponseCode: '200',
      SequenceNumber: '3',
      Duration: '1',
    });
    // 38 letters at 15 a second, in the call's own time.
    expect(Number(last.CallDuration)).toBeGreaterThanOrEqual(2);
    const told = muster.hooks
      .filter(({ path }) => path === '/status')
      .map((hook) => check(hook, 'x-webhook-call-status'))
      .sort((a, b) => Number(a.SequenceNumber) - Number(b.SequenceNumber));
    expect(told.map(({ CallStatus }) => CallStatus)).toEqual([
      'initiated',
      'ringing',
      'in-progress',
      'completed',
    ]);
    const [call] = await phoneCalls('0143');
    expect(call).toMatchObject({
      CallID: sid,
      From: '14235550120',
      To: '14235550143',
      State: 'Ended',
      Result: 'Answered',
    });
    expect(call?.Heard).toMatchObject([{ Text: 'Hello, this is Harlow Creek Schools.', Into: 'Call' }]);
    // Scripts rely on these fields.
    const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    expect(call).toMatchObject({ Keys: '', StartedAt: instant, AnsweredAt: instant, EndedAt: instant });
    expect(call?.Heard).toMatchObject([{ At: instant, Seconds: expect.any(Number) }]);
    const fetched = await client.call('GET', `${twilioBase}/Calls/${sid}.json`);
    oracle?.expectValid(callSchema, fetched.json);
    expect(fetched.json).toMatchObject({
      status: 'completed',
      duration: last.CallDuration,
      direction: 'outbound-api',
    });
    const { json: stats } = await client.call('GET', '/stats');
    expect(stats).toMatchObject({
      CallsPlaced: 1,
      CallsRepeated: 0,
      CallsEnded: 1,
      CallsInFlight: 0,
      CallsAtOnce: 1,
    });
  });

  it('is answered, hung up and refused by hand', async () => {
    document(
      '/doc',
      '<Gather numDigits="2" finishOnKey="" action="/keys" timeout="600"><Say>Press.</Say></Gather>',
    );
    document('/keys', ({ Digits }) => `<Say>You pressed ${Digits}</Say><Pause length="60"/>`);
    await place('0147', { Timeout: '600' });
    const { CallID } = await until('0147', 'Ringing');
    expect((await use('0147', CallID, 'Press', '1')).status).toBe(409);
    expect((await use('0147', CallID, 'Answer')).json).toMatchObject({
      State: 'InCall',
      AnsweredAt: expect.any(String),
    });
    await muster.waitFor(1, ({ path }) => path.startsWith('/doc'));
    await use('0147', CallID, 'Press', '*2');
    await muster.waitFor(1, ({ path }) => path === '/keys');
    await until('0147', 'InCall');
    const pressed = await use('0147', CallID, 'Press', '5');
    expect(pressed.json).toMatchObject({ Keys: '*25' });
    expect((await use('0147', CallID, 'Answer')).status).toBe(409);
    expect((await use('0147', CallID, 'Sing')).status).toBe(409);
    expect((await use('0147', CallID, 'HangUp')).json).toMatchObject({
      State: 'Ended',
      Result: 'Answered',
      EndedAt: expect.any(String),
    });
    expect((await use('0147', CallID, 'HangUp')).json).toEqual({ Message: 'The call is over.' });
    expect(await lastStatus(CallID)).toMatchObject({ CallStatus: 'completed' });

    await place('0147', { Timeout: '600' });
    const second = await until('0147', 'Ringing');
    expect((await use('0147', second.CallID, 'Nonsense')).status).toBe(400);
    await use('0147', second.CallID, 'Busy');
    expect(await lastStatus(second.CallID)).toMatchObject({ CallStatus: 'busy', SipResponseCode: '486' });
    expect((await use('0147', 'CA1', 'Answer')).status).toBe(404);
  });

  it('finds nobody who hears it twice: a second call while the first rings is busy', async () => {
    const first = await place('0147', { Timeout: '100' });
    await until('0147', 'Ringing');
    const second = await place('0147', { Timeout: '100' });
    expect(await lastStatus(second.sid)).toMatchObject({ CallStatus: 'busy' });
    await lastStatus(first.sid);
    const { json } = await client.call('GET', '/stats');
    expect(json).toMatchObject({ CallsPlaced: 2, CallsRepeated: 1, CallsEnded: 2 });
  });
});

describe('people by number', () => {
  it('are busy, absent, gone, blocked or broken', async () => {
    const expected = {
      '0146': ['busy', '486', 'Busy'],
      '0147': ['no-answer', '487', 'NoAnswer'],
      '0148': ['failed', '404', 'NotInService'],
      '0149': ['failed', '603', 'Blocked'],
      '0158': ['failed', '503', 'Failed'],
    };
    for (const [to, [status, sip, result]] of Object.entries(expected)) {
      const { sid } = await place(to, { Timeout: '25' });
      expect(await lastStatus(sid)).toMatchObject({
        CallStatus: status,
        SipResponseCode: sip,
        CallDuration: '0',
      });
      expect(await phoneCalls(to)).toMatchObject([{ State: 'Ended', Result: result, Heard: [] }]);
    }
  });

  it('press keys when they are asked for them', async () => {
    document(
      '/doc',
      '<Gather numDigits="2" finishOnKey="" timeout="2" action="/keys"><Play>/voice.wav</Play></Gather>',
    );
    muster.files.set('/voice.wav', { type: 'audio/wav', body: encodeWav(new Int16Array(8000 * 30), 8000) });
    document('/keys', '<Say>Thank you.</Say>');
    for (const [to, keys] of [
      ['0151', '*1'],
      ['0153', '0'],
      ['0154', '9'],
    ] as const) {
      const { sid } = await place(to);
      const [hook] = await muster.waitFor(1, ({ path, body }) => path === '/keys' && body.includes(sid));
      expect(hook && check(hook, 'x-webhook-call-twiml-request')).toMatchObject({
        Digits: keys,
        CallStatus: 'in-progress',
      });
      await lastStatus(sid);
      const [call] = await phoneCalls(to);
      expect(call?.Keys).toBe(keys);
      // The long message was cut by the key.
      expect(call?.Heard[0]?.Seconds).toBeLessThan(15);
    }
  });

  it('can press a key in the first moment, before the document is there', async () => {
    document(
      '/doc',
      '<Gather numDigits="1" action="/digits" actionOnEmptyResult="true"><Say>Press one.</Say></Gather>',
    );
    document('/digits', '<Hangup/>');
    for (const to of ['0130', '0131', '0132', '0133', '0134', '0135']) {
      await place(to);
      const { CallID } = await until(to, 'Ringing');
      await use(to, CallID, 'Answer');
      await use(to, CallID, 'Press', '1');
      const [hook] = await muster.waitFor(1, ({ path, body }) => path === '/digits' && body.includes(to));
      expect(new URLSearchParams(hook?.body).get('Digits')).toBe('1');
    }
  });

  it('hang up after five seconds', async () => {
    document('/doc', '<Pause length="60"/>');
    const { sid } = await place('0150');
    const { CallDuration } = await lastStatus(sid);
    expect(Number(CallDuration)).toBeGreaterThanOrEqual(5);
    expect(Number(CallDuration)).toBeLessThan(15);
  });
});

describe('machine detection', () => {
  const detects = {
    MachineDetection: 'DetectMessageEnd',
    AsyncAmd: 'true',
    AsyncAmdStatusCallback: 'set below',
  };

  async function verdict(to: string, more: Record<string, string> = {}) {
    const { sid } = await place(to, { ...detects, AsyncAmdStatusCallback: `${muster.url}/amd`, ...more });
    const [hook] = await muster.waitFor(1, ({ path, body }) => path === '/amd' && body.includes(sid));
    if (!hook) throw new Error('No verdict');
    await lastStatus(sid);
    return { sid, ...check(hook, 'x-webhook-call-amd') } as { sid: string } & Record<string, string>;
  }

  it('tells people, machines and faxes apart, and errs with a long hello', async () => {
    document('/doc', '<Pause length="40"/>');
    expect(await verdict('0143')).toMatchObject({ AnsweredBy: 'human', MachineDetectionDuration: '2200' });
    expect(await verdict('0145')).toMatchObject({
      AnsweredBy: 'machine_end_beep',
      MachineDetectionDuration: '7500',
    });
    expect(await verdict('0155')).toMatchObject({ AnsweredBy: 'fax' });
    expect(await verdict('0156')).toMatchObject({ AnsweredBy: 'machine_end_silence' });
    const early = await verdict('0145', { MachineDetection: 'Enable' });
    expect(early).toMatchObject({ AnsweredBy: 'machine_start' });
    expect(await verdict('0145', { MachineDetectionTimeout: '4' })).toMatchObject({ AnsweredBy: 'unknown' });
    expect(await lastStatus(early.sid)).toMatchObject({ AnsweredBy: 'machine_start' });
  });

  it('lets a message be left after the beep, which the mailbox keeps', async () => {
    document(
      '/doc',
      '<Say>This is for people, and it is so long that the greeting of a machine is over before it is.</Say><Pause length="60"/>',
    );
    document('/voicemail', '<Say>This is for the mailbox.</Say>');
    const { sid } = await place('0145', { ...detects, AsyncAmdStatusCallback: `${muster.url}/amd` });
    await muster.waitFor(1, ({ path }) => path === '/amd');
    const changed = await client.form(`${twilioBase}/Calls/${sid}.json`, { Url: `${muster.url}/voicemail` });
    expect(changed.status).toBe(200);
    await lastStatus(sid);
    const [call] = await phoneCalls('0145');
    expect(call).toMatchObject({ State: 'Ended', Result: 'Voicemail' });
    expect(call?.Heard.map(({ Into }) => Into)).toEqual(['Greeting', 'Mailbox']);
    expect(call?.Voicemail?.Parts.at(-1)).toMatchObject({ Text: 'This is for the mailbox.' });
  });

  it('waits with the document until it has decided, unless asked otherwise', async () => {
    document('/doc', ({ AnsweredBy }) => `<Say>${AnsweredBy}</Say>`);
    const { sid } = await place('0145', { MachineDetection: 'Enable' });
    await lastStatus(sid);
    expect((await phoneCalls('0145'))[0]?.Heard).toMatchObject([{ Text: 'machine_start' }]);
  });

  it('hears a mailbox that is full hang up', async () => {
    document('/doc', '<Pause length="60"/>');
    const { sid } = await place('0157', { ...detects, AsyncAmdStatusCallback: `${muster.url}/amd` });
    expect(await lastStatus(sid)).toMatchObject({ CallStatus: 'completed' });
    expect((await phoneCalls('0157'))[0]).toMatchObject({ Result: 'MailboxFull', Voicemail: null });
    expect(muster.hooks.filter(({ path }) => path === '/amd')).toEqual([]);
  });
});

describe('Calls.json', () => {
  it('refuses what Twilio refuses', async () => {
    const codes: [Record<string, string | string[]>, number][] = [
      [{ To: '' }, 21201],
      [{ From: '' }, 21213],
      [{ To: '+1555' }, 21211],
      [{ From: '+1555' }, 21212],
      [{ From: '+14235550666' }, 21210],
      [{ Url: '' }, 21205],
      [{ Url: 'ftp://x' }, 21205],
      [{ StatusCallback: 'nowhere' }, 21609],
      [{ StatusCallbackEvent: 'sung' }, 21626],
      [{ To: '+15005550001' }, 21217],
      [{ To: '+15005550002' }, 21214],
      [{ To: '+15005550003' }, 21215],
      [{ To: '+15005550004' }, 21216],
      [{ Timeout: '601' }, 20001],
      [{ MachineDetection: 'Maybe' }, 20001],
      [{ IfMachine: 'Continue' }, 20001],
      [{ Url: '', Twiml: '<Response>' }, 12100],
    ];
    for (const [fields, code] of codes) {
      const answer = await client.form(`${twilioBase}/Calls.json`, {
        To: '+14235550143',
        From: '+14235550120',
        Url: `${muster.url}/doc`,
        ...fields,
      });
      oracle?.expectValid('x-rest-error', answer.json);
      expect(answer.json).toMatchObject({ code, status: 400 });
    }
    const stranger = await fetch(`${client.sandbox.url}${twilioBase}/Calls.json`, { method: 'POST' });
    expect(stranger.status).toBe(401);
    expect((await client.call('GET', '/stats')).json).toMatchObject({
      CallsPlaced: 0,
      CallsRefused: codes.length,
    });
  });

  it('lists by number and status, and cancels what rings', async () => {
    const first = await place('0147', { Timeout: '600' });
    await until('0147', 'Ringing');
    const list = async (query: string) =>
      ((await client.call('GET', `${twilioBase}/Calls.json?${query}`)).json as { calls: Resource[] }).calls;
    expect(await list('To=%2B14235550147&From=%2B14235550120')).toMatchObject([{ sid: first.sid }]);
    expect(await list('To=%2B14235550144')).toEqual([]);
    expect(await list('Status=ringing')).toHaveLength(1);
    const redirect = await client.form(`${twilioBase}/Calls/${first.sid}.json`, { Url: `${muster.url}/doc` });
    expect(redirect.json).toMatchObject({ code: 21220 });
    const canceled = await client.form(`${twilioBase}/Calls/${first.sid}.json`, { Status: 'canceled' });
    expect(canceled.json).toMatchObject({ status: 'canceled' });
    expect(await lastStatus(first.sid)).toMatchObject({ CallStatus: 'canceled' });
    expect((await phoneCalls('0147'))[0]).toMatchObject({ State: 'Ended', Result: 'Canceled' });
    const again = await client.form(`${twilioBase}/Calls/${first.sid}.json`, { Status: 'completed' });
    expect(again.json).toMatchObject({ code: 21220 });
    expect((await client.call('DELETE', `${twilioBase}/Calls/${first.sid}.json`)).status).toBe(204);
    expect((await client.call('GET', `${twilioBase}/Calls/${first.sid}.json`)).json).toMatchObject({
      code: 20404,
    });
  });

  it('starts so many calls a second and lets the others wait', async () => {
    await client.call('PUT', '/settings', { CallStartsPerSecond: 2, MostCallsAtOnce: 9 });
    document('/doc', '<Pause length="3600"/>');
    const placed = [];
    for (let i = 0; i < 8; i++) placed.push(await place(`01${10 + i}`));
    const waits = placed.map(({ queue_time }) => Number(queue_time));
    expect(waits.slice(0, 2)).toEqual([0, 0]);
    expect(waits[7]).toBeGreaterThan(1000);
    const last = placed.at(-1);
    const canceled = await client.form(`${twilioBase}/Calls/${last?.sid}.json`, { Status: 'canceled' });
    expect(canceled.json).toMatchObject({ status: 'canceled', start_time: null });
    await place('0118');
    await place('0119');
    const refused = await client.form(`${twilioBase}/Calls.json`, {
      To: '+14235550143',
      From: '+14235550120',
      Url: `${muster.url}/doc`,
    });
    expect(refused.json).toMatchObject({ code: 10004 });
    // A call that never left the queue ends without a word.
    expect(muster.hooks.filter(({ body }) => body.includes(last?.sid ?? ''))).toEqual([]);
  });
});

describe('caller IDs', () => {
  it('are verified by a call in which the code is typed', async () => {
    // Somebody needs the time to type.
    await client.call('PUT', '/settings', { CallSpeed: 10 });
    const path = `${twilioBase}/OutgoingCallerIds.json`;
    const asked = await client.form(path, {
      PhoneNumber: '+14235550144',
      FriendlyName: 'Office',
      StatusCallback: `${muster.url}/verified`,
    });
    expect(asked.status).toBe(200);
    numbersOracle?.expectValid('api.v2010.account.validation_request', asked.json);
    const { validation_code: code } = asked.json as { validation_code: string };
    const { CallID } = await until('0144', 'Ringing');
    await use('0144', CallID, 'Answer');
    await use('0144', CallID, 'Press', code);
    const [hook] = await muster.waitFor(1, ({ path: where }) => where === '/verified');
    expect(hook?.body).toContain('VerificationStatus=success');
    const list = await client.call('GET', `${path}?PhoneNumber=%2B14235550144`);
    const [callerId] = (list.json as { outgoing_caller_ids: { sid: string }[] }).outgoing_caller_ids;
    numbersOracle?.expectValid('api.v2010.account.outgoing_caller_id', callerId);
    expect(callerId).toMatchObject({ phone_number: '+14235550144', friendly_name: 'Office' });
    const { sid } = await place('0143', { From: '+14235550144' });
    await lastStatus(sid);
    expect((await client.form(path, { PhoneNumber: '+14235550144' })).json).toMatchObject({ code: 21450 });
    expect(
      (await client.call('DELETE', `${twilioBase}/OutgoingCallerIds/${callerId?.sid}.json`)).status,
    ).toBe(204);
  });
});
