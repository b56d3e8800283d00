/**
 * Older data that takes the place of newer: a restored backup, a standby that lacked the last commits. What
 * is due by it may have been sent since, under keys that it doesn't know, so carriers couldn't refuse the
 * repeat. People decide about everything that was due; carriers are asked about texts that were waiting.
 * Mails and pushes that were waiting are dropped. Only webhooks go out once more: under the id that they had,
 * by which receivers know a repeat.
 */
import { sql } from 'kysely';
import { holdDueCampaigns } from '../broadcasts/drips/hold-due-campaigns.ts';
import { holdDueBroadcasts } from '../broadcasts/hold-due.ts';
import { skipDueOccurrences } from '../broadcasts/repeating/skip-due.ts';
import { withdrawAskedCalls } from '../calls/withdraw-calls.ts';
import { asSystem, type Database } from '../db.ts';
import { prepareEvents } from '../event-partitions.ts';
import { dropWaitingMails } from '../mails/drop-waiting.ts';
import { dropPushes } from '../notifications/drop-pushes.ts';
import { holdCharges } from '../purchases/hold-charges.ts';
import { skipDueReports } from '../reports/skip-due-mails.ts';
import { failDue } from '../scheduled/fail-due.ts';
import { doubtWaiting } from '../texts/doubt-waiting.ts';

export interface Held {
  broadcasts: number;
  campaigns: number;
  occurrences: number;
  scheduled: number;
  calls: number;
  texts: number;
  mails: number;
  pushes: number;
  reports: number;
}

/** `at`: how old the data is. No worker may be running. */
export async function holdDue(database: Database, at: Date): Promise<Held> {
  // Events are recorded here, and must sort after those of another cluster.
  await prepareEvents(database);
  // And the webhooks about them need ids that no webhook had since.
  await sql`select skip_event_ids()`.execute(database.system);
  return asSystem(database, async (trx) => {
    await holdCharges(trx, at);
    const momentIn = (timeZone: string) =>
      at.toLocaleString('en-US', { timeZone, dateStyle: 'short', timeStyle: 'short' });
    return {
      texts: await doubtWaiting(trx, at),
      // First the campaigns, then their broadcasts, as in canceling.
      campaigns: await holdDueCampaigns(trx, momentIn),
      occurrences: await skipDueOccurrences(trx),
      broadcasts: await holdDueBroadcasts(trx, momentIn),
      calls: await withdrawAskedCalls(trx),
      scheduled: await failDue(trx, momentIn),
      mails: await dropWaitingMails(trx),
      pushes: await dropPushes(trx),
      reports: await skipDueReports(trx),
    };
  });
}

/** The lines that the operator reads. */
export function describeHeld(held: Held): string[] {
  const counts = [
    [held.broadcasts, 'broadcasts are paused'],
    [held.campaigns, 'drip campaigns are paused'],
    [held.occurrences, 'occurrences of repeating broadcasts are left out'],
    [held.scheduled, 'scheduled texts are not sent'],
    [held.calls, 'calls for single people are not made'],
    [held.texts, 'waiting texts are looked up at the carrier before anything is sent'],
  ] as const;
  const dropped = [
    [held.mails, 'waiting mails'],
    [held.pushes, 'notifications of browsers'],
    [held.reports, 'reports by mail'],
  ] as const;
  return [
    `Due since then: ${counts.map(([count, words]) => `${count} ${words}`).join(', ')}. Their pages say why.`,
    `Not sent, because they may have gone out since: ${dropped.map(([count, words]) => `${count} ${words}`).join(', ')}. Who misses an invitation or a link for a new password can ask for another one.`,
    'Webhooks that were waiting are posted, maybe once more, under the ids that they had.',
    'Renewals, refills and invoices wait: look at “npx muster differences”, then run “npx muster charges on”.',
    'Opt-outs since then are lost: get the list of numbers that texted STOP from each carrier, and opt them out before you start Muster.',
  ];
}
