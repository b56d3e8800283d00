import { sql } from 'kysely';
import type { Trx } from '../db.ts';
import { enqueue } from '../jobs.ts';
import type { ComposedMail } from './compose-mail.ts';

export interface NewMail extends ComposedMail {
  accountId: number;
  /** Whom it is for, where that is a user. */
  userId: number | null;
  /** What the mail is about, in a word: 'unread', 'verify-email'. */
  kind: string;
  to: string;
}

/** Mails that go out if and when this transaction commits. One statement for any number, across accounts. */
export async function queueMails(trx: Trx, mails: readonly NewMail[]): Promise<void> {
  if (mails.length === 0) return;
  const column = <T>(pick: (mail: NewMail) => T) => mails.map(pick);
  await sql`
    insert into mails (account_id, user_id, kind, to_address, subject, body_text, body_html)
    select * from unnest(
      ${column((mail) => mail.accountId)}::bigint[], ${column((mail) => mail.userId)}::bigint[],
      ${column((mail) => mail.kind)}::text[], ${column((mail) => mail.to)}::text[],
      ${column((mail) => mail.subject)}::text[], ${column((mail) => mail.text)}::text[],
      ${column((mail) => mail.html)}::text[])`.execute(trx);
  await enqueue(trx, 'send_mails', {});
}
