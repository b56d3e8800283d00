import * as audit from '../contract/audit-log.ts';
import * as results from '../contract/broadcast-results.ts';
import type { CallDefinition } from '../contract/call.ts';
import * as purchases from '../contract/purchases.ts';
import * as reports from '../contract/reports.ts';

/**
 * Calls that may be answered from a replica, which is some seconds behind: they only read, they are about what was, and
 * nothing is decided by them. Everything else is read where it was written: what a page shows again after a change (lists,
 * threads, balances, invoices, searches), and all that sending asks (consent, credits, recipients, preflight).
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
