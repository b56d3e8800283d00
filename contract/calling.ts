import { z } from 'zod';
import { audioTypes } from './audio.ts';
import { call, id, moment } from './call.ts';
import { asynchronousMessages } from './fields/asynchronous-checks.ts';
import { launchHints } from './forms/phone-launch.ts';
import { limits } from './reference/limits.ts';
import { AUDIO_MAX_BYTES, unsupportedAudio } from './uploads/audio.ts';

/** Ours: error messages about calls, where the specification gives none. */
export const callingRefusals = {
  transferNotEnabled: 'Transfer must be enabled first in voice settings.',
  notApproved: 'This transfer number isn’t approved yet.',
  notYours: 'Use one of your own numbers as the caller ID, or verify this one first.',
  noProvider: 'Calls aren’t set up on this installation yet.',
  wrongCode: 'That’s not the code we read out.',
  tooManyTries: 'Too many wrong codes. Delete this number and add it again.',
  nothingToCall: 'This broadcast has no more calls to make.',
  messageGiven: 'This broadcast already has that message.',
  beingRecorded: 'This message is already being recorded.',
  noPhone: 'Enter the phone number that we should call.',
  verifiedElsewhere: 'Another organization has verified this number.',
  notVerified: 'During the free trial, you can call only verified numbers.',
} as const;

/** A number that people who press 0 are connected to. */
const transferNumber = z.object({
  ID: z.number().int(),
  PhoneNumber: z.string(),
  Status: z.enum(['Pending', 'Approved']),
  IsDefault: z.boolean(),
});
export type TransferNumber = z.output<typeof transferNumber>;

export const listTransferNumbers = call({
  method: 'GET',
  path: '/transfernumbers',
  summary: 'Lists the numbers that calls can be transferred to. The default comes first.',
  allow: 'seeBroadcasts',
  reply: z.object({ Items: z.array(transferNumber) }),
});

export const addTransferNumber = call({
  method: 'POST',
  path: '/transfernumbers',
  summary:
    'Adds a transfer number. The organization’s own numbers are approved at once; we call others and read out a code.',
  allow: 'editVoiceSettings',
  event: 'transferNumber.created',
  takesIdempotencyKey: true,
  body: z.object({ PhoneNumber: z.string().trim().min(1, 'Enter a Transfer Number').max(60) }),
  reply: transferNumber,
  errors: ['refused', 'conflict', 'keyReused', 'tooManyAttempts'],
});

export const updateTransferNumber = call({
  method: 'PUT',
  path: '/transfernumbers/:TransferNumberID',
  summary:
    'Approves a transfer number with the code from the call (Code), makes it the default, or calls it again (CallAgain).',
  allow: 'editVoiceSettings',
  event: 'transferNumber.updated',
  params: z.object({ TransferNumberID: id }),
  body: z.object({
    Code: z.string().trim().max(10).optional(),
    IsDefault: z.boolean().optional(),
    CallAgain: z.boolean().optional(),
  }),
  reply: transferNumber,
  errors: ['notFound', 'refused', 'tooManyAttempts'],
});

export const deleteTransferNumber = call({
  method: 'DELETE',
  path: '/transfernumbers/:TransferNumberID',
  summary: 'Deletes a transfer number. Broadcasts that were sent keep it.',
  allow: 'editVoiceSettings',
  event: 'transferNumber.deleted',
  params: z.object({ TransferNumberID: id }),
  reply: z.object({}),
  errors: ['notFound'],
});

/**
 * Ours: a number that can be used as the caller ID: one of the account's text numbers, or one verified by a
 * call.
 */
const callerId = z.object({
  CallerIDID: z.number().int().nullable(),
  PhoneNumber: z.string(),
  Name: z.string(),
  Status: z.enum(['Pending', 'Verified']),
  /** The user’s own setting. */
  IsDefault: z.boolean(),
  /** While it is pending: what to type into the telephone when it rings. */
  Code: z.string(),
});
export type CallerID = z.output<typeof callerId>;

export const listCallerIds = call({
  method: 'GET',
  path: '/callerids',
  summary: 'Lists the numbers that the user can call from: the organization’s own, and verified ones.',
  allow: 'seeBroadcasts',
  reply: z.object({ Items: z.array(callerId) }),
});

export const addCallerId = call({
  method: 'POST',
  path: '/callerids',
  summary: 'Verifies a caller ID: the number is called, and the person types the returned code.',
  allow: 'editVoiceSettings',
  event: 'callerId.created',
  body: z.object({
    PhoneNumber: z.string().trim().min(1, 'Enter a Caller ID').max(60),
    Name: z.string().trim().max(50, 'Name must be at most 50 characters').default(''),
  }),
  reply: callerId,
  errors: ['refused', 'conflict', 'unavailable'],
});

export const deleteCallerId = call({
  method: 'DELETE',
  path: '/callerids/:CallerIDID',
  summary: 'Deletes a verified caller ID.',
  allow: 'editVoiceSettings',
  event: 'callerId.deleted',
  params: z.object({ CallerIDID: id }),
  reply: z.object({}),
  errors: ['notFound'],
});

// The messages of a broadcast that has been sent without them

const params = z.object({ BroadcastID: id });
const given = z.object({
  BroadcastID: z.number().int(),
  AudioID: z.number().int(),
  BroadcastStatus: z.string(),
});
const audioBody = z.object({ AudioID: id });
const upload = {
  uploadBytes: AUDIO_MAX_BYTES,
  isStreamed: true,
  tooLarge: unsupportedAudio,
} as const;

export const setBroadcastAudio = call({
  method: 'PUT',
  path: '/broadcasts/:BroadcastID/Audio',
  summary: 'Gives a draft or a broadcast that needs its message the recording for live answers.',
  allow: 'manageBroadcasts',
  event: 'broadcast.messageGiven',
  params,
  body: audioBody,
  reply: given,
  errors: ['notFound', 'refused', 'conflict'],
});

export const setBroadcastAudioVM = call({
  ...setBroadcastAudio,
  path: '/broadcasts/:BroadcastID/AudioVM',
  summary: 'The same for voicemail.',
});

export const uploadBroadcastAudio = call({
  method: 'POST',
  path: '/broadcasts/:BroadcastID/Audio',
  summary: 'Uploads an MP3 or WAV file as the raw body and uses it for live answers.',
  allow: 'manageBroadcasts',
  event: 'broadcast.messageGiven',
  ...upload,
  params,
  reply: given,
  errors: ['notFound', 'refused', 'conflict', 'tooLarge'],
});

export const uploadBroadcastAudioVM = call({
  ...uploadBroadcastAudio,
  path: '/broadcasts/:BroadcastID/AudioVM',
  summary: 'The same for voicemail.',
});

// Recording by telephone, and hearing it there

/** Ours: a message recorded by telephone. We call the person, who speaks, listens to it and keeps it. */
const recording = z.object({
  ID: z.number().int(),
  Uri: z.string(),
  BroadcastID: z.number().int().nullable(),
  Part: z.enum(['Audio', 'AudioVM']),
  /**
   * Waiting: to be recorded; Calling: the call is under way; Keeping: it was recorded and is being made ready; Kept:
   * AudioID is it; Failed: nothing was recorded, Note says why.
   */
  State: z.enum(['Waiting', 'Calling', 'Keeping', 'Kept', 'Failed']),
  AudioID: z.number().int().nullable(),
  PhoneNumber: z.string(),
  /** Reason for a failure, or advice. */
  Note: z.string(),
  CreateTimestamp: moment,
});
export type Recording = z.output<typeof recording>;

export const createRecording = call({
  method: 'POST',
  path: '/recordings',
  summary: 'Calls a phone to record a message there. It becomes part of the audio library.',
  allow: 'createVoiceBroadcast',
  event: 'recording.started',
  body: z.object({
    PhoneNumber: z.string().trim().max(60).default(''),
    AudioType: z.enum(audioTypes).default('announcement'),
  }),
  reply: recording,
  errors: ['refused', 'unavailable'],
});

export const getRecording = call({
  method: 'GET',
  path: '/recordings/:RecordingID',
  summary: 'Returns the state of a recording by telephone.',
  allow: 'seeBroadcasts',
  params: z.object({ RecordingID: id }),
  reply: recording,
  errors: ['notFound'],
});

export const listRecordings = call({
  method: 'GET',
  path: '/broadcasts/:BroadcastID/recordings',
  summary: 'Lists the messages that a broadcast still needs.',
  allow: 'seeBroadcasts',
  params,
  reply: z.object({ Items: z.array(recording) }),
  errors: ['notFound'],
});

export const callForRecording = call({
  method: 'POST',
  path: '/recordings/:RecordingID/call',
  summary: 'Calls the user’s phone or the given one to record the message.',
  allow: 'createVoiceBroadcast',
  event: 'recording.started',
  params: z.object({ RecordingID: id }),
  body: z.object({ PhoneNumber: z.string().trim().max(60).default('') }),
  reply: recording,
  errors: ['notFound', 'refused', 'conflict', 'unavailable'],
});

export const testCall = call({
  method: 'POST',
  path: '/draft-broadcasts/:DraftBroadcastID/call',
  summary: 'Calls the user’s phone or the given one and plays the message for live answers or for voicemail.',
  allow: 'createVoiceBroadcast',
  event: 'broadcast.tested',
  takesIdempotencyKey: true,
  params: z.object({ DraftBroadcastID: id }),
  body: z.object({
    Part: z.enum(['Audio', 'AudioVM']).default('Audio'),
    PhoneNumber: z.string().trim().max(60).default(''),
  }),
  reply: z.object({ PhoneNumber: z.string(), Credits: z.number().int() }),
  errors: ['notFound', 'refused', 'notEnoughCredits', 'keyReused', 'unavailable'],
});

// Starting a broadcast by telephone

const launchId = z
  .string()
  .trim()
  .regex(new RegExp(`^[0-9]{${limits.launchId.min},${limits.launchId.max}}$`), launchHints.launchId);

export const getIvrAuthorization = call({
  method: 'GET',
  path: '/ivrauthorization/:PhoneLaunchID',
  summary:
    'Tells whether a phone launch ID can be taken: 200 if it’s the user’s own, 403 if it’s taken, 404 if it’s free.',
  allow: 'createVoiceBroadcast',
  params: z.object({ PhoneLaunchID: launchId }),
  reply: z.object({ PhoneLaunchID: z.string(), Message: z.literal(asynchronousMessages.launchIdOwn) }),
  errors: ['notFound', 'forbidden'],
});

/** Ours: how the user starts broadcasts by telephone. */
const phoneLaunch = z.object({
  /** Empty where none was chosen. */
  PhoneLaunchID: z.string(),
  HasPIN: z.boolean(),
  /** After too many wrong PINs: nothing is accepted until then. */
  LockedUntil: moment.nullable(),
  /** The numbers that can be called. */
  PhoneNumbers: z.array(z.string()),
});
export type PhoneLaunch = z.output<typeof phoneLaunch>;

export const getPhoneLaunch = call({
  method: 'GET',
  path: '/phonelaunch',
  summary: 'Returns the user’s phone launch ID, and the numbers to call to start a broadcast by telephone.',
  allow: 'createVoiceBroadcast',
  reply: phoneLaunch,
});

export const setPhoneLaunch = call({
  method: 'PUT',
  path: '/phonelaunch',
  summary: 'Sets the user’s phone launch ID and PIN. An empty PIN keeps the one that was set before.',
  allow: 'createVoiceBroadcast',
  event: 'phoneLaunch.updated',
  body: z.object({ PhoneLaunchID: z.string().max(60), PIN: z.string().max(60).default('') }),
  reply: phoneLaunch,
  errors: ['refused', 'conflict'],
});

export const deletePhoneLaunch = call({
  method: 'DELETE',
  path: '/phonelaunch',
  summary: 'Deletes the user’s phone launch ID and PIN: they can’t start broadcasts by telephone any more.',
  allow: 'createVoiceBroadcast',
  event: 'phoneLaunch.deleted',
  reply: phoneLaunch,
});
