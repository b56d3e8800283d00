import { randomBytes } from 'node:crypto';
import type { AudioOrigin, AudioType } from '../../contract/audio.ts';
import { now } from '../clock.ts';
import type { Trx } from '../db.ts';
import type { FileStore } from '../files.ts';
import { notify } from '../notify.ts';
import type { Played, PreparedSound } from './prepare-sound.ts';
import { cutInThread } from './run-thread.ts';

/** The sound to play, with its file saved: the whole message, or the one without silence at its ends. */
export async function keepPlayed(
  files: Pick<FileStore, 'save'>,
  whole: {
    wav: Buffer;
    lengthMs: number;
    peaks: Uint8Array;
    silenceBeforeMs: number;
    silenceAfterMs: number;
  },
  isSilenceCut: boolean,
) {
  const hasSilence = whole.silenceBeforeMs + whole.silenceAfterMs > 0;
  const played: Played =
    isSilenceCut && hasSilence
      ? await cutInThread(whole.wav, whole.silenceBeforeMs, whole.lengthMs - whole.silenceAfterMs)
      : whole;
  return {
    call_hash: await files.save(played.wav),
    length_ms: played.lengthMs,
    peaks: Buffer.from(played.peaks),
    is_silence_cut: isSilenceCut && hasSilence,
    public_key: randomBytes(18).toString('base64url'),
  };
}

interface NewAudio {
  accountId: number;
  userId: number;
  name: string;
  audioType: AudioType;
  origin: AudioOrigin;
  /** The original file, already saved. */
  original?: { hash: string };
  speech?: { text: string; voiceId: string; rate: number };
  isSilenceCut?: boolean;
  /** Not shown in the library: made for one use, such as the words of an emergency. */
  isHidden?: boolean;
}

/** Saves the files of a message that was prepared for calls; `insert` writes its row. */
export async function createAudio(files: Pick<FileStore, 'save'>, sound: PreparedSound, about: NewAudio) {
  const row = {
    account_id: about.accountId,
    user_id: about.userId,
    name: about.name,
    audio_type: about.audioType,
    origin: about.origin,
    original_hash: about.original?.hash ?? null,
    original_type: about.original === undefined ? null : sound.type,
    spoken_text: about.speech?.text ?? null,
    voice_id: about.speech?.voiceId ?? null,
    voice_rate: about.speech?.rate ?? null,
    whole_hash: await files.save(sound.wav),
    whole_ms: sound.lengthMs,
    silence_before_ms: sound.silenceBeforeMs,
    silence_after_ms: sound.silenceAfterMs,
    deleted_at: about.isHidden ? now() : null,
    ...(await keepPlayed(files, sound, about.isSilenceCut ?? false)),
  };
  return async function insert(trx: Trx): Promise<number> {
    const { audio_id } = await trx
      .insertInto('audio')
      .values(row)
      .returning('audio_id')
      .executeTakeFirstOrThrow();
    await notify(trx, about.accountId, [{ type: 'audio.changed' }]);
    return audio_id;
  };
}
