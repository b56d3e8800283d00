import { z } from 'zod';
import { call, id, moment } from './call.ts';
import { historyItem } from './contacts.ts';
import { reportSchedules, reportViewForm } from './forms/report-view.ts';
import { nextList } from './list.ts';
import { reportKinds } from './permissions.ts';
import { invoiceStatusCategories } from './states/invoice-status.ts';

/** Ours: the spec names these reports, but not their calls. */
const range = { 'date-from': z.iso.date().optional(), 'date-to': z.iso.date().optional() };
/** Ours: a year and a day, so that a leap year fits. */
export const mostReportDays = 366;

const count = z.number().int();
const activity = {
  /** Accepted by a carrier. */
  Sent: count,
  /** Not accepted by any carrier. Sent and Refused together were attempted; Failed counts the refused ones too. */
  Refused: count,
  Delivered: count,
  Failed: count,
  Received: count,
  Credits: count,
};

const reportNumber = {
  TextNumberID: count,
  TextNumber: z.string(),
  Name: z.string(),
  /** It was given up and no longer works: owners and admins see what went over it. */
  IsReleased: z.boolean(),
};

const activityQuery = z.object({
  ...range,
  /** Only this text number; without it, all that the user can use. */
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
    /** The same number of days right before these. */
    Before: z.object(activity),
    Days: z.array(z.object({ Date: z.iso.date(), ...activity })),
    Numbers: z.array(z.object({ ...reportNumber, ...activity })),
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

/** A phone in a path, as typed. */
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
    /** The contacts who have it, as far as the user may see them. */
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

export const getCreditDays = call({
  method: 'GET',
  path: '/reports/credit-balance',
  summary:
    'Returns the credit balance at the end of each day, and what was bought, given, refunded and used. Covers a year if no dates are given.',
  allow: 'seeCreditBalance',
  query: z.object(range),
  reply: z.object({
    StartDate: z.iso.date(),
    EndDate: z.iso.date(),
    /** Before the first day, and at the end of the last. */
    Before: count,
    Balance: count,
    Bought: count,
    Given: count,
    Refunded: count,
    Used: count,
    Days: z.array(z.object({ Date: z.iso.date(), Balance: count })),
  }),
});

const dollars = z.number();
export const getBillingMonths = call({
  method: 'GET',
  path: '/reports/billing-history',
  summary: 'Returns what was paid by card each month, and what for. Covers a year if no dates are given.',
  allow: 'seeBillingHistory',
  query: z.object(range),
  reply: z.object({
    StartDate: z.iso.date(),
    EndDate: z.iso.date(),
    Paid: dollars,
    Refunded: dollars,
    Payments: count,
    Credits: dollars,
    Subscriptions: dollars,
    Invoices: dollars,
    /** "2026-03" */
    Months: z.array(
      z.object({ Month: z.string(), Credits: dollars, Subscriptions: dollars, Invoices: dollars }),
    ),
  }),
});

export const getInvoiceMonths = call({
  method: 'GET',
  path: '/reports/invoices',
  summary: 'Returns what was invoiced each month, paid and due. Covers a year if no dates are given.',
  allow: 'seeInvoices',
  query: z.object({ ...range, category: z.enum(invoiceStatusCategories).optional() }),
  reply: z.object({
    StartDate: z.iso.date(),
    EndDate: z.iso.date(),
    Invoices: count,
    Total: dollars,
    Paid: dollars,
    Due: dollars,
    Months: z.array(z.object({ Month: z.string(), Paid: dollars, Due: dollars })),
  }),
});

/** "2026-03-02", or "2026-03" where the range is long. */
const period = { Period: z.string() };

export const getOptOutCounts = call({
  method: 'GET',
  path: '/reports/opt-outs',
  summary:
    'Returns when the phones that are opted out did so, by day or by month. Covers a year if no dates are given.',
  allow: 'seeOptOutReport',
  query: z.object(range),
  reply: z.object({
    StartDate: z.iso.date(),
    EndDate: z.iso.date(),
    Texts: count,
    Calls: count,
    Periods: z.array(z.object({ ...period, Texts: count, Calls: count })),
  }),
});

export const getOptInCounts = call({
  method: 'GET',
  path: '/reports/opt-ins',
  summary:
    'Returns when the phones that agreed to get texts did so, by day or by month. Covers a year if no dates are given.',
  allow: 'seePromotionalOptIn',
  query: z.object(range),
  reply: z.object({
    StartDate: z.iso.date(),
    EndDate: z.iso.date(),
    OptIns: count,
    Periods: z.array(z.object({ ...period, OptIns: count })),
  }),
});

const optIn = z.object({
  PhoneNumber: z.string(),
  PersonID: count.nullable(),
  FirstName: z.string(),
  LastName: z.string(),
  Timestamp: moment,
  /** Source of the agreement: inbound, user, web, call. */
  Source: z.string(),
  /** The text that they sent, or the words they agreed to. */
  Wording: z.string(),
});
export type OptIn = z.output<typeof optIn>;

const optInQuery = z.object({
  ...range,
  pagesize: z.coerce.number().int().min(1).max(100).default(50),
  next: z.string().max(400).optional(),
});

export const listOptIns = call({
  method: 'GET',
  path: '/reports/promotional-opt-in',
  summary:
    'Lists the phones that agreed to get texts, newest first, with what they said. Phones whose consent a file declared are not listed.',
  allow: 'seePromotionalOptIn',
  query: optInQuery,
  reply: nextList(optIn),
});

export const downloadOptIns = call({
  method: 'GET',
  path: '/reports/promotional-opt-in.csv',
  summary: 'Downloads the phones that agreed to get texts.',
  allow: 'seePromotionalOptIn',
  query: z.object(range),
  reply: z.unknown(),
  download: true,
});

const arrived = { Sent: count, Delivered: count, Failed: count, Unknown: count };
const deliveryQuery = activityQuery;

export const getDelivery = call({
  method: 'GET',
  path: '/reports/delivery',
  summary:
    'Returns how well texts arrive: by day, text number, hour, recipients’ carrier and reason, beside as many days before. Covers 30 days if no dates are given.',
  allow: 'seeDelivery',
  query: deliveryQuery,
  reply: z.object({
    StartDate: z.iso.date(),
    EndDate: z.iso.date(),
    Total: z.object(arrived),
    Before: z.object(arrived),
    Days: z.array(z.object({ Date: z.iso.date(), ...arrived })),
    Numbers: z.array(
      z.object({
        ...reportNumber,
        ...arrived,
        BeforeRate: z.number().nullable(),
      }),
    ),
    /** 0 to 23, by the organization’s clock. */
    Hours: z.array(z.object({ Hour: count, ...arrived, BeforeRate: z.number().nullable() })),
    /** Empty: nobody looked the phone up. Texts whose end isn’t known yet are not in here. */
    Carriers: z.array(z.object({ Carrier: z.string(), ...arrived, BeforeRate: z.number().nullable() })),
    /** Failures, the most frequent first, with advice. */
    Reasons: z.array(
      z.object({ Status: z.string(), Label: z.string(), WhatToDo: z.string(), Texts: count, Before: count }),
    ),
  }),
  errors: ['notFound'],
});

export const downloadDelivery = call({
  method: 'GET',
  path: '/reports/delivery.csv',
  summary: 'Downloads how texts ended: one row per day, text number, hour and status.',
  allow: 'seeDelivery',
  query: deliveryQuery,
  reply: z.unknown(),
  download: true,
  errors: ['notFound'],
});

const reportView = z.object({
  ReportViewID: count,
  Report: z.enum(reportKinds),
  Name: z.string(),
  /** The query string of the report’s address. */
  Search: z.record(z.string(), z.string()),
  Schedule: z.enum(reportSchedules),
  NextMailDate: moment.nullable(),
  LastMailDate: moment.nullable(),
});
export type ReportView = z.output<typeof reportView>;

/** Ours: more than anybody has, and few enough for a menu. */
export const mostReportViews = 50;
export const listReportViews = call({
  method: 'GET',
  path: '/reports/views',
  summary: 'Lists the user’s own saved reports.',
  allow: 'useMuster',
  reply: z.object({ Items: z.array(reportView) }),
});

export const createReportView = call({
  method: 'POST',
  path: '/reports/views',
  summary: 'Saves a report with its days and filters, and mails it every week or month if wanted.',
  allow: 'useMuster',
  event: 'reportView.created',
  body: z.object({
    Report: z.enum(reportKinds),
    Name: reportViewForm.shape.Name,
    Search: z.record(z.string().max(40), z.string().max(100)).default({}),
    Schedule: z.enum(reportSchedules).default('never'),
  }),
  reply: reportView,
  errors: ['refused'],
  takesIdempotencyKey: true,
});

export const updateReportView = call({
  method: 'PUT',
  path: '/reports/views/:ReportViewID',
  summary: 'Renames a saved report, or changes how often it is mailed.',
  allow: 'useMuster',
  event: 'reportView.updated',
  params: z.object({ ReportViewID: id }),
  body: z.object({
    Name: reportViewForm.shape.Name.optional(),
    Schedule: z.enum(reportSchedules).optional(),
  }),
  reply: reportView,
  errors: ['notFound'],
});

export const deleteReportView = call({
  method: 'DELETE',
  path: '/reports/views/:ReportViewID',
  summary: 'Deletes a saved report. It is no longer mailed.',
  allow: 'useMuster',
  event: 'reportView.deleted',
  params: z.object({ ReportViewID: id }),
  reply: z.object({}),
  errors: ['notFound'],
});
