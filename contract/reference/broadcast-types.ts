import type { BroadcastType } from '../money/units.ts';

/** The types to choose from. contract/money/units.ts says which of them call and which text. */
export const broadcastTypes = [
  ...(['Announcement', 'Survey', 'SMS', 'GroupSMS', 'SMSOrAnnouncement'] as const),
  ...(['SMSAndAnnouncement', 'SMSOrSurvey', 'SMSAndSurvey'] as const),
] as const satisfies readonly BroadcastType[];

/** The type of a draft until somebody chooses one. */
export const defaultDraftType: BroadcastType = 'GroupSMS';
