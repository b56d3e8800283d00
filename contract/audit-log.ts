import { z } from 'zod';
import { auditAreas } from './audit-areas.ts';
import { call, id, moment } from './call.ts';
import { nextList } from './list.ts';

const day = z.string().regex(/^\d{4}-\d\d-\d\d$/, 'Use a date such as 2026-03-04');

const filters = {
  /**
   * Words from the description of the event, in the user's own language, or from the name of whoever did it.
   */
  q: z.string().trim().max(200).default(''),
  /** Somebody's id, or `system` for what Muster did by itself. */
  who: z.union([z.literal('system'), id]).optional(),
  what: z.enum(auditAreas).optional(),
  /** The id of the thing that it was about; needs `what`. */
  object: id.optional(),
  /** Days in the user's own time zone, both included. */
  'date-from': day.optional(),
  'date-to': day.optional(),
};

const fieldChange = z.object({ Field: z.string(), Before: z.string().nullable(), After: z.string() });

const auditEntry = z.object({
  /** Its place in the log, for a link to it. */
  EntryID: z.string(),
  Number: z.number().int(),
  Timestamp: moment,
  Kind: z.string(),
  /** The event, as a person would describe it. */
  What: z.string(),
  Area: z.enum(auditAreas),
  Who: z.object({
    Kind: z.enum(['user', 'key', 'operator', 'system']),
    UserID: z.number().nullable(),
    Name: z.string(),
  }),
  Address: z.string(),
  /** "Chrome on Windows". */
  Agent: z.string(),
  /** The subject, where it is one thing: its current name, empty once it is deleted. */
  Object: z.object({ ID: z.number(), Name: z.string() }).nullable(),
  /** The number of subjects. */
  Count: z.number().int(),
  Changes: z.array(fieldChange),
});

export const listAuditLog = call({
  method: 'GET',
  path: '/account/auditlog',
  summary: 'Lists who did what in the account, newest first.',
  allow: 'seeAuditLog',
  query: z.object({
    ...filters,
    /** Only the entry with this EntryID. */
    entry: z.string().max(400).optional(),
    pagesize: z.coerce.number().int().min(1).max(200).default(50),
    next: z.string().max(400).optional(),
  }),
  reply: nextList(auditEntry).extend({
    /**
     * The days of these entries in the user's own time zone, with how many entries of each fit the filters: 1,000 where
     * there are more.
     */
    Days: z.array(z.object({ Date: z.iso.date(), Count: z.number().int() })),
    /** Months that entries are kept. */
    KeptMonths: z.number().int(),
  }),
});

export const downloadAuditLog = call({
  method: 'GET',
  path: '/account/auditlog/csv',
  summary: 'The audit log as a CSV file, with the same filters.',
  allow: 'seeAuditLog',
  download: true,
  query: z.object(filters),
  reply: z.unknown(),
});
