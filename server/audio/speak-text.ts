import { createHash } from 'node:crypto';
import type {
  createSpeech as createDefinition,
  previewSpeech as previewDefinition,
} from '../../contract/audio.ts';
import type { Input } from '../../contract/call.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { textToSpeechLength } from '../../contract/forms/text-to-speech.ts';
import { asAccount } from '../db.ts';
import type { FileStore } from '../files.ts';
import type { Log } from '../log.ts';
import type { Speech } from '../outside/speech.ts';
import { SpeechRefused } from '../outside/speech-refused.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor, App } from '../serve.ts';
import { createAudio } from './create-audio.ts';
import type { PreparedSound } from './prepare-sound.ts';
import { requireAudio } from './queries.ts';
import { BadAudio } from './rules.ts';
import { prepareInThread, warmThread } from './run-thread.ts';

/**
 * Two minutes of sound are a megabyte: sound that was played is cached for a while, so that saving it costs
 * nothing more.
 */
const mostKept = 16;

export interface SpeechContext {
  app: App;
  files: FileStore;
  speeches: Speech[];
  log: Log;
}

interface Words {
  Text: string;
  VoiceID: string;
  Rate: number;
}

export function createReader({ speeches, log }: Pick<SpeechContext, 'speeches' | 'log'>) {
  const kept = new Map<string, Promise<PreparedSound>>();

  async function read({ Text, VoiceID, Rate }: Words): Promise<PreparedSound> {
    const [name = '', ...rest] = VoiceID.split(':');
    const speech = speeches.find((one) => one.name === name);
    if (speech === undefined)
      throw refuseField('VoiceID', 'That voice is no longer here. Choose another one.');
    try {
      const wav = await speech.speak(Text, rest.join(':'), Rate, new AbortController().signal);
      return await prepareInThread({ bytes: wav }, { isStrict: false });
    } catch (error) {
      if (error instanceof SpeechRefused || error instanceof BadAudio)
        throw refuseField('Text', error.message);
      // Never the text: it may be about people.
      log.warn({ err: error, speech: name }, 'a message could not be read aloud');
      throw new Refusal(
        'refused',
        'The voice does not answer at the moment. Try again, or choose another voice.',
      );
    }
  }

  /**
   * The same words in the same voice are synthesized once, also when they are requested twice at the same
   * time.
   */
  return (words: Words): Promise<PreparedSound> => {
    const key = createHash('sha256')
      .update(JSON.stringify([words.Text, words.VoiceID, words.Rate]))
      .digest('hex');
    const sound = kept.get(key) ?? read(words);
    kept.delete(key);
    kept.set(key, sound);
    sound.catch(() => kept.delete(key));
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return sound;
  };
}

type Reader = ReturnType<typeof createReader>;

export async function previewSpeech(read: Reader, { body }: Input<typeof previewDefinition>) {
  const sound = await read(body);
  return {
    Length: Math.round(sound.lengthMs / 100) / 10,
    Peaks: [...sound.peaks],
    Wav: sound.wav.toString('base64'),
    Problem: textToSpeechLength(sound.lengthMs / 1000) ?? null,
  };
}

export async function createSpeech(
  { app, files }: Pick<SpeechContext, 'app' | 'files'>,
  read: Reader,
  actor: Actor,
  { body }: Input<typeof createDefinition>,
) {
  const sound = await read(body);
  const problem = textToSpeechLength(sound.lengthMs / 1000);
  if (problem !== undefined) throw refuseField('Text', problem);
  const insert = await createAudio(files, sound, {
    ...actor,
    name: body.Name,
    audioType: body.AudioType,
    origin: 'Speech',
    speech: { text: body.Text, voiceId: body.VoiceID, rate: body.Rate },
  });
  return asAccount(app.database, actor.accountId, async (trx) => {
    const audioId = await insert(trx);
    await recordEvents(trx, actor, [{ kind: 'audio.created', id: audioId }]);
    return requireAudio(trx, actor, audioId);
  });
}

/**
 * All voices that are available; a service that doesn't answer is left out, and the built-in voices are
 * always there.
 */
export async function listVoices({ speeches, log }: Pick<SpeechContext, 'speeches' | 'log'>) {
  warmThread();
  const lists = await Promise.all(
    speeches.map(async (speech) => {
      try {
        const voices = await speech.voices();
        return voices.map(({ id, language, label, isNatural }) => ({
          VoiceID: `${speech.name}:${id}`,
          Name: label,
          Language: language,
          Provider: speech.label,
          IsNatural: isNatural,
        }));
      } catch (error) {
        log.warn({ err: error, speech: speech.name }, 'the voices of a service could not be listed');
        return [];
      }
    }),
  );
  return { Items: lists.flat() };
}
