import { beforeAll, describe, expect, it } from 'vitest';
import { createSpeech, listVoices, previewSpeech } from '../../contract/audio.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';
import { readMuLawWav } from './code-mulaw.ts';
import { measureLoudness } from './level-sound.ts';

let app: TestApp;
let account: BuiltAccount;
beforeAll(async () => {
  app = await testApp();
  account = await buildAccount(app);
});

const message =
  'Good evening. This is Harlow Creek Schools. Because of ice on the roads, all schools start two hours late tomorrow. Please call the office at (423) 555-0143 with any questions. Thank you.';

const preview = (Text: string, VoiceID = 'flite:kal16', Rate = 1) =>
  app.call(previewSpeech, { body: { Text, VoiceID, Rate } }, account.owner);
const create = (Text: string, VoiceID = 'flite:kal16', Name = 'Late start') =>
  app.call(createSpeech, { body: { Name, Text, VoiceID, AudioType: 'survey' } }, account.owner);

describe('typed words', () => {
  it('are read aloud, played and saved', async () => {
    const heard = await preview(message, 'flite:slt');
    expect(heard.body.Problem).toBeNull();
    expect(heard.body.Length).toBeGreaterThan(10);
    const samples = readMuLawWav(Buffer.from(heard.body.Wav, 'base64'));
    expect(samples.length / 8000).toBeCloseTo(heard.body.Length, 1);
    expect(measureLoudness(samples)).toBeCloseTo(-18, 0);
    const { status, body } = await create(message, 'flite:slt');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      Name: 'Late start',
      Length: heard.body.Length,
      Origin: 'Speech',
      AudioType: 'survey',
      Text: message,
      VoiceID: 'flite:slt',
      Peaks: heard.body.Peaks,
    });
    const file = await fetch(app.url + body.PlayUri);
    expect(Buffer.from(await file.arrayBuffer()).toString('base64')).toBe(heard.body.Wav);
  });

  it('are read slower and faster', async () => {
    const [slow, fast] = [
      await preview(message, 'flite:kal16', 0.8),
      await preview(message, 'flite:kal16', 1.3),
    ];
    expect(slow.body.Length / fast.body.Length).toBeCloseTo(1.6, 0);
  });

  it('are refused by the specification’s rules', async () => {
    expect(refusalOf(await create('  \n ')).Message).toBe('Message text is required');
    expect(refusalOf(await preview('')).Message).toBe('Message text is required');
    expect(refusalOf(await create('Too short.'))).toMatchObject({
      status: 400,
      Errors: [{ Field: 'Text', Message: 'Audio length must be at least 10 seconds' }],
    });
    const long = `${message} `.repeat(10);
    expect(refusalOf(await create(long)).Message).toBe('Audio length cannot be 120 seconds or longer');
    // Both can still be played.
    expect((await preview('Too short.')).body.Problem).toBe('Audio length must be at least 10 seconds');
    expect((await preview(long)).body.Problem).toBe('Audio length cannot be 120 seconds or longer');
    expect(refusalOf(await create('x'.repeat(2501))).Message).toBe(
      'Message text must be at most 2500 characters',
    );
  });

  it.each(['Сегодня школа закрыта, автобусы не ходят.', '今日は学校が休みです。', '!!! ... ???', '🙂🙂🙂'])(
    'that the voice can’t read are reported: %s',
    async (text) => {
      expect(refusalOf(await preview(text))).toMatchObject({
        status: 400,
        Message: 'This voice can only read English. Write the message in English, or choose another voice.',
      });
    },
  );

  it('are read in Spanish by the voices for Spanish', async () => {
    const words = 'Buenas noches. Mañana las escuelas abren dos horas tarde. Llame al (423) 555-0143.';
    const { body } = await preview(words, 'flite:slt-es');
    expect(body.Length).toBeGreaterThan(5);
    // Read as English it would be another sound.
    expect((await preview(words, 'flite:slt')).body.Wav).not.toBe(body.Wav);
    expect(refusalOf(await preview('Сегодня школа закрыта.', 'flite:rms-es')).Message).toBe(
      'This voice can only read Spanish. Write the message in Spanish, or choose another voice.',
    );
  });

  it('say nothing to the machine that reads them', async () => {
    const { body } = await preview(`-o /etc/passwd; $(reboot) "quotes" 'single' \\ ${message}`);
    expect(body.Length).toBeGreaterThan(10);
    expect(refusalOf(await preview(message, 'flite:../../x')).Message).toBe('That voice is no longer here.');
    expect(refusalOf(await preview(message, 'nobody:rms')).Message).toBe(
      'That voice is no longer here. Choose another one.',
    );
  });
});

describe('hosted voices', () => {
  it('are listed before the built-in ones, which are said to be mechanical', async () => {
    const { body } = await app.call(listVoices, {}, account.owner);
    expect(body.Items.map(({ VoiceID }) => VoiceID)).toEqual([
      'google:en-US-Neural2-D',
      'google:en-US-Neural2-F',
      'google:en-GB-Standard-B',
      'open:alloy',
      'open:nova',
      'flite:rms',
      'flite:slt',
      'flite:awb',
      'flite:kal16',
      'flite:slt-es',
      'flite:rms-es',
    ]);
    expect(body.Items.find(({ VoiceID }) => VoiceID === 'google:en-GB-Standard-B')).toEqual({
      VoiceID: 'google:en-GB-Standard-B',
      Name: 'Standard B, male',
      Language: 'en-GB',
      Provider: 'Google',
      IsNatural: false,
    });
    expect(body.Items).toContainEqual(
      expect.objectContaining({ Name: 'Kevin (clear, mechanical)', IsNatural: false }),
    );
    expect(body.Items.at(-1)).toMatchObject({ Language: 'es-US', IsNatural: false });
  });

  it.each(['google:en-US-Neural2-F', 'open:nova'])('read by %s', async (voice) => {
    const { status, body } = await create(message, voice);
    expect([status, body.VoiceID]).toEqual([200, voice]);
    expect(body.Length).toBeGreaterThan(10);
  });

  it.each(['google:en-US-Nobody-X', 'open:nobody'])(
    'that no longer exist, as %s, are reported',
    async (voice) => {
      expect(refusalOf(await preview(message, voice))).toMatchObject({
        status: 400,
        Message: 'The voice can’t read this message. Change the text, or choose another voice.',
      });
    },
  );

  it('that don’t answer leave only the built-in ones', async () => {
    const down = await testApp({}, { GOOGLE_SPEECH_API_KEY: 'wrong', SPEECH_API_KEY: 'wrong' });
    const { owner } = await buildAccount(down);
    const { body } = await down.call(listVoices, {}, owner);
    expect(body.Items.map(({ VoiceID }) => VoiceID.split(':')[0])).not.toContain('google');
    for (const VoiceID of ['google:en-US-Neural2-F', 'open:nova']) {
      const reply = await down.call(previewSpeech, { body: { Text: message, VoiceID } }, owner);
      expect(refusalOf(reply)).toMatchObject({
        status: 422,
        Message: 'The voice does not answer at the moment. Try again, or choose another voice.',
      });
    }
    const built = await down.call(previewSpeech, { body: { Text: message, VoiceID: 'flite:kal16' } }, owner);
    expect(built.status).toBe(200);
  });
});
