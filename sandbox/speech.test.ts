import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Client, createClient, startTestSandbox } from './testing.ts';

let client: Client;
beforeEach(async () => {
  client = createClient(await startTestSandbox());
});
afterEach(() => client.sandbox.close());

async function ask(path: string, body: object | undefined, headers: Record<string, string>) {
  const answer = await fetch(client.sandbox.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    bytes: Buffer.from(await answer.arrayBuffer()),
  };
}

const google = { 'x-goog-api-key': 'sandbox-speech-key' };
const open = { authorization: 'Bearer sandbox-speech-key' };
const json = (bytes: Buffer) => JSON.parse(bytes.toString('utf8'));

function synthesis(change: object = {}) {
  return {
    input: { text: 'Good morning.' },
    voice: { languageCode: 'en-US', name: 'en-US-Neural2-F' },
    audioConfig: { audioEncoding: 'LINEAR16', sampleRateHertz: 16_000 },
    ...change,
  };
}

it('lists and speaks as Google does', async () => {
  const voices = json((await ask('/v1/voices', undefined, google)).bytes).voices;
  expect(voices[0]).toEqual({
    languageCodes: ['en-US'],
    name: 'en-US-Neural2-D',
    ssmlGender: 'MALE',
    naturalSampleRateHertz: 24_000,
  });
  const { status, bytes } = await ask('/v1/text:synthesize', synthesis(), google);
  expect(status).toBe(200);
  const wav = Buffer.from(json(bytes).audioContent, 'base64');
  expect([wav.toString('latin1', 0, 4), wav.readUInt32LE(24)]).toEqual(['RIFF', 16_000]);
  expect(wav.length).toBeGreaterThan(16_000);
});

it.each([
  ['a wrong key', synthesis(), { 'x-goog-api-key': 'wrong' }, 'API_KEY_INVALID'],
  [
    'an unknown voice',
    synthesis({ voice: { languageCode: 'en-US', name: 'en-US-X' } }),
    google,
    'does not exist',
  ],
  ['too long a text', synthesis({ input: { text: 'x'.repeat(5001) } }), google, '5000 bytes'],
])('refuses %s as Google does', async (_, body, headers, words) => {
  const { status, bytes } = await ask('/v1/text:synthesize', body, headers as Record<string, string>);
  expect([status, json(bytes).error.status]).toEqual([400, 'INVALID_ARGUMENT']);
  expect(bytes.toString()).toContain(words);
});

it('speaks by the protocol of OpenAI', async () => {
  const speech = { model: 'tts-1', voice: 'nova', input: 'Good morning.', response_format: 'wav' };
  const { status, type, bytes } = await ask('/v1/audio/speech', speech, open);
  expect([status, type, bytes.toString('latin1', 0, 4)]).toEqual([200, 'audio/wav', 'RIFF']);
  expect((await ask('/v1/audio/speech', speech, {})).status).toBe(401);
  const nobody = await ask('/v1/audio/speech', { ...speech, voice: 'nobody' }, open);
  expect([nobody.status, json(nobody.bytes).error.message]).toEqual([400, 'Unsupported voice: nobody']);
  expect((await ask('/v1/audio/speech', { ...speech, speed: 9 }, open)).status).toBe(400);
});
