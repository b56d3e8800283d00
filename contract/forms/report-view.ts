import { z } from 'zod';

/** Intervals at which a saved report is mailed. */
export const reportSchedules = ['never', 'weekly', 'monthly'] as const;
export type ReportSchedule = (typeof reportSchedules)[number];

/** A report under a name, as it is saved. */
export const reportViewForm = z.object({
  Name: z.string().trim().min(1, 'Enter a name').max(50, 'Name cannot be longer than 50 characters.'),
  Schedule: z.enum(reportSchedules),
});
