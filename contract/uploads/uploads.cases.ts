import { ruleTable } from '../testing/rule-table.ts';
import type { ImageUse } from './image.ts';

const MB = 1024 * 1024;
type File = { name: string; bytes: number };

export const imageFiles = ruleTable<File & { use?: ImageUse }, string | undefined>({
  about: 'Image uploads',
  file: 'contract/uploads/image.ts',
  rows: [
    {
      rule: 'Images: jpg, jpeg, gif, png',
      message: 'Unsupported image format.',
      cases: [
        [{ name: 'snow.jpg', bytes: 1000 }, undefined],
        [{ name: 'snow.JPEG', bytes: 1000 }, undefined],
        [{ name: 'snow.gif', bytes: 1000 }, undefined],
        [{ name: 'snow.day.png', bytes: 1000 }, undefined],
        [{ name: 'snow.webp', bytes: 1000 }, 'Unsupported image format.'],
        [{ name: 'snow.png.exe', bytes: 1000 }, 'Unsupported image format.'],
        [{ name: 'png', bytes: 1000 }, 'Unsupported image format.'],
        [{ name: '.png', bytes: 1000 }, 'Unsupported image format.'],
      ],
    },
    {
      rule: 'max 5 MB ("File size for {ext} files shouldn\'t exceed 5 MB")',
      message: "File size for {ext} files shouldn't exceed 5 MB",
      cases: [
        [{ name: 'snow.png', bytes: 5 * MB }, undefined],
        [{ name: 'snow.png', bytes: 5 * MB + 1 }, "File size for png files shouldn't exceed 5 MB"],
        [{ name: 'snow.JPG', bytes: 6 * MB }, "File size for jpg files shouldn't exceed 5 MB"],
      ],
    },
    {
      rule: 'In the conversation dialog only png or jpg are accepted',
      message: 'Unsupported image format. You can send either .png or .jpg images.',
      cases: [
        [{ name: 'snow.png', bytes: 1000, use: 'conversation' }, undefined],
        [{ name: 'snow.jpg', bytes: 1000, use: 'conversation' }, undefined],
        [
          { name: 'snow.gif', bytes: 1000, use: 'conversation' },
          'Unsupported image format. You can send either .png or .jpg images.',
        ],
      ],
    },
    {
      rule: 'Missing upload: "No file provided."',
      message: 'No file provided.',
      cases: [[{ name: 'snow.png', bytes: 0 }, 'No file provided.']],
    },
  ],
});

/** First bytes as hexadecimal digits; the type that they are. */
export const imageBytes = ruleTable<string, string | undefined>({
  about: 'Image magic bytes',
  file: 'contract/uploads/image.ts',
  rows: [
    {
      rule: 'Magic bytes are checked',
      cases: [
        ['ffd8ffe000104a464946', 'image/jpeg'],
        ['89504e470d0a1a0a0000', 'image/png'],
        ['474946383961', 'image/gif'],
        ['474946383761', 'image/gif'],
        ['474946383861', undefined],
        ['52494646000000005745425056', undefined],
        ['3c3f786d6c', undefined],
        ['4d5a9000', undefined],
        ['ffd8', undefined],
        ['', undefined],
      ],
    },
  ],
});

const unsupportedAudio =
  'Unsupported audio file. Use an mp3 file, or a wav file with 8000 Hz, 64 kbps and one channel (mono), of at most 50 MB.';

export const audioFiles = ruleTable<File, string | undefined>({
  about: 'Audio uploads',
  file: 'contract/uploads/audio.ts',
  rows: [
    {
      rule: 'Audio: mp3 or wav only, max 50 MB',
      message: unsupportedAudio,
      cases: [
        [{ name: 'hello.mp3', bytes: 1000 }, undefined],
        [{ name: 'hello.WAV', bytes: 50 * MB }, undefined],
        [{ name: 'hello.wav', bytes: 50 * MB + 1 }, unsupportedAudio],
        [{ name: 'hello.ogg', bytes: 1000 }, unsupportedAudio],
        [{ name: 'hello.mp3', bytes: 0 }, 'No file provided.'],
      ],
    },
  ],
});

/** A wav header made of these, 8 bits a sample; or undefined for bytes that are none. */
type Header = { sampleRate: number; channels: number; bits: number; seconds: number };

export const wavHeaders = ruleTable<Header, number | string>({
  about: 'Wav format (seconds, or the message)',
  file: 'contract/uploads/audio.ts',
  rows: [
    {
      rule: 'Wav must be 8000 Hz, 64 kbps, mono',
      message: unsupportedAudio,
      cases: [
        [{ sampleRate: 8000, channels: 1, bits: 8, seconds: 30 }, 30],
        [{ sampleRate: 8000, channels: 1, bits: 16, seconds: 30 }, unsupportedAudio],
        [{ sampleRate: 8000, channels: 2, bits: 8, seconds: 30 }, unsupportedAudio],
        [{ sampleRate: 44_100, channels: 1, bits: 8, seconds: 30 }, unsupportedAudio],
      ],
    },
  ],
});

export const longAudio = ruleTable<number, string | undefined>({
  about: 'Voice message length',
  file: 'contract/uploads/audio.ts',
  rows: [
    {
      rule: 'Voice message over 2 minutes',
      message: 'Your message cannot exceed 2 minutes. The message you selected is {n} seconds long.',
      cases: [
        [119.5, undefined],
        [120, undefined],
        [120.2, 'Your message cannot exceed 2 minutes. The message you selected is 121 seconds long.'],
        [200, 'Your message cannot exceed 2 minutes. The message you selected is 200 seconds long.'],
      ],
    },
  ],
});

export const pastedTexts = ruleTable<string, boolean>({
  about: 'Pasted file contents',
  file: 'contract/uploads/pasted-text.ts',
  rows: [
    {
      rule: 'Pasted file contents with non-ASCII characters are detected',
      cases: [
        ['Ana, 4235550143\n', false],
        ['José, 4235550143', true],
        ['\u00a04235550143', true],
        ['', false],
      ],
    },
  ],
});
