import { creditSegments } from '../text/segments.ts';

/**
 * The cost of one message in units (credits). Texts cost by the specification's segments; calls by started
 * half minutes.
 */

/** Voice credit estimate: 30 per message, with message length divided by 30. */
export const voiceUnitSeconds = 30;

/** Units of a call. A message that isn't recorded yet (length unknown) is estimated at 30 seconds. */
export function voiceUnits(lengthSeconds: number | undefined): number {
  if (lengthSeconds === undefined || !(lengthSeconds > 0)) return 1;
  return Math.ceil(lengthSeconds / voiceUnitSeconds);
}

/** Units of an announcement with a live and a voicemail message: the longer one, since either may be played. */
export function callUnits(liveSeconds: number | undefined, voicemailSeconds?: number): number {
  return Math.max(voiceUnits(liveSeconds), voicemailSeconds === undefined ? 1 : voiceUnits(voicemailSeconds));
}

export interface TextUnitOptions {
  /** Organizations outside the United States and Canada. */
  international?: boolean;
  /** A minimum of 2 units applies when the extra-credit rule is on. */
  extraCredit?: boolean;
}

/** Units of a text of that many characters (signature included). A picture alone is one segment. */
export function textUnits(characters: number, options: TextUnitOptions = {}): number {
  return Math.max(1, creditSegments(characters, options));
}

export type BroadcastType =
  | 'Announcement'
  | 'Survey'
  | 'SMS'
  | 'GroupSMS'
  | 'SMSOrAnnouncement'
  | 'SMSAndAnnouncement'
  | 'SMSOrSurvey'
  | 'SMSAndSurvey';

export interface BroadcastSize {
  BroadcastType: BroadcastType;
  /** Phones that can be texted. */
  textNumbers: number;
  /** Phones that can be called. For "or" types: those that can't be texted. */
  voiceNumbers: number;
  textUnits: number;
  voiceUnits: number;
}

export function sendsTexts(type: BroadcastType): boolean {
  return type.includes('SMS');
}

export function placesCalls(type: BroadcastType): boolean {
  return type.includes('Announcement') || type.includes('Survey');
}

/** The units that a broadcast takes at most: MinCallUnitsRequired. */
export function broadcastUnits(size: BroadcastSize): number {
  const texts = sendsTexts(size.BroadcastType) ? size.textNumbers * size.textUnits : 0;
  const calls = placesCalls(size.BroadcastType) ? size.voiceNumbers * size.voiceUnits : 0;
  return texts + calls;
}
