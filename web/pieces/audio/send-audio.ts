import { listVoices, uploadAudio } from '../../../contract/addresses/audio.gen.ts';
import { type Audio, type AudioType, audioOriginHeader } from '../../../contract/audio.ts';
import { pathOf, prefixOf, queryOf } from '../../../contract/call-address.ts';
import type { ErrorBody } from '../../../contract/error-body.ts';
import {
  AUDIO_HEAD_BYTES,
  AUDIO_MAX_BYTES,
  audioTooLong,
  checkAudioBytes,
  unsupportedAudio,
} from '../../../contract/uploads/audio.ts';
import { noFileProvided } from '../../../contract/uploads/file-name.ts';
import { ApiError, callApi, shownMessage } from '../../api.ts';
import { mixDown, resample, writeWav } from './wav-file.ts';

/** The files that the browser's own dialog offers: mp3, wav, and whatever the browser can decode. */
export const acceptedAudio = 'audio/*,.mp3,.wav,.m4a,.ogg,.webm,.flac,.aac';

/** A sentence for people. */
class AudioProblem extends Error {
  override name = 'AudioProblem';
}

export type SentOrigin = 'Upload' | 'Recording' | 'Converted';

interface Sending {
  name: string;
  file: Blob;
  origin: SentOrigin;
  type?: AudioType;
  isSilenceCut?: boolean;
  signal: AbortSignal;
  onSent?: (part: number) => void;
}

/** Uploads a file and reports its progress. Uses XMLHttpRequest, because fetch doesn't report progress. */
export function sendAudio({
  name,
  file,
  origin,
  type,
  isSilenceCut,
  signal,
  onSent,
}: Sending): Promise<Audio> {
  const path = pathOf(uploadAudio, { FileName: name.slice(-200) || 'Recording' });
  const url = `${prefixOf(uploadAudio)}${path}${queryOf({ type, cutsilence: isSilenceCut || undefined })}`;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(uploadAudio.method, url);
    request.setRequestHeader('Accept', 'application/json');
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.setRequestHeader(audioOriginHeader, origin);
    request.upload.onprogress = ({ loaded, total }) => onSent?.(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const body = readJson(request.responseText);
      if (request.status < 300 && !('ErrorCode' in body)) return resolve(body as unknown as Audio);
      reject(
        new ApiError({
          status: request.status,
          statusText: request.statusText,
          url,
          method: uploadAudio.method,
          body,
        }),
      );
      // If the session has ended, this call leads to sign-in like any other.
      if (request.status === 401) void callApi(listVoices).catch(() => undefined);
    };
    request.onerror = () => reject(new TypeError('The server can’t be reached'));
    signal.addEventListener('abort', () => {
      request.abort();
      reject(signal.reason);
    });
    if (signal.aborted) return reject(signal.reason);
    request.send(file);
  });
}

function readJson(text: string): Partial<ErrorBody> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** The message when it failed. */
export function audioProblem(error: unknown): string {
  if (error instanceof AudioProblem) return error.message;
  if (error instanceof TypeError)
    return 'The recording wasn’t uploaded. Check your connection and try again.';
  return shownMessage(error, 'There was an error saving your recording. Please try again.');
}

const convertedRate = 16_000;
/** Twice and a half of what a message may be: the server keeps nothing longer either. */
const mostSeconds = 300;

/**
 * A file that somebody chose, as the server takes it: mp3 and the specification's wav as they are, everything else decoded
 * here and sent as wav.
 */
export async function readAudioFile(file: File): Promise<{ file: Blob; origin: SentOrigin }> {
  if (file.size === 0) throw new AudioProblem(noFileProvided);
  if (file.size > AUDIO_MAX_BYTES) throw new AudioProblem(unsupportedAudio);
  const head = new Uint8Array(await file.slice(0, AUDIO_HEAD_BYTES).arrayBuffer());
  if (checkAudioBytes(head).type !== undefined) return { file, origin: 'Upload' };
  // Decoding takes memory for every minute, so a file that is far too long isn't decoded at all.
  const seconds = await readLength(file);
  if (seconds !== undefined && seconds > mostSeconds) {
    throw new AudioProblem(audioTooLong(seconds) ?? unsupportedAudio);
  }
  try {
    const context = new OfflineAudioContext(1, 1, convertedRate);
    const decoded = await context.decodeAudioData(await file.arrayBuffer());
    const samples = await resample(mixDown(decoded), decoded.sampleRate, convertedRate);
    return { file: writeWav(samples, convertedRate), origin: 'Converted' };
  } catch {
    throw new AudioProblem(unsupportedAudio);
  }
}

/** The length according to the browser; undefined where it can't tell. */
function readLength(file: File): Promise<number | undefined> {
  const url = URL.createObjectURL(file);
  return new Promise<number | undefined>((resolve) => {
    const audio = new Audio();
    audio.preload = 'metadata';
    audio.onloadedmetadata = () => resolve(Number.isFinite(audio.duration) ? audio.duration : undefined);
    audio.onerror = () => resolve(undefined);
    audio.src = url;
  }).finally(() => URL.revokeObjectURL(url));
}
