import * as audit from '../contract/audit-log.ts';
import * as results from '../contract/broadcast-results.ts';
import type { CallDefinition } from '../contract/call.ts';
import * as purchases from '../contract/purchases.ts';
import * as reports from '../contract/reports.ts';

/**
 * Calls that may be answered by a replica, which lags some seconds behind: they only read, they are about the
 * past, and nothing is decided by them. All other data is read where it was written: data that a page shows
 * again after a change (lists, threads, balances, invoices, searches), and everything that sending uses
 * (consent, credits, recipients, preflight).
 */
export const laggingCalls: ReadonlySet<CallDefinition> = new Set<CallDefinition>([
  reports.getTextActivity,
  reports.downloadTextActivity,
  reports.listPhoneHistory,
  reports.downloadPhoneHistory,
  reports.getDelivery,
  reports.downloadDelivery,
  reports.getOptOutCounts,
  reports.getOptInCounts,
  reports.listOptIns,
  reports.downloadOptIns,
  purchases.getUsageSummary,
  purchases.downloadUsageSummary,
  results.downloadBroadcastDetails,
  results.downloadTextReplies,
  audit.listAuditLog,
]);
