// Calls through the sandbox, played from both ends: the API and the webhooks on one side, the telephone on the other.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  authToken,
  basic,
  type Client,
  createClient,
  type Hook,
  loadOracle,
  noProtocols,
  type Receiver,
  startReceiver,
  startTestSandbox,
  twilioBase,
} from './testing.ts';
import { signTwilio } from './twilio-signature.ts';
import { encodeWav } from './wav.ts';

const oracle = loadOracle('twilio-calls.json');
const numbersOracle = loadOracle('twilio-numbers.json');
const callSchema = 'api.v2010.account.call';
let muster: Receiver;
let client: Client;

beforeEach(async () => {
  muster = await startReceiver();
  client = createClient(
    await startTestSandbox({
      SANDBOX_CALL_SPEED: '100',
      SANDBOX_CALL_STARTS_PER_SECOND: '1000',
      TWILIO_VOICE_URL: `${muster.url}/in`,
      TWILIO_VOICE_STATUS_URL: `${muster.url}/status`,
    }),
  );
  document('/doc', '<Say>Hello, this is Harlow Creek Schools.</Say>');
});
afterEach(async () => {
  await client.sandbox.close();
  await muster.close();
});

type Resource = {
  sid: string;
  status: string;
  queue_time: string;
  duration: string;
  answered_by: string | null;
};
type Phone = {
  CallID: string;
  State: string;
  Result: string | null;
  Keys: string;
  Heard: { Text?: string; Seconds: number; Into: string; Length: number; Sound: string }[];
  Voicemail: { Seconds: number; Parts: { Text?: string }[] } | null;
  Troubles: { Code: number }[];
  Recording: boolean;
  AnsweredAt: string | null;
  EndedAt: string | null;
  From: string;
  To: string;
};

function document(path: string, verbs: string | ((fields: Record<string, string>) => string)): void {
  const compose = (text: string) => ({ type: 'text/xml', body: `<Response>${text}</Response>` });
  muster.files.set(path, (hook: Hook) => {
    const fields = check(hook, 'x-webhook-call-twiml-request');
    return compose(typeof verbs === 'string' ? verbs : verbs(fields));
  });
}

/** The webhook's fields: known names only, and signed. */
function check(hook: Hook, schema: string): Record<string, string> {
  const fields = Object.fromEntries(new URLSearchParams(hook.body));
  oracle?.expectValid(schema, fields);
  oracle?.expectKnown(schema, fields);
  expect(hook.headers['x-twilio-signature']).toBe(signTwilio(authToken, muster.url + hook.path, fields));
  return fields;
}

async function place(to: string, more: Record<string, string | string[]> = {}): Promise<Resource> {
  const answer = await client.form(`${twilioBase}/Calls.json`, {
    To: `+1423555${to}`,
    From: '+14235550120',
    Url: `${muster.url}/doc?c=${to}`,
    StatusCallback: `${muster.url}/status`,
    StatusCallbackEvent: ['initiated', 'ringing', 'answered', 'completed'],
    ...more,
  });
  expect(answer.text).toContain('"sid"');
  expect(answer.status).toBe(201);
  oracle?.expectValid(callSchema, answer.json);
  expect(Object.keys(answer.json as object)).toEqual(
    expect.arrayContaining(oracle?.publishedNames(callSchema) ?? []),
  );
  return answer.json as Resource;
}

const isStatus = (status: string, sid?: string) => (hook: Hook) =>
  hook.path.startsWith('/status') &&
  hook.body.includes(`CallStatus=${status}`) &&
  (sid === undefined || hook.body.includes(sid));
const isLast = (sid: string) => (hook: Hook) =>
  hook.path.startsWith('/status') &&
  hook.body.includes('CallDuration') &&
  hook.body.includes(`CallSid=${sid}`);

async function lastStatus(sid: string): Promise<Record<string, string>> {
  const [hook] = await muster.waitFor(1, isLast(sid));
  if (!hook) throw new Error('No webhook');
  return check(hook, 'x-webhook-call-status');
}

async function phoneCalls(to: string): Promise<Phone[]> {
  const { json } = await client.call('GET', `/phones/423555${to}/calls`);
  return (json as { Items: Phone[] }).Items;
}

async function until(to: string, state: string): Promise<Phone> {
  for (;;) {
    const found = (await phoneCalls(to)).at(-1);
    if (found?.State === state) return found;
    await new Promise(setImmediate);
  }
}

const use = (to: string, id: string, Do: string, Keys?: string) =>
  client.call('POST', `/phones/423555${to}/calls/${id}`, { Do, ...(Keys !== undefined && { Keys }) });

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

describe('TwiML', () => {
  it('follows relative addresses, redirects and GET', async () => {
    document('/a/doc', '<Redirect>next?x=1</Redirect>');
    document(
      '/a/next',
      '<Gather numDigits="1" timeout="1"><Say>Quiet</Say></Gather><Redirect method="GET">../last</Redirect>',
    );
    muster.files.set('/last', {
      type: 'application/xml',
      body: '<?xml version="1.0"?><Response><!-- all --><Say>At &amp; last</Say><Hangup/><Say>never</Say></Response>',
    });
    const { sid } = await place('0143', { Url: `${muster.url}/a/doc` });
    await lastStatus(sid);
    expect((await phoneCalls('0143'))[0]?.Heard.map(({ Text }) => Text)).toEqual(['Quiet', 'At & last']);
    const asked = muster.hooks.find(({ path }) => path.startsWith('/last'));
    expect(asked?.path).toContain(`CallSid=${sid}`);
    expect(asked?.body).toBe('');
  });

  it.each([
    ['<Response><Say>no end</Response>', 'text/xml', 12100],
    ['<Response><Say>AT&T</Say></Response>', 'text/xml', 12100],
    ['<Response><Sing>la</Sing></Response>', 'text/xml', 12200],
    ['<Response><Say volume="11">la</Say></Response>', 'text/xml', 12200],
    ['<Answer/>', 'text/xml', 12200],
    ['<Response><Gather input="speech"/></Response>', 'text/xml', 12200],
    ['{"say":"la"}', 'application/json', 12300],
    ['<Response><Play>/missing.wav</Play></Response>', 'text/xml', 12300],
  ])('says aloud that %s can not be run', async (body, type, code) => {
    muster.files.set('/doc', { type, body });
    const { sid } = await place('0143');
    expect(await lastStatus(sid)).toMatchObject({ CallStatus: 'completed' });
    const [call] = await phoneCalls('0143');
    expect(call?.Troubles).toMatchObject([{ Code: code }]);
    expect(call?.Heard).toMatchObject([
      { Text: 'We are sorry, an application error has occurred. Goodbye.' },
    ]);
  });

  it('goes to the fallback when the document fails, and says 11200 when that fails too', async () => {
    muster.answer = ({ path }) => (path.startsWith('/doc') || path.startsWith('/broken') ? 500 : 200);
    document('/fallback', ({ CallSid }) => `<Say>Fallback for ${CallSid}</Say>`);
    muster.files.set('/fallback', { type: 'text/xml', body: '<Response><Say>Fallback</Say></Response>' });
    const first = await place('0143', { FallbackUrl: `${muster.url}/fallback` });
    await lastStatus(first.sid);
    expect((await phoneCalls('0143'))[0]?.Heard).toMatchObject([{ Text: 'Fallback' }]);
    const second = await place('0109', { FallbackUrl: `${muster.url}/broken` });
    await lastStatus(second.sid);
    expect((await phoneCalls('0109'))[0]?.Troubles).toMatchObject([{ Code: 11200 }, { Code: 11200 }]);
  });

  it('connects to another telephone, with words for it first, and tells how that ended', async () => {
    document(
      '/doc',
      `<Dial callerId="+14235550120" timeout="25" action="/dialed" answerOnBridge="true"><Number url="/whisper" statusCallback="/status" statusCallbackEvent="initiated completed">+14235550111</Number></Dial>`,
    );
    document('/whisper', ({ ParentCallSid }) => `<Say>A call from ${ParentCallSid?.slice(0, 2)}</Say>`);
    document('/dialed', '<Say>Goodbye</Say>');
    const { sid } = await place('0143');
    const [hook] = await muster.waitFor(1, ({ path }) => path === '/dialed');
    const fields = hook && check(hook, 'x-webhook-call-twiml-request');
    expect(fields).toMatchObject({ DialCallStatus: 'completed', DialBridged: 'true', CallSid: sid });
    expect(Number(fields?.DialCallDuration)).toBeGreaterThanOrEqual(19);
    await lastStatus(sid);
    const [other] = await phoneCalls('0111');
    expect(other).toMatchObject({
      Heard: [{ Text: 'A call from CA' }],
      Result: 'Answered',
      From: '14235550120',
    });
    expect(await lastStatus(other?.CallID ?? '')).toMatchObject({
      Direction: 'outbound-dial',
      ParentCallSid: sid,
    });

    document('/doc', '<Dial action="/dialed">+14235550146</Dial>');
    await place('0109');
    const [, busy] = await muster.waitFor(2, ({ path }) => path === '/dialed');
    expect(busy && check(busy, 'x-webhook-call-twiml-request')).toMatchObject({
      DialCallStatus: 'busy',
      DialBridged: 'false',
    });
  });

  it('ends the other leg when the caller hangs up, and still asks the action', async () => {
    document('/doc', '<Dial action="/dialed">+14235550111</Dial>');
    document('/dialed', '');
    await place('0147');
    const { CallID } = await until('0147', 'Ringing');
    await use('0147', CallID, 'Answer');
    await until('0111', 'InCall');
    await use('0147', CallID, 'HangUp');
    const [hook] = await muster.waitFor(1, ({ path }) => path === '/dialed');
    expect(hook && check(hook, 'x-webhook-call-twiml-request')).toMatchObject({
      CallStatus: 'completed',
      DialCallStatus: 'completed',
    });
    expect(await phoneCalls('0111')).toMatchObject([{ State: 'Ended', Result: 'Answered' }]);
  });

  it('records, gives the sound, and deletes it', async () => {
    document(
      '/doc',
      `<Record action="/kept" maxLength="120" finishOnKey="#" recordingStatusCallback="/recorded"/>`,
    );
    document('/kept', '<Say>Thank you</Say>');
    const { sid } = await place('0143');
    const [hook] = await muster.waitFor(1, ({ path }) => path === '/kept');
    const kept = (hook && check(hook, 'x-webhook-call-twiml-request')) ?? {};
    expect(Number(kept.RecordingDuration)).toBeGreaterThan(2);
    const [told] = await muster.waitFor(1, ({ path }) => path === '/recorded');
    expect(told && check(told, 'x-webhook-recording-status')).toMatchObject({
      RecordingSid: kept.RecordingSid,
      RecordingStatus: 'completed',
    });
    await lastStatus(sid);
    const wav = await fetch(`${kept.RecordingUrl}.wav`);
    expect(wav.headers.get('content-type')).toBe('audio/x-wav');
    expect((await wav.arrayBuffer()).byteLength).toBeGreaterThan(8000 * 2 * 2);
    const list = await client.call('GET', `${twilioBase}/Calls/${sid}/Recordings.json`);
    const { recordings } = list.json as { recordings: unknown[] };
    oracle?.expectValid('api.v2010.account.call.call_recording', recordings[0]);
    const path = `${twilioBase}/Recordings/${kept.RecordingSid}.json`;
    expect((await fetch(client.sandbox.url + path, { method: 'DELETE' })).status).toBe(401);
    expect((await client.call('DELETE', path)).status).toBe(204);
    expect((await client.call('GET', path)).json).toMatchObject({ code: 20404 });
  });
});

describe('calls from a telephone', () => {
  it('ask the number what to do, and press keys', async () => {
    document('/in', '<Gather numDigits="4" action="/pin" timeout="600"><Say>Your PIN?</Say></Gather>');
    document('/pin', ({ Digits, Direction }) => `<Say>${Digits} ${Direction}</Say>`);
    const dialed = await client.call('POST', '/phones/4235550143/calls', { To: '4235550120' });
    expect(dialed.status).toBe(201);
    const { CallID } = dialed.json as Phone;
    await until('0143', 'InCall');
    const [asked] = await muster.waitFor(1, ({ path }) => path === '/in');
    expect(asked && check(asked, 'x-webhook-call-twiml-request')).toMatchObject({
      CallStatus: 'ringing',
      From: '+14235550143',
    });
    await use('0143', CallID, 'Press', '1234');
    expect(await lastStatus(CallID)).toMatchObject({ Direction: 'inbound', CallStatus: 'completed' });
    expect((await phoneCalls('0143'))[0]?.Heard.at(-1)).toMatchObject({ Text: '1234 inbound' });
    expect((await client.call('POST', '/phones/4235550143/calls', { To: '4235559999' })).status).toBe(409);
    document('/in', '<Reject reason="busy"/>');
    await client.call('POST', '/phones/4235550143/calls', { To: '4235550120' });
    expect(await until('0143', 'Ended')).toMatchObject({ Result: 'Busy', AnsweredAt: null });
  });

  it('go to the address that a number was bought with', async () => {
    const sale = await client.call('GET', `${twilioBase}/AvailablePhoneNumbers/US/Local.json?AreaCode=423`);
    const [offer] = (sale.json as { available_phone_numbers: { phone_number: string }[] })
      .available_phone_numbers;
    const bought = await client.form(`${twilioBase}/IncomingPhoneNumbers.json`, {
      PhoneNumber: offer?.phone_number ?? '',
      VoiceUrl: `${muster.url}/bought`,
    });
    expect(bought.json).toMatchObject({ voice_url: `${muster.url}/bought` });
    document('/bought', '<Say>Bought</Say>');
    const { phone_number: number } = bought.json as { phone_number: string };
    await client.call('POST', '/phones/4235550133/calls', { To: number });
    expect(await until('0133', 'Ended')).toMatchObject({ Heard: [{ Text: 'Bought' }] });
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

describe('faults of calls', () => {
  const faults = (change: Record<string, unknown>) =>
    client.call('POST', '/faults', { Channel: 'calls', ...change });
  const send = () =>
    fetch(`${client.sandbox.url}${twilioBase}/Calls.json`, {
      method: 'POST',
      headers: { authorization: basic },
      body: new URLSearchParams({ To: '+14235550143', From: '+14235550120', Url: `${muster.url}/doc` }),
      signal: AbortSignal.timeout(300),
    });

  it('lose answers, refuse, and are late; texts are untouched', async () => {
    await faults({ TimeoutAfterAccept: 1 });
    await expect(send()).rejects.toThrow();
    await faults({ TimeoutAfterAccept: 0, ResetAfterAccept: 1 });
    await expect(send()).rejects.toThrow();
    expect((await client.call('GET', '/stats')).json).toMatchObject({ CallsPlaced: 2, CallsRepeated: 1 });
    await faults({ ResetAfterAccept: 0, TooManyRequests: 1 });
    const busy = await send();
    expect(busy.status).toBe(429);
    expect(await busy.json()).toMatchObject({ code: 20429 });
    await faults({ TooManyRequests: 0, ServerError: 1 });
    expect((await send()).status).toBe(500);
    const text = await client.form(`${twilioBase}/Messages.json`, {
      To: '+14235550143',
      From: '+14235550120',
      Body: 'Hi',
    });
    expect(text.status).toBe(201);
    await faults({ ServerError: 0, AnswerDelayMs: 5000 });
    await expect(send()).rejects.toThrow();
    expect((await client.call('GET', '/stats')).json).toMatchObject({ CallsPlaced: 3 });
    expect((await faults({ Channel: 'letters' })).status).toBe(400);
  });

  it('lose webhooks, or send them twice', async () => {
    await faults({ ReceiptLost: 1 });
    const lost = await place('0146');
    await until('0146', 'Ended');
    await faults({ ReceiptLost: 0, ReceiptDuplicate: 1 });
    const doubled = await place('0148');
    const twice = await muster.waitFor(2, isLast(doubled.sid));
    expect(new Set(twice.map(({ headers }) => headers['i-twilio-idempotency-token'])).size).toBe(1);
    expect(muster.hooks.filter(({ body }) => body.includes(lost.sid))).toEqual([]);
  });

  it('repeat a webhook only as its address asks', async () => {
    let refusals = 0;
    muster.answer = (hook) => (isStatus('failed')(hook) && refusals++ < 2 ? 503 : 200);
    const { sid } = await place('0148', { StatusCallback: `${muster.url}/status#rc=5&rp=all` });
    expect(await muster.waitFor(3, isLast(sid))).toHaveLength(3);
    refusals = 0;
    const once = await place('0149');
    await muster.waitFor(1, isLast(once.sid));
    const another = await place('0146');
    await muster.waitFor(1, isLast(another.sid));
    expect(muster.hooks.filter(isLast(once.sid))).toHaveLength(1);
  });
});

describe('talking', () => {
  function openSound(to: string, id: string): Promise<{ socket: WebSocket; heard: number[] }> {
    const socket = new WebSocket(
      `${client.sandbox.url.replace('http', 'ws')}/phones/423555${to}/calls/${id}/sound`,
    );
    socket.binaryType = 'arraybuffer';
    const heard: number[] = [];
    socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => heard.push(new Int16Array(data)[0] ?? 0);
    return new Promise((resolve, reject) => {
      socket.onopen = () => resolve({ socket, heard });
      socket.onerror = () => reject(new Error('No socket'));
    });
  }

  it('goes both ways between two telephones, frame by frame, and stops with the call', async () => {
    document('/doc', '<Dial timeout="600">+14235550147</Dial>');
    const { sid } = await place('0111');
    const { CallID } = await until('0147', 'Ringing');
    await use('0147', CallID, 'Answer');
    await until('0147', 'InCall');
    const [caller, office] = [await openSound('0111', sid), await openSound('0147', CallID)];
    for (let i = 1; i <= 50; i++) {
      caller.socket.send(new Int16Array(160).fill(i));
      office.socket.send(new Int16Array(160).fill(-i));
    }
    while (caller.heard.length < 50 || office.heard.length < 50) await new Promise(setImmediate);
    expect(office.heard).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    expect(caller.heard).toEqual(Array.from({ length: 50 }, (_, i) => -(i + 1)));
    const closed = new Promise((resolve) => {
      office.socket.onclose = resolve;
    });
    await use('0147', CallID, 'HangUp');
    await closed;
    await lastStatus(sid);
    await expect(openSound('0147', CallID)).rejects.toThrow('No socket');
  });

  it('is what a recording keeps', async () => {
    document('/in', '<Record action="/kept" finishOnKey="#" playBeep="false" timeout="600"/>');
    document('/kept', '<Say>Thank you</Say>');
    const dialed = await client.call('POST', '/phones/4235550133/calls', { To: '4235550120' });
    const { CallID } = dialed.json as Phone;
    const { socket } = await openSound('0133', CallID);
    while (!(await phoneCalls('0133'))[0]?.Recording) await new Promise(setImmediate);
    for (let i = 0; i < 100; i++) socket.send(new Int16Array(160).fill(5000));
    // The frames are under way on another connection than the key.
    const line = client.sandbox.carrier.exchange.lines.get(CallID);
    let frames = 0;
    const record = line?.recorder;
    if (line) {
      line.recorder = (frame) => {
        frames += 1;
        record?.(frame);
      };
    }
    while (frames < 100) {
      socket.send(new Int16Array(160).fill(5000));
      await new Promise(setImmediate);
    }
    await use('0133', CallID, 'Press', '#');
    const [hook] = await muster.waitFor(1, ({ path }) => path === '/kept');
    const kept = (hook && check(hook, 'x-webhook-call-twiml-request')) ?? {};
    const wav = Buffer.from(await (await fetch(`${kept.RecordingUrl}.wav`)).arrayBuffer());
    expect(wav.length).toBeGreaterThanOrEqual(44 + 100 * 320);
    expect(wav.readInt16LE(44)).toBe(5000);
    expect(kept.Digits).toBe('#');
  });
});

describe('sounds', () => {
  it('are measured, cut and given to the page, with the words that the file tells', async () => {
    const wav = encodeWav(new Int16Array(8000 * 12), 8000);
    const words = Buffer.from('Hello from a file');
    const info = Buffer.alloc(12 + 8 + words.length + 1);
    info.write('LIST', 0);
    info.writeUInt32LE(info.length - 8, 4);
    info.write('INFOICMT', 8);
    info.writeUInt32LE(words.length + 1, 16);
    words.copy(info, 20);
    muster.files.set('/a.wav', { type: 'audio/wav', body: Buffer.concat([wav, info]) });
    document('/doc', `<Play>${muster.url}/a.wav</Play>`);
    const { sid } = await place('0143');
    await lastStatus(sid);
    const [call] = await phoneCalls('0143');
    expect(call?.Heard).toMatchObject([{ Text: 'Hello from a file', Length: 12 }]);
    expect(call?.Heard[0]?.Seconds).toBeCloseTo(12, 0);
    const sound = await fetch(client.sandbox.url + (call?.Heard[0]?.Sound ?? ''));
    expect(sound.headers.get('content-type')).toBe('audio/wav');
    expect((await fetch(`${client.sandbox.url}/sounds/none`)).status).toBe(404);
  });
});
