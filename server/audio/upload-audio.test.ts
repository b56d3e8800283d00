import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { createMp3Encoder } from 'wasm-media-encoders';
import {
  type Audio,
  audio,
  downloadAudio,
  getAudio,
  updateAudio,
  uploadAudio,
} from '../../contract/audio.ts';
import { pathOf, prefixOf, queryOf } from '../../contract/call-address.ts';
import { unsupportedAudio } from '../../contract/uploads/audio.ts';
import { shiftClock } from '../clock.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { readMuLawWav, writeMuLawWav } from './code-mulaw.ts';
import { encodeMp3 } from './encode-mp3.ts';
import { silentAudio } from './rules.ts';
import { pcmWav, silence, tone } from './testing/sounds.ts';

let app: TestApp;
let account: BuiltAccount;
beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app);
});

type Origin = 'Upload' | 'Recording' | 'Converted';

async function upload(
  name: string,
  bytes: Buffer,
  { origin, ...query }: { origin?: Origin | 'Somewhere'; cutsilence?: boolean; type?: string } = {},
) {
  const path = pathOf(uploadAudio, { FileName: name }) + queryOf(query);
  const answer = await fetch(app.url + prefixOf(uploadAudio) + path, {
    method: 'POST',
    headers: {
      cookie: account.owner.cookie,
      'content-type': 'application/octet-stream',
      ...(origin === undefined ? {} : { 'X-Audio-Origin': origin }),
    },
    body: new Uint8Array(bytes),
  });
  return { status: answer.status, body: (await answer.json()) as Audio & { Message: string } };
}

/** Speech, as far as a waveform can show it: bursts with pauses between them. */
function speech(seconds: number, rate = 8000): Float32Array {
  return tone(seconds, { hz: 300, rate, level: 0.4 }).map((value, i) =>
    i % (rate / 2) < rate * 0.4 ? value : 0,
  );
}

const call = writeMuLawWav;

/** An mp3 of any length from one second of sound: its frames, again and again. */
async function endlessMp3(seconds: number): Promise<Buffer> {
  const encoder = await createMp3Encoder();
  encoder.configure({ sampleRate: 8000, channels: 1, bitrate: 8 });
  const frames = Buffer.concat([Buffer.from(encoder.encode([speech(9)])), Buffer.from(encoder.finalize())]);
  return Buffer.concat(Array.from({ length: Math.ceil(seconds / 9) }, () => frames));
}

async function play(uri: string, headers: Record<string, string> = {}) {
  const answer = await fetch(app.url + uri, { headers });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

describe('a file', () => {
  it('is converted to what calls play: 8000 Hz, 64 kbps, mono, with a waveform', async () => {
    const { status, body } = await upload('Snow day.wav', call(speech(12)), { type: 'survey' });
    expect([status, body.Message]).toEqual([200, undefined]);
    expect(audio.safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({
      Name: 'Snow day',
      Length: 12,
      AudioType: 'survey',
      Origin: 'Upload',
      Problem: null,
      Shared: false,
      Favorite: false,
      ReadOnly: false,
      UseCount: 0,
    });
    expect(body.Peaks.length).toBe(200);
    expect(Math.max(...body.Peaks)).toBeGreaterThan(40);
    const played = await play(body.PlayUri);
    expect([played.status, played.headers.get('content-type')]).toEqual([200, 'audio/wav']);
    expect(readMuLawWav(played.bytes).length).toBe(96_000);
    const part = await play(body.PlayUri, { range: 'bytes=100-199' });
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      `bytes 100-199/${played.bytes.length}`,
    ]);
    expect(part.bytes).toEqual(played.bytes.subarray(100, 200));
    expect((await play(body.PlayUri.replace(/.{6}\.wav/, 'abcdef.wav'))).status).toBe(404);
    const plain = await play(body.PlayUri.replace('.wav', '.ulaw'));
    expect([plain.status, plain.bytes.length]).toEqual([200, 96_000]);
    expect(plain.bytes.equals(played.bytes.subarray(58, 58 + 96_000))).toBe(true);
    const head = await fetch(app.url + body.PlayUri, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String(played.bytes.length));
    expect((await play(body.PlayUri.replace(/\?.*$/, ''))).status).toBe(404);
    shiftClock(2 * 86_400_000);
    expect((await play(body.PlayUri)).status).toBe(410);
    shiftClock(-2 * 86_400_000);
  });

  it('is known by its content and not by its name', async () => {
    const mp3 = await encodeMp3(call(speech(11)));
    const { status, body } = await upload('really an mp3.wav', mp3);
    expect([status, Math.round(body.Length)]).toEqual([200, 11]);
    // An upload in mp3 is returned unchanged.
    const file = await fetch(`${app.url}${body.Uri}.mp3?Include=archived`, {
      headers: { cookie: account.owner.cookie },
    });
    expect(file.headers.get('content-disposition')).toContain('really%20an%20mp3.mp3');
    expect(Buffer.from(await file.arrayBuffer()).equals(mp3)).toBe(true);
    const text = await upload('letter.mp3', Buffer.from('Dear parents,\nschool is closed.\n'.repeat(100)));
    expect([text.status, text.body.Message]).toEqual([422, unsupportedAudio]);
  });

  it('that is a wav has the format of the specification; our own pages’ may have another', async () => {
    const wav = pcmWav(speech(12, 44_100), { rate: 44_100, channels: 2 });
    const raw = await upload('cd.wav', wav);
    expect([raw.status, raw.body.Message]).toEqual([422, unsupportedAudio]);
    for (const origin of ['Recording', 'Converted'] as const) {
      const { status, body } = await upload('cd.wav', wav, { origin });
      expect([status, body.Length, body.Origin]).toEqual([200, 12, origin]);
    }
    expect((await upload('cd.wav', wav, { origin: 'Somewhere' })).status).toBe(400);
  });

  it('over 120 seconds is kept and flagged', async () => {
    const { status, body } = await upload('long.wav', call(speech(121)));
    expect([status, body.Length]).toEqual([200, 121]);
    expect(body.Problem).toBe(
      'Your message cannot exceed 2 minutes. The message you selected is 121 seconds long.',
    );
    expect((await upload('just.wav', call(speech(120)))).body.Problem).toBeNull();
  });

  it('can be requested without the silence at its ends, and with it again', async () => {
    const whole = Float32Array.from([...silence(3), ...speech(10), ...silence(5)]);
    const { body } = await upload('pauses.wav', call(whole));
    expect(body).toMatchObject({ Length: 18, SilenceCut: false });
    const params = { AudioID: body.AudioID };
    const cut = await app.call(updateAudio, { params, body: { SilenceCut: true } }, account.owner);
    expect(cut.body.Length).toBeCloseTo(10.3, 0);
    expect(cut.body.PlayUri).not.toBe(body.PlayUri);
    // The old address doesn't play the new sound.
    expect((await play(body.PlayUri)).status).toBe(404);
    const back = await app.call(updateAudio, { params, body: { SilenceCut: false } }, account.owner);
    expect(back.body).toMatchObject({ Length: 18, Peaks: body.Peaks });
    const atOnce = await upload('pauses.wav', call(whole), { cutsilence: true });
    expect(atOnce.body).toMatchObject({ Length: cut.body.Length, SilenceCut: true });
  });

  it('is downloaded as mp3, also after it was deleted', async () => {
    const { body } = await upload('note.wav', call(speech(10)));
    const get = async (query: { Include?: 'archived' }) => {
      const path = pathOf(downloadAudio, { AudioID: body.AudioID }) + queryOf(query);
      return fetch(app.url + prefixOf(downloadAudio) + path, { headers: { cookie: account.owner.cookie } });
    };
    const file = await get({});
    expect(file.headers.get('content-type')).toBe('audio/mpeg');
    const again = await upload('again.mp3', Buffer.from(await file.arrayBuffer()));
    expect(again.body.Length).toBeCloseTo(10, 0);
    await app.database.system
      .updateTable('audio')
      .set({ deleted_at: new Date() })
      .where('audio_id', '=', body.AudioID)
      .execute();
    expect((await get({})).status).toBe(404);
    expect((await get({ Include: 'archived' })).status).toBe(200);
    expect((await app.call(getAudio, { params: { AudioID: body.AudioID } }, account.owner)).status).toBe(404);
  });

  it('is readable on disk only by the server', async () => {
    const { body } = await upload('mine.wav', call(speech(10)));
    const { call_hash, original_hash } = await app.database.system
      .selectFrom('audio')
      .select(['call_hash', 'original_hash'])
      .where('audio_id', '=', body.AudioID)
      .executeTakeFirstOrThrow();
    for (const hash of [call_hash, original_hash ?? '']) {
      const { mode } = await stat(join(app.dataDir, 'media', hash.slice(0, 2), hash));
      expect((mode & 0o777).toString(8)).toBe('600');
    }
  });
});

describe('a file that can’t be used', () => {
  const bad: [string, () => Buffer | Promise<Buffer>, string][] = [
    [
      'of three hours',
      () => endlessMp3(3 * 3600),
      'Your message cannot exceed 2 minutes. The message you selected is ',
    ],
    ['of silence', () => call(silence(12)), silentAudio],
    ['that lies about its format', () => lie(call(speech(12)), 34, 16), unsupportedAudio],
    ['that lies about where its sound is', () => lie(call(speech(12)), 16, 60_000), unsupportedAudio],
    ['of frame heads and nothing else', () => Buffer.alloc(8_000_000, 'fffb9064', 'hex'), unsupportedAudio],
    ['of a tag and nothing else', () => tagged(8_000_000), unsupportedAudio],
    ['with rubbish after a good frame', () => rubbish(), unsupportedAudio],
    ['that is cut off in its header', () => call(speech(12)).subarray(0, 30), unsupportedAudio],
  ];

  function lie(wav: Buffer, at: number, value: number): Buffer {
    wav.writeUInt16LE(value, at);
    return wav;
  }

  function tagged(size: number): Buffer {
    const bytes = Buffer.alloc(size);
    bytes.write('ID3\u0004', 'latin1');
    for (const [i, shift] of [21, 14, 7, 0].entries()) bytes[6 + i] = ((size - 10) >> shift) & 0x7f;
    return bytes;
  }

  async function rubbish(): Promise<Buffer> {
    const mp3 = await encodeMp3(call(speech(1)));
    const noise = Buffer.alloc(4_000_000);
    for (let i = 0, x = 1; i < noise.length; i += 1) {
      x = (x * 1_103_515_245 + 12_345) & 0x7fffffff;
      noise[i] = x >> 16;
    }
    return Buffer.concat([mp3.subarray(0, 144), noise]);
  }

  it.each(bad)('%s gives a reason and leaves nothing behind', async (_, make, sentence) => {
    const { status, body } = await upload('bad.mp3', await make());
    expect(status).toBe(422);
    expect(body.Message.startsWith(sentence)).toBe(true);
    expect(await readdir(join(app.dataDir, 'audio-incoming'))).toEqual([]);
  });

  it('is refused because of its size before any of it is read', async () => {
    const { status, body } = await upload('huge.wav', Buffer.alloc(50 * 1024 * 1024 + 1));
    expect([status, body.Message]).toEqual([413, unsupportedAudio]);
  });

  it('never takes much memory', async () => {
    const files = [
      await endlessMp3(3 * 3600),
      tagged(49 * 1024 * 1024),
      Buffer.alloc(49 * 1024 * 1024, 0xff),
    ];
    // Garbage from earlier tests must not count, nor from an earlier upload.
    setFlagsFromString('--expose-gc');
    const collectGarbage: () => void = runInNewContext('gc');
    collectGarbage();
    const before = process.memoryUsage().rss;
    const taken = () => (process.memoryUsage().rss - before) / 1e6;
    let most = 0;
    const watch = setInterval(() => {
      // Garbage that a busy machine hasn't collected yet is not counted.
      if (most < 400 && taken() >= 400) collectGarbage();
      most = Math.max(most, taken());
    }, 20);
    for (const bytes of files) {
      expect((await upload('bad.mp3', bytes)).status).toBe(422);
      collectGarbage();
    }
    clearInterval(watch);
    // The test's own copies of its uploads are included too.
    expect(most).toBeLessThan(400);
  });
});
