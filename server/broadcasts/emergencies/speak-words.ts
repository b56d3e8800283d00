import { sql } from 'kysely';
import { Refusal } from '../../../contract/errors.ts';
import { textToSpeechLength } from '../../../contract/forms/text-to-speech.ts';
import { type LanguageCode, languageCode, languages } from '../../../contract/reference/languages.ts';
import { limits } from '../../../contract/reference/limits.ts';
import { plainWords } from '../../../contract/text/courtesy.ts';
import { createAudio } from '../../audio/create-audio.ts';
import type { createReader } from '../../audio/speak-text.ts';
import { asAccount, type Trx } from '../../db.ts';
import type { FileStore } from '../../files.ts';
import { inLanguage } from '../../in-language.ts';
import type { Log } from '../../log.ts';
import type { Actor, App } from '../../serve.ts';
import { countFrequent } from '../groups/rules.ts';

export interface EmergencyContext {
  app: App;
  files: FileStore;
  read: ReturnType<typeof createReader>;
  log: Log;
}

/** The sound that calls play, or why nothing can be read aloud. */
export interface Spoken {
  problem: string;
  /** The recording, in the transaction of the emergency that plays it; null where nothing was read. */
  insert(trx: Trx): Promise<number | null>;
}

/** For an emergency that doesn't call. */
export const unspoken: Spoken = { problem: '', insert: () => Promise.resolve(null) };

const cannotRecord = 'The message for calls can’t be saved at the moment.';

/** The built-in voices: an emergency must not depend on another company's service. */
const voices: Readonly<Record<LanguageCode, string>> = { en: 'flite:slt', es: 'flite:slt-es' };
const rate = 1;
/** A call plays for at least this many seconds. The shortest warnings are repeated at most this often. */
const mostTimes = 5;

/**
 * The words as a recording. The reader keeps what it has read for a while, so a second preview and the start itself
 * don't wait for a voice; what was started once is saved, hidden from the library. A preview saves no files: its row is
 * rolled back. Words that are too short for a call are repeated, as people do on the telephone.
 *
 * Whatever goes wrong here, the texts can still be sent.
 */
export async function speakWords(
  context: EmergencyContext,
  actor: Actor,
  about: { name: string; words: string; isPreview: boolean },
): Promise<Spoken> {
  try {
    return await speak(context, actor, about);
  } catch (error) {
    if (error instanceof Refusal) return { ...unspoken, problem: error.message };
    context.log.error({ err: error }, 'the words of an emergency could not be recorded');
    return { ...unspoken, problem: cannotRecord };
  }
}

async function speak(
  { app, files, read }: EmergencyContext,
  actor: Actor,
  { name, words, isPreview }: { name: string; words: string; isPreview: boolean },
): Promise<Spoken> {
  const language = languageOfWords(words, actor.languageId);
  const voice = voices[language];
  const kept = await findSpoken(app, actor, { words, language });
  if (kept !== undefined) return { problem: '', insert: () => Promise.resolve(kept) };
  const once = await read({ Text: words, VoiceID: voice, Rate: rate });
  const times = Math.ceil((limits.textToSpeechSeconds.min * 1000) / once.lengthMs);
  const said = times > 1 ? repeated(words, Math.min(times, mostTimes), language) : words;
  const sound = said === words ? once : await read({ Text: said, VoiceID: voice, Rate: rate });
  const problem = textToSpeechLength(sound.lengthMs / 1000);
  if (problem !== undefined) return { ...unspoken, problem };
  if (isPreview && (await files.findProblem()) !== undefined) return { ...unspoken, problem: cannotRecord };
  const insert = await createAudio(isPreview ? nowhere : files, sound, {
    ...actor,
    name,
    audioType: 'announcement',
    origin: 'Speech',
    speech: { text: said, voiceId: voice, rate },
    isHidden: true,
  });
  return { problem: '', insert };
}

/** For the recording of a preview, which nobody plays. */
const nowhere: Pick<FileStore, 'save'> = { save: () => Promise.resolve('preview') };

/** The prepared messages that no voice has read yet. */
export async function listUnread(trx: Trx, { accountId }: Actor): Promise<string[]> {
  const { rows } = await sql<{ words: string }>`
    select m.spoken_text as words from emergency_messages m
    where m.account_id = ${accountId} and not exists (
      select from audio a where a.account_id = m.account_id and a.origin = 'Speech' and a.voice_id = any(${Object.values(voices)})
        and starts_with(a.spoken_text, m.spoken_text))
    order by m.emergency_message_id`.execute(trx);
  return rows.map(({ words }) => words);
}

/** Reads words before they are requested: the user's choice on the screen is then ready at once. */
export function readAhead({ read }: EmergencyContext, { languageId }: Actor, words: readonly string[]): void {
  for (const Text of words) {
    const VoiceID = voices[languageOfWords(Text, languageId)];
    void read({ Text, VoiceID, Rate: rate }).catch(() => undefined);
  }
}

/** Words of Spanish warnings, so that one of three words is recognized too. Without accents. */
const warnings =
  /\b(?:alerta|emergencia|simulacro|incendio|peligro|evacuen?|salgan?|entren?|quedense|quedese|permanezcan?|cierren?|puertas|ventanas|adentro|afuera|escuelas|cerrad[ao]s?)\b/g;

/**
 * English, unless more words are Spanish. With as many of both, the sender's language decides. An ñ doesn't count: places
 * in English sentences have it, too (Cañon City).
 */
export function languageOfWords(words: string, languageId: number): LanguageCode {
  const plain = plainWords(words);
  const counted = countFrequent(plain);
  const warned = plain.match(warnings)?.length ?? 0;
  const spanish = counted.spanish + warned + (/[¿¡]/.test(words) ? 1 : 0);
  if (spanish === 0 || spanish < counted.english) return 'en';
  return spanish > counted.english ? 'es' : languageCode(languageId);
}

function repeated(words: string, times: number, language: LanguageCode): string {
  const id = languages.find(({ code }) => code === language)?.id ?? 1;
  return Array.from({ length: times }, () => words).join(inLanguage(id)(' I repeat. '));
}

async function findSpoken(
  { database }: App,
  { accountId }: Actor,
  { words, language }: { words: string; language: LanguageCode },
) {
  const said = Array.from({ length: mostTimes }, (_, index) => repeated(words, index + 1, language));
  return asAccount(database, accountId, async (trx) => {
    const row = await trx
      .selectFrom('audio')
      .select('audio_id')
      .where('account_id', '=', accountId)
      .where('origin', '=', 'Speech')
      .where('voice_id', '=', voices[language])
      .where('voice_rate', '=', rate)
      .where('spoken_text', 'in', said)
      .orderBy('audio_id')
      .executeTakeFirst();
    return row?.audio_id;
  });
}
