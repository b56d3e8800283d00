import { z } from 'zod';
import { call, flag, id, moment } from './call.ts';
import { sizedList, undoable, undone } from './list.ts';
import type { BroadcastType } from './money/units.ts';
import { selection } from './selection.ts';
import { AUDIO_MAX_BYTES, unsupportedAudio } from './uploads/audio.ts';

/** Ours: as long as a template's name. */
export const audioNameLength = 50;
/** Ours: two minutes of speech are some 1,900 characters, and nobody should give a synthesizer a novel. */
export const speechTextLength = 2_500;
/** Ours: how many files fit into one archive. */
export const mostDownloads = 100;

/** The purpose of a recording. The path endings of the filters are the specification's. */
export const audioTypes = ['announcement', 'survey', 'transfer-connect'] as const;
export type AudioType = (typeof audioTypes)[number];

/** The type under which a message that is made for a broadcast is filed. */
export function audioTypeOf(broadcast: { BroadcastType: BroadcastType; IsTransfer: boolean }): AudioType {
  if (broadcast.BroadcastType.includes('Survey')) return 'survey';
  return broadcast.IsTransfer ? 'transfer-connect' : 'announcement';
}

/** Source of a recording: a file, the recorder, a file that the browser decoded, or typed words. */
const audioOrigins = ['Upload', 'Recording', 'Converted', 'Speech'] as const;
export type AudioOrigin = (typeof audioOrigins)[number];

/** "POST audio file upload with a header naming the origin." The header's name is ours. */
export const audioOriginHeader = 'x-audio-origin';
const uploadOrigins = ['Upload', 'Recording', 'Converted'] as const;

export const audio = z.object({
  AudioID: z.number().int(),
  Name: z.string(),
  /** In seconds, with a tenth. */
  Length: z.number().nonnegative(),
  /** Add ".mp3" to download it; "?Include=archived" finds it after it was deleted. */
  Uri: z.string(),
  /** The asking user's own star. */
  Favorite: z.boolean(),
  Shared: z.boolean(),
  /** Somebody else's: can be used, not changed. Owners and admins can change what is shared. */
  ReadOnly: z.boolean(),
  // Ours from here on.
  AudioType: z.enum(audioTypes),
  Origin: z.enum(audioOrigins),
  /** The file that calls play: 8000 Hz, 64 kbps, mono. It needs no session, its address can't be guessed. */
  PlayUri: z.string(),
  Peaks: z.array(z.number().int().min(0).max(255)),
  /** Silence before the first and after the last sound, in seconds. Cut off when SilenceCut is true. */
  SilenceBefore: z.number().nonnegative(),
  SilenceAfter: z.number().nonnegative(),
  SilenceCut: z.boolean(),
  /** "Audio over 120 seconds is flagged": why a broadcast can't use it, or null. */
  Problem: z.string().nullable(),
  /** The typed words and the voice that read them; null for recordings. */
  Text: z.string().nullable(),
  VoiceID: z.string().nullable(),
  UseCount: z.number().int().nonnegative(),
  LastUsedTimestamp: moment.nullable(),
  AddedBy: z.string(),
  CreateTimestamp: moment,
});
export type Audio = z.output<typeof audio>;

/** A recording as a broadcast names it. */
export const broadcastAudio = z.object({
  AudioID: z.number().int(),
  Name: z.string(),
  /** In seconds, with a tenth. */
  Length: z.number().nonnegative(),
  Uri: z.string(),
  PlayUri: z.string(),
  Peaks: z.array(z.number().int().min(0).max(255)),
  /** The typed words; null for recordings. */
  Text: z.string().nullable(),
});

/** The filters of the list. A selection applies to the same rows. */
const shown = z.object({
  q: z.string().trim().max(200).default(''),
  isfavorite: flag.optional(),
  isshared: flag.optional(),
  unused: flag.optional(),
  /** Ours: the three filters by what a recording is made for. */
  type: z.enum(audioTypes).optional(),
});
export type AudioFilter = z.output<typeof shown>;

export const audioSorts = ['name', '-name', 'newest', 'oldest', 'length', '-length', 'used'] as const;

export const listAudio = call({
  method: 'GET',
  path: '/audio',
  summary:
    'Lists the recordings that the user can use: their own, and shared ones if they can see group audio.',
  allow: 'useMessageLibrary',
  query: shown.extend({
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    pagesize: z.coerce.number().int().min(1).max(100).default(10),
    sort: z.enum(audioSorts).default('name'),
  }),
  reply: sizedList(audio),
});

export const getAudioSummary = call({
  method: 'GET',
  path: '/audio/summary',
  summary: 'Counts the recordings in each view.',
  allow: 'useMessageLibrary',
  reply: z.object({
    All: z.number().int().nonnegative(),
    Favorited: z.number().int().nonnegative(),
    Shared: z.number().int().nonnegative(),
    Unused: z.number().int().nonnegative(),
  }),
});

export const getAudio = call({
  method: 'GET',
  path: '/audio/:AudioID',
  summary: 'Returns a recording.',
  allow: 'useMessageLibrary',
  params: z.object({ AudioID: id }),
  reply: audio,
  errors: ['notFound'],
});

export const uploadAudio = call({
  method: 'POST',
  path: '/audio/file/:FileName',
  summary:
    'Uploads an MP3 or WAV file as the raw body and prepares it for calls. X-Audio-Origin says where the recording came from.',
  allow: 'useMessageLibrary',
  event: 'audio.created',
  uploadBytes: AUDIO_MAX_BYTES,
  isStreamed: true,
  tooLarge: unsupportedAudio,
  params: z.object({ FileName: z.string().min(1).max(200) }),
  query: z.object({
    type: z.enum(audioTypes).default('announcement'),
    /** Without silence at both ends. */
    cutsilence: flag.default(false),
  }),
  headers: z.object({ [audioOriginHeader]: z.enum(uploadOrigins).default('Upload') }),
  reply: audio,
  errors: ['refused', 'tooLarge'],
});

const name = z
  .string()
  .trim()
  .min(1, 'Enter a name')
  .max(audioNameLength, `Name must be at most ${audioNameLength} characters`);

export const updateAudio = call({
  method: 'PUT',
  path: '/audio/:AudioID',
  summary:
    'Renames, stars or shares a recording, or trims silence from its start and end. You can only star recordings of other users.',
  allow: 'useMessageLibrary',
  event: 'audio.updated',
  params: z.object({ AudioID: id }),
  body: z.object({
    Name: name.optional(),
    AudioType: z.enum(audioTypes).optional(),
    Favorite: z.boolean().optional(),
    Shared: z.boolean().optional(),
    SilenceCut: z.boolean().optional(),
  }),
  reply: audio,
  errors: ['notFound', 'refused'],
});

const changed = undoable.extend({ Size: z.number().int().nonnegative() });

export const updateAudioSelection = call({
  method: 'PUT',
  path: '/audio',
  summary: 'Stars or shares the selected recordings that match the filter.',
  allow: 'useMessageLibrary',
  event: 'audio.updated',
  query: shown,
  body: z.object({
    Selection: selection,
    Update: z.union([z.strictObject({ Favorite: z.boolean() }), z.strictObject({ Shared: z.boolean() })]),
  }),
  reply: changed,
});

export const deleteAudio = call({
  method: 'DELETE',
  path: '/audio',
  summary: 'Deletes the selected recordings that match the filter, except read-only ones.',
  allow: 'useMessageLibrary',
  event: 'audio.deleted',
  query: shown,
  body: z.object({ Selection: selection }),
  reply: changed,
});

export const undoAudio = call({
  method: 'POST',
  path: '/audio/undo/:UndoID',
  summary: 'Undoes a change to recordings.',
  allow: 'useMessageLibrary',
  event: 'audio.restored',
  params: z.object({ UndoID: id }),
  reply: undone,
  errors: ['notFound'],
});

export const downloadAudio = call({
  method: 'GET',
  path: '/audio/:AudioID.mp3',
  summary: 'Downloads a recording as MP3. Include=archived also finds deleted recordings.',
  allow: 'useMessageLibrary',
  params: z.object({ AudioID: id }),
  query: z.object({ Include: z.enum(['archived']).optional() }),
  reply: z.unknown(),
  errors: ['notFound'],
  download: true,
});

export const downloadAudioSelection = call({
  method: 'GET',
  path: '/audio/selection.zip',
  summary: 'Downloads the selected recordings as MP3 files in one archive.',
  allow: 'useMessageLibrary',
  query: shown.extend({
    select: z.enum(['Selected', 'SelectedAll', 'SelectedAllExcept']),
    items: z
      .string()
      .regex(/^(\d{1,15}(,\d{1,15}){0,999})?$/, 'Items must be a comma-separated list of IDs')
      .default(''),
  }),
  reply: z.unknown(),
  errors: ['refused'],
  download: true,
});

/** A voice that can read typed words. Ours, as everything below: the specification only gives the rules. */
const voice = z.object({
  VoiceID: z.string(),
  Name: z.string(),
  /** As in "en-US". */
  Language: z.string(),
  Provider: z.string(),
  /** Sounds like a person. The built-in ones are clear, but mechanical. */
  IsNatural: z.boolean(),
});
export type Voice = z.output<typeof voice>;

export const listVoices = call({
  method: 'GET',
  path: '/audio/voices',
  summary: 'Lists the text-to-speech voices. Omits voices of a service that isn’t responding.',
  allow: 'useMessageLibrary',
  reply: z.object({ Items: z.array(voice) }),
});

const spoken = z.object({
  Text: z
    .string()
    .trim()
    .min(1, 'Message text is required')
    .max(speechTextLength, `Message text must be at most ${speechTextLength} characters`),
  VoiceID: z.string().min(1).max(120),
  /** 1 is the voice's own pace. */
  Rate: z.number().min(0.7).max(1.3).default(1),
});

export const previewSpeech = call({
  method: 'POST',
  path: '/audio/speech/preview',
  summary:
    'Converts text to speech without saving it. Returns a WAV file in Base64 and any problem with its length.',
  allow: 'useMessageLibrary',
  event: 'none',
  body: spoken,
  reply: z.object({
    Length: z.number().nonnegative(),
    Peaks: audio.shape.Peaks,
    Wav: z.string(),
    Problem: z.string().nullable(),
  }),
  errors: ['refused', 'unavailable'],
});

export const createSpeech = call({
  method: 'POST',
  path: '/audio/speech',
  summary: 'Converts text to speech and saves the recording.',
  allow: 'useMessageLibrary',
  event: 'audio.created',
  body: spoken.extend({ Name: name, AudioType: z.enum(audioTypes).default('announcement') }),
  reply: audio,
  errors: ['refused', 'unavailable'],
});
