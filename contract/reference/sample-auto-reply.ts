import type { AutoReply } from '../auto-replies.ts';

const officeHours = { StartTime: '8:00 AM', StopTime: '5:00 PM' };

/** To begin with: the dialog opens with it, and saving makes it an auto reply with an id of its own. */
export const sampleAutoReply: AutoReply = {
  ID: 1000,
  Active: true,
  AutoReplyTypeID: 2,
  Message: 'Thanks for your text. We answer texts Monday to Friday, 8:00 AM to 5:00 PM.',
  Keyword: '',
  DaySchedules: {
    Sunday: null,
    Monday: officeHours,
    Tuesday: officeHours,
    Wednesday: officeHours,
    Thursday: officeHours,
    Friday: officeHours,
    Saturday: null,
  },
  TextNumberIDs: [],
};
