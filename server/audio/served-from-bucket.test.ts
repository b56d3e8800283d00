/** Recordings in a bucket are sent piece by piece, with the same answers as from a folder. */
import { beforeAll, expect, it } from 'vitest';
import { type Audio, uploadAudio } from '../../contract/audio.ts';
import { pathOf, prefixOf } from '../../contract/call-address.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { writeMuLawWav } from './code-mulaw.ts';
import { tone } from './testing/sounds.ts';

let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  const { sandbox } = await testApp();
  app = await testApp(
    {},
    {
      ...{ S3_URL: `${sandbox.url}/s3`, S3_BUCKET: 'recordings', S3_PATH_STYLE: '1' },
      ...{ S3_ACCESS_KEY: 'sandbox-s3-key', S3_SECRET_KEY: 'sandbox-s3-secret' },
    },
  );
  account = await buildAccount(app);
});

async function get(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(app.url + path, { headers });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

it('plays a whole recording, its parts and its plain sound, and downloads it as mp3 twice', async () => {
  // Longer than a piece.
  const wav = writeMuLawWav(tone(140, { hz: 300, rate: 8000, level: 0.4 }));
  const posted = await fetch(
    app.url + prefixOf(uploadAudio) + pathOf(uploadAudio, { FileName: 'long.wav' }),
    {
      method: 'POST',
      headers: { cookie: account.owner.cookie, 'content-type': 'application/octet-stream' },
      body: new Uint8Array(wav),
    },
  );
  const audio = (await posted.json()) as Audio;
  const whole = await get(audio.PlayUri);
  expect([whole.status, whole.headers.get('content-length')]).toEqual([200, String(whole.bytes.length)]);
  expect(whole.bytes.length).toBe(wav.length);
  for (const [asked, first, last] of [
    ['bytes=0-1', 0, 1],
    ['bytes=1048570-1048580', 1_048_570, 1_048_580],
    ['bytes=1100000-', 1_100_000, wav.length - 1],
    ['bytes=-5', wav.length - 5, wav.length - 1],
  ] as const) {
    const part = await get(audio.PlayUri, { range: asked });
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      `bytes ${first}-${last}/${wav.length}`,
    ]);
    expect(part.bytes.equals(whole.bytes.subarray(first, last + 1))).toBe(true);
  }
  const plain = await get(audio.PlayUri.replace('.wav', '.ulaw'));
  expect(plain.bytes.equals(whole.bytes.subarray(58, 58 + 140 * 8000))).toBe(true);
  // Encoded the first time, from the bucket the second time.
  const files: Awaited<ReturnType<typeof get>>[] = [];
  for (let time = 0; time < 2; time += 1)
    files.push(await get(`${audio.Uri}.mp3`, { cookie: account.owner.cookie }));
  expect(files.map(({ status }) => status)).toEqual([200, 200]);
  expect(files[0]?.bytes.length).toBeGreaterThan(10_000);
  expect(files[1]?.bytes.equals(files[0]?.bytes ?? Buffer.alloc(0))).toBe(true);
});
