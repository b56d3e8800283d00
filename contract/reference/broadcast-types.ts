import type { BroadcastType } from '../money/units.ts';

/** What can be chosen; which of them call and which text is said in contract/money/units.ts. */
export const broadcastTypes = [
  ...(['Announcement', 'Survey', 'SMS', 'GroupSMS', 'SMSOrAnnouncement'] as const),
  ...(['SMSAndAnnouncement', 'SMSOrSurvey', 'SMSAndSurvey'] as const),
] as const satisfies readonly BroadcastType[];

/** What a draft is until somebody chooses. */
export const defaultDraftType: BroadcastType = 'GroupSMS';
