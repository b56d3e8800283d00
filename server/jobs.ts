import { sql } from 'kysely';
import type { Trx } from './db.ts';

/**
 * Every task there is, with what its jobs carry. server/worker.ts binds each to the function that
 * runs it; nothing else is ever run.
 */
export interface Tasks {
  /** Texts wait in the outbox. */
  send_messages: Record<string, never>;
  /** Receipts wait to be applied. */
  apply_receipts: Record<string, never>;
  /** Inbound texts wait to be put into their conversations. */
  apply_inbound: Record<string, never>;
  /** A picture of an inbound text has to be fetched from the carrier. */
  fetch_inbound_media: { accountId: number; messageId: number; position: number };
  /** A change of many contacts, conversations or recipients waits in the table `work`. */
  do_work: Record<string, never>;
  /** Contacts of an import wait to be put into the index of words. */
  index_contacts: Record<string, never>;
  /** Phones of new contacts that nobody has looked up yet. */
  look_up_phones: Record<string, never>;
  /** A file waits to be read, imported or taken back. */
  advance_files: Record<string, never>;
  /** The time of snoozed conversations has come. */
  wake_conversations: Record<string, never>;
  /** Changes of the counts of conversations wait to be summed up. */
  fold_counts: Record<string, never>;
  /** Texts wait to be put into the index of words. */
  index_messages: Record<string, never>;
  /** Users who want to be told of unread texts, by mail or text, may have to be told now. */
  send_notices: Record<string, never>;
  /** Mails wait for the mail server. */
  send_mails: Record<string, never>;
  /** Notices wait to be brought to browsers. */
  send_pushes: Record<string, never>;
  /** The time of texts for later has come. */
  send_scheduled: Record<string, never>;
  /** The time of a repeating broadcast has come. */
  repeat_broadcasts: Record<string, never>;
  /** A picture that came in waits to be judged. */
  classify_media: Record<string, never>;
  /** Personalised drafts wait to be merged with their recipients. */
  merge_drafts: Record<string, never>;
  /** Rows that nobody needs any more: old keys, undos, attempts, sessions, deleted groups, files. */
  sweep_old_rows: Record<string, never>;
}

export type TaskName = keyof Tasks;

/** When tasks run by the clock (UTC), in cron's words. */
export const cronLines = ['17 3 * * * sweep_old_rows', '* * * * * look_up_phones'] as const;

export interface JobOptions {
  runAt?: Date;
  /** Only one job that hasn't started yet under this key. Writers of the same key wait for each other. */
  key?: string;
  maxAttempts?: number;
  /** Lower runs first. */
  priority?: number;
}

/** Adds a job that exists if and only if this transaction commits. */
export async function enqueue<Name extends TaskName>(
  trx: Trx,
  task: Name,
  payload: Tasks[Name],
  options: JobOptions = {},
): Promise<void> {
  await sql`select enqueue(
    ${task}, ${JSON.stringify(payload)}::json, ${options.runAt ?? null}::timestamptz, ${options.key ?? null}::text,
    ${options.maxAttempts ?? 25}::integer, ${options.priority ?? 0}::integer)`.execute(trx);
}
