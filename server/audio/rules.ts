import { authorizedPrefix } from '../../contract/call-address.ts';
import { linkTo } from '../media-links.ts';

/** The format that calls play: "8000 Hz, 64 kbps, mono". */
export const callRate = 8000;

/**
 * The longest sound that is saved. Over two minutes it is flagged and no broadcast can use it; up to this
 * length it can still be played, downloaded, and perhaps shortened by removing its silence. Longer sounds
 * aren't decoded at all.
 */
export const mostSeconds = 300;

/** Shorter than a word: nothing intended as a message. */
export const leastSeconds = 0.3;

export const silentAudio = 'This recording is silent. Check your microphone, or choose another file.';
export const shortAudio = 'This recording is too short to be heard.';

/** A file that can't become a message, with the message for its sender. */
export class BadAudio extends Error {
  override name = 'BadAudio';
}

/** A name for an upload: the file name without folders, extension and control characters. */
export function nameOfFile(fileName: string, most: number): string {
  const last = fileName.split(/[\\/]/).at(-1) ?? '';
  const plain = last
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replace(/\p{C}/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  return [...plain].slice(0, most).join('').trim() || 'Recording';
}

/** The path to which ".mp3" is added. */
export function audioAddress(audioId: number): string {
  return `${authorizedPrefix}/audio/${audioId}`;
}

/** The URL from which browsers fetch playable sound, without signing in. */
export function playAddress(accountId: number, publicKey: string): string {
  return linkTo(`/media/audio/${accountId}/${publicKey}.wav`, 'page');
}
