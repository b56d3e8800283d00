import { authorizedPrefix } from '../../contract/call-address.ts';
import { linkTo } from '../media-links.ts';

/** What calls play: "8000 Hz, 64 kbps, mono". */
export const callRate = 8000;

/**
 * The longest sound that is kept. Over two minutes it is flagged and no broadcast can use it; up to here it can still be
 * listened to, downloaded, and perhaps shortened by its silence. Beyond it nothing is decoded at all.
 */
export const mostSeconds = 300;

/** Shorter than a word: nothing that anybody meant to say. */
export const leastSeconds = 0.3;

export const silentAudio = 'This recording is silent. Check your microphone, or choose another file.';
export const shortAudio = 'This recording is too short to be heard.';

/** A file that can't become a message, with the sentence for whoever sent it. */
export class BadAudio extends Error {
  override name = 'BadAudio';
}

/** A name for what was uploaded: that of the file, without folders, ending and control characters. */
export function nameOfFile(fileName: string, most: number): string {
  const last = fileName.split(/[\\/]/).at(-1) ?? '';
  const plain = last
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replace(/\p{C}/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  return [...plain].slice(0, most).join('').trim() || 'Recording';
}

/** The path that ".mp3" is added to. */
export function audioAddress(audioId: number): string {
  return `${authorizedPrefix}/audio/${audioId}`;
}

/** Where browsers fetch what is played, without signing in. */
export function playAddress(accountId: number, publicKey: string): string {
  return linkTo(`/media/audio/${accountId}/${publicKey}.wav`, 'page');
}
