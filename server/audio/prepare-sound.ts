import { readFile } from 'node:fs/promises';
import { audioTooLong, checkAudioBytes, sniffAudio, unsupportedAudio } from '../../contract/uploads/audio.ts';
import { drawPeaks, findSilence } from '../../contract/uploads/sound.ts';
import { cutMuLawWav, readMuLawWav, writeMuLawWav } from './code-mulaw.ts';
import { decodeMp3, measureMp3 } from './decode-mp3.ts';
import { openWav } from './decode-wav.ts';
import { levelSound } from './level-sound.ts';
import { Resampler } from './resample-sound.ts';
import { BadAudio, callRate, leastSeconds, mostSeconds, shortAudio, silentAudio } from './rules.ts';

export interface Played {
  /** The format that calls play: 8000 Hz, mu-law, mono. */
  wav: Buffer;
  lengthMs: number;
  peaks: Uint8Array;
}

export interface PreparedSound extends Played {
  type: 'audio/mpeg' | 'audio/wav';
  silenceBeforeMs: number;
  silenceAfterMs: number;
}

/**
 * Prepares a file for calls: decoded, resampled to 8000 Hz and leveled. `isStrict` checks wav files for the
 * specification's format; files from our own pages have another.
 */
export async function prepareSound(
  source: { path: string } | { bytes: Buffer },
  isStrict: boolean,
): Promise<PreparedSound> {
  const bytes = 'path' in source ? await readFile(source.path) : source.bytes;
  const { type, error } = isStrict
    ? checkAudioBytes(bytes)
    : { type: sniffAudio(bytes), error: unsupportedAudio };
  if (type === undefined) throw new BadAudio(error);
  const samples = type === 'audio/wav' ? samplesOfWav(bytes) : await samplesOfMp3(bytes);
  if (samples.length < leastSeconds * callRate)
    throw new BadAudio(samples.length === 0 ? unsupportedAudio : shortAudio);
  levelSound(samples);
  const silence = findSilence(samples, callRate);
  if (silence === undefined) throw new BadAudio(silentAudio);
  return {
    type,
    ...played(writeMuLawWav(samples), samples),
    silenceBeforeMs: silence.beforeMs,
    silenceAfterMs: silence.afterMs,
  };
}

/** The same message without the silence at its ends. */
export function cutSound(wav: Buffer, fromMs: number, toMs: number): Played {
  const cut = cutMuLawWav(wav, fromMs, toMs);
  return played(cut, readMuLawWav(cut));
}

function played(wav: Buffer, samples: Float32Array): Played {
  return { wav, lengthMs: Math.round((samples.length / callRate) * 1000), peaks: drawPeaks(samples) };
}

/** Collects the resampled sound at 8000 Hz: at most 10 MB, whatever the file was. */
function gather() {
  const pieces: Float32Array[] = [];
  let resampler: Resampler | undefined;
  let rate = 0;
  const keep = (piece: Float32Array | undefined) => {
    if (piece !== undefined && piece.length > 0) pieces.push(piece);
  };
  return {
    take(piece: Float32Array, sampleRate: number) {
      // Some mp3 files change their rate midway.
      if (sampleRate !== rate) keep(resampler?.end());
      if (sampleRate !== rate) resampler = new Resampler(sampleRate, callRate);
      rate = sampleRate;
      keep(resampler?.push(piece));
    },
    end(): Float32Array {
      keep(resampler?.end());
      const whole = new Float32Array(pieces.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const piece of pieces) {
        whole.set(piece, at);
        at += piece.length;
      }
      return whole;
    },
  };
}

/** A sound this long is not decoded. It can't be a message, and its error message says how long it is. */
function refuseIfEndless(seconds: number): void {
  if (seconds > mostSeconds) throw new BadAudio(audioTooLong(seconds) ?? unsupportedAudio);
}

function samplesOfWav(bytes: Buffer): Float32Array {
  const sound = openWav(bytes);
  refuseIfEndless(sound.seconds);
  const whole = gather();
  for (const piece of sound.pieces()) whole.take(piece, sound.sampleRate);
  return whole.end();
}

async function samplesOfMp3(bytes: Buffer): Promise<Float32Array> {
  const seconds = measureMp3(bytes);
  if (seconds === undefined) throw new BadAudio(unsupportedAudio);
  refuseIfEndless(seconds);
  const whole = gather();
  await decodeMp3(bytes, whole.take);
  return whole.end();
}
