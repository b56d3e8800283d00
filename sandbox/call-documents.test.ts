// Everything heard and said in a call: TwiML, calls that come from a telephone, talking, recordings and sounds.
import { describe, expect, it } from 'vitest';
import { twilioBase } from './testing.ts';
import {
  callSandboxForEachTest,
  check,
  client,
  document,
  lastStatus,
  muster,
  oracle,
  type Phone,
  phoneCalls,
  place,
  until,
  use,
} from './testing-calls.ts';
import { encodeWav } from './wav.ts';

callSandboxForEachTest();

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
