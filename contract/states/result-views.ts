import { type BroadcastType, placesCalls, sendsTexts } from '../money/units.ts';

/** The last path segment selects a result filter. */
export const resultSegments = [
  'text-results',
  'call-results',
  'survey-results',
  'text-survey-results',
  'transfers',
  'replied',
  'not-replied',
  'read',
  'opted-out',
  'invalid',
  'all',
  'delivered',
  'live-person',
  'not-completed',
] as const;
export type ResultSegment = (typeof resultSegments)[number];

export function resultSegmentOf(path: string): ResultSegment | undefined {
  const last = path.slice(path.lastIndexOf('/') + 1);
  return resultSegments.find((segment) => segment === last);
}

/**
 * Names of tabs are values by which pages identify them. They are keys here, so that they are never
 * translated as words.
 */
const callTabs = Object.keys({
  'All Calls': true,
  'Live Answer': true,
  Voicemail: true,
  'Busy / No Answer': true,
  Invalid: true,
  Incomplete: true,
  Transfers: true,
});
const textTabs = Object.keys({
  'All Texts': true,
  Delivered: true,
  Read: true,
  Failed: true,
  Invalid: true,
  Incomplete: true,
  'Opted Out': true,
  Replied: true,
  'Not Replied': true,
});
export const surveyTabs = ['All Survey Results', 'All Text Survey Results'] as const;

export interface ResultQuestion {
  BroadcastType: BroadcastType;
  IsTextSurvey: boolean;
  IsTransfer: boolean;
  /** True if the text number can tell that a text was read. */
  isRcs: boolean;
}

/** The tabs of a broadcast's results. Read only for RCS-capable numbers; Transfers where calls can be transferred. */
export function resultTabs({ BroadcastType, IsTextSurvey, IsTransfer, isRcs }: ResultQuestion): string[] {
  return [
    ...(placesCalls(BroadcastType) ? callTabs.filter((tab) => tab !== 'Transfers' || IsTransfer) : []),
    ...(sendsTexts(BroadcastType) ? textTabs.filter((tab) => tab !== 'Read' || isRcs) : []),
    ...(BroadcastType.includes('Survey') ? ['All Survey Results'] : []),
    ...(sendsTexts(BroadcastType) && IsTextSurvey ? ['All Text Survey Results'] : []),
  ];
}
