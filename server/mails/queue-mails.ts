import { sql } from 'kysely';
import type { Trx } from '../db.ts';
import { enqueue } from '../jobs.ts';
import { type ComposedMail, translateMail } from './compose-mail.ts';

export interface NewMail extends ComposedMail {
  accountId: number;
  /** The recipient, if it is a user. */
  userId: number | null;
  /** The topic of the mail, in a word: 'unread', 'verify-email'. */
  kind: string;
  to: string;
}

/**
 * Mails that are sent if and when this transaction commits. One statement for any number, across accounts.
 */
export async function queueMails(trx: Trx, mails: readonly NewMail[]): Promise<void> {
  if (mails.length === 0) return;
  const languages = await languagesOf(trx, mails);
  const written = mails.map((mail) => {
    const languageId = languages.get(mail.userId ?? 0) ?? 1;
    return languageId === 1 ? mail : { ...mail, ...translateMail(mail, languageId) };
  });
  const column = <T>(pick: (mail: NewMail) => T) => written.map(pick);
  await sql`
    insert into mails (account_id, user_id, kind, to_address, subject, body_text, body_html)
    select * from unnest(
      ${column((mail) => mail.accountId)}::bigint[], ${column((mail) => mail.userId)}::bigint[],
      ${column((mail) => mail.kind)}::text[], ${column((mail) => mail.to)}::text[],
      ${column((mail) => mail.subject)}::text[], ${column((mail) => mail.text)}::text[],
      ${column((mail) => mail.html)}::text[])`.execute(trx);
  await enqueue(trx, 'send_mails', {});
}

/** Mails to users come in the language of the user. */
async function languagesOf(trx: Trx, mails: readonly NewMail[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ user_id: number; language_id: number }>`
    select u.user_id, u.language_id
    from unnest(${mails.map(({ accountId }) => accountId)}::bigint[], ${mails.map(({ userId }) => userId)}::bigint[])
      as m(account_id, user_id)
    join users u on u.account_id = m.account_id and u.user_id = m.user_id`.execute(trx);
  return new Map(rows.map(({ user_id, language_id }) => [user_id, language_id]));
}
