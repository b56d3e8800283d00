import { z } from 'zod';
import { call } from './call.ts';
import { historyItem } from './contacts.ts';
import { nextList } from './list.ts';

/** Ours: the spec names these reports and not their calls. */
const range = { 'date-from': z.iso.date().optional(), 'date-to': z.iso.date().optional() };
/** Ours: a year and a day, so that a leap year fits. */
export const mostReportDays = 366;

const count = z.number().int();
const activity = { Sent: count, Delivered: count, Failed: count, Received: count, Credits: count };

const activityQuery = z.object({
  ...range,
  /** Of one text number; of all that the user can use without it. */
  textNumberID: z.coerce.number().int().positive().optional(),
});

export const getTextActivity = call({
  method: 'GET',
  path: '/reports/text-activity',
  summary:
    'Returns texts sent and received by day and by text number, and the totals of the days before. Covers 30 days if no dates are given.',
  allow: 'seeTextActivity',
  query: activityQuery,
  reply: z.object({
    StartDate: z.iso.date(),
    EndDate: z.iso.date(),
    Total: z.object(activity),
    /** As many days right before these. */
    Before: z.object(activity),
    Days: z.array(z.object({ Date: z.iso.date(), ...activity })),
    Numbers: z.array(
      z.object({ TextNumberID: count, TextNumber: z.string(), Name: z.string(), ...activity }),
    ),
  }),
  errors: ['notFound'],
});

export const downloadTextActivity = call({
  method: 'GET',
  path: '/reports/text-activity.csv',
  summary: 'Downloads text activity: one row per day and text number.',
  allow: 'seeTextActivity',
  query: activityQuery,
  reply: z.unknown(),
  download: true,
  errors: ['notFound'],
});

/** A phone in a path, as one types it. */
const params = z.object({ Number: z.string().min(1).max(60) });

export const listPhoneHistory = call({
  method: 'GET',
  path: '/phonenumbers/:Number/history',
  summary: 'Lists what happened with a phone: texts, calls, consent, and how its contacts were added.',
  allow: 'seePhoneNumberHistory',
  params,
  query: z.object({
    pagesize: z.coerce.number().int().min(1).max(100).default(25),
    next: z.string().max(400).optional(),
  }),
  reply: nextList(historyItem).extend({
    PhoneNumber: z.string(),
    /** Those who have it, as far as the user sees them. */
    Contacts: z.array(z.object({ PersonID: count, FirstName: z.string(), LastName: z.string() })),
  }),
  errors: ['notFound'],
});

export const downloadPhoneHistory = call({
  method: 'GET',
  path: '/phonenumbers/:Number/history.csv',
  summary: 'Downloads everything that happened with a phone.',
  allow: 'seePhoneNumberHistory',
  params,
  reply: z.unknown(),
  download: true,
  errors: ['notFound'],
});
