import { extensionOf, noFileProvided, startsWith } from './file-name.ts';

export type AudioType = 'audio/mpeg' | 'audio/wav';

export const AUDIO_MAX_BYTES = 50 * 1024 * 1024;
/** "Voice message max 2 minutes (120 s)": a longer one opens the message-too-long dialog. */
export const AUDIO_MAX_SECONDS = 120;
/** Headers of wav files can hold descriptions before the sound; this much finds it in all but odd ones. */
export const AUDIO_HEAD_BYTES = 64 * 1024;

/** "Wav must be 8000 Hz, 64 kbps, mono." */
const wavFormat = { sampleRate: 8000, bitsPerSecond: 64_000, channels: 1 } as const;

/** The specification only says that the message mentions the requirements. */
export const unsupportedAudio =
  'Unsupported audio file. Use an mp3 file, or a wav file with 8000 Hz, 64 kbps and one channel (mono), of at most 50 MB.';

/** Checks that are possible before a byte is read. */
export function checkAudioFile(name: string, bytes: number): string | undefined {
  const extension = extensionOf(name);
  if (extension !== 'mp3' && extension !== 'wav') return unsupportedAudio;
  if (bytes === 0) return noFileProvided;
  return bytes > AUDIO_MAX_BYTES ? unsupportedAudio : undefined;
}

/** The type that the bytes are, whatever the name says. */
export function sniffAudio(head: Uint8Array): AudioType | undefined {
  if (isText(head, 0, 'RIFF') && isText(head, 8, 'WAVE')) return 'audio/wav';
  // Either a tag or the eleven set bits of a frame, whose layer must be III and bitrate and rate must exist.
  if (startsWith(head, [0x49, 0x44, 0x33])) return 'audio/mpeg';
  const [first = 0, second = 0, third = 0] = head;
  const isFrame = first === 0xff && (second & 0xe6) === 0xe2 && (second & 0x18) !== 0x08;
  return isFrame && third >> 4 !== 0x0f && (third & 0x0c) !== 0x0c ? 'audio/mpeg' : undefined;
}

export interface Wav {
  sampleRate: number;
  channels: number;
  bitsPerSecond: number;
  /** From the size of the sound as the header gives it. */
  seconds: number;
}

/** Reads a wav header; undefined when the sound doesn't begin within the bytes given. */
export function readWav(head: Uint8Array): Wav | undefined {
  if (sniffAudio(head) !== 'audio/wav') return undefined;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  let format: Omit<Wav, 'seconds'> | undefined;
  // Chunks: a name of four letters, the size, the content padded to an even length.
  for (let at = 12; at + 8 <= head.length; ) {
    const size = view.getUint32(at + 4, true);
    if (isText(head, at, 'fmt ') && at + 24 <= head.length) {
      format = {
        channels: view.getUint16(at + 10, true),
        sampleRate: view.getUint32(at + 12, true),
        bitsPerSecond: view.getUint32(at + 16, true) * 8,
      };
    } else if (isText(head, at, 'data')) {
      return format && format.bitsPerSecond > 0
        ? { ...format, seconds: (size * 8) / format.bitsPerSecond }
        : undefined;
    }
    at += 8 + size + (size % 2);
  }
  return undefined;
}

export type AudioCheck =
  | { type: AudioType; seconds: number | undefined; error?: undefined }
  | { type?: undefined; seconds?: undefined; error: string };

/** Checks the first bytes. The length of an mp3 is only known after it has been decoded. */
export function checkAudioBytes(head: Uint8Array): AudioCheck {
  const type = sniffAudio(head);
  if (type === 'audio/mpeg') return { type, seconds: undefined };
  const wav = type && readWav(head);
  if (!wav) return { error: unsupportedAudio };
  const fits =
    wav.sampleRate === wavFormat.sampleRate &&
    wav.channels === wavFormat.channels &&
    wav.bitsPerSecond === wavFormat.bitsPerSecond;
  return fits ? { type: 'audio/wav', seconds: wav.seconds } : { error: unsupportedAudio };
}

/** "Audio over 120 seconds is flagged": the sentence, or undefined. */
export function audioTooLong(seconds: number): string | undefined {
  if (seconds <= AUDIO_MAX_SECONDS) return undefined;
  return `Your message cannot exceed 2 minutes. The message you selected is ${Math.ceil(seconds)} seconds long.`;
}

function isText(bytes: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i += 1) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}
