/**
 * The outbox of mails. A row goes
 *
 *   waiting ──claim──▶ leased ──record──▶ sent, or refused permanently with the server's words
 *      ▲                 │
 *      └── later ────────┘  the server is down or says "not now"; after a day it is given up
 *
 * A claim commits before the mail server is called. An expired lease belonged to a worker that died: the mail
 * server may have the mail. It gets it again under the same Message-ID: the only case in which a mail may
 * arrive twice.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { nowMs } from '../clock.ts';
import type { Database } from '../db.ts';
import type { Log } from '../log.ts';
import { type Mailer, type MailOutcome, mailMs, type OutgoingMail } from '../outside/mail.ts';
import { mailLeaseSeconds, mailLivesHours, mailPauseSeconds } from './rules.ts';

export interface MailContext {
  database: Database;
  mailer: Mailer | undefined;
  log: Log;
}

interface ClaimedMail extends OutgoingMail {
  accountId: number;
  mailId: number;
  attempts: number;
}

/** Concurrent connections: a number that any mail server accepts. */
const atOnce = 4;
/**
 * After this long no further mail of a slice is started, so that all are recorded before the lease expires.
 */
const sliceMs = mailLeaseSeconds * 1000 - mailMs - 10_000;

/** Hands over up to `size` mails that are due. */
export async function sendMails(
  { database, mailer, log }: MailContext,
  size: number,
): Promise<{ claimed: number; isServerDown: boolean }> {
  await giveUp(
    database,
    mailer === undefined ? 'No mail server is set up.' : 'It could not be sent for a day.',
  );
  if (mailer === undefined) return { claimed: 0, isServerDown: false };
  const leaseId = randomUUID();
  const claimed = await claimMails(database, leaseId, size);
  if (claimed.length === 0) return { claimed: 0, isServerDown: false };
  const outcomes = await handMails(mailer, claimed);
  await recordMails(database, leaseId, outcomes);
  const down = outcomes.find(({ outcome }) => outcome.outcome === 'later' && outcome.isServerDown);
  if (down?.outcome.outcome === 'later')
    log.warn({ reason: down.outcome.reason }, 'the mail server does not take mails at the moment');
  const refused = outcomes.filter(({ outcome }) => outcome.outcome === 'refused').length;
  if (refused > 0) log.warn({ mails: refused }, 'the mail server refused mails for good');
  return { claimed: claimed.length, isServerDown: down !== undefined };
}

async function giveUp(database: Database, reason: string): Promise<void> {
  await sql`
    update mails set problem = ${reason}
    where sent_at is null and problem is null and created_at < now() - ${mailLivesHours} * interval '1 hour'
      and (lease_until is null or lease_until < now())`.execute(database.system);
}

async function claimMails(database: Database, leaseId: string, size: number): Promise<ClaimedMail[]> {
  const { rows } = await sql<ClaimedMail>`
    with due as materialized (
      select account_id, mail_id from mails
      where sent_at is null and problem is null and send_at <= now() and (lease_until is null or lease_until < now())
      order by send_at limit ${size}
      for update skip locked
    )
    update mails m
    set lease_id = ${leaseId}, lease_until = now() + ${mailLeaseSeconds} * interval '1 second',
      attempts = least(attempts + 1, 32000)
    from due where m.account_id = due.account_id and m.mail_id = due.mail_id
    returning m.account_id as "accountId", m.mail_id as "mailId", m.attempts, m.message_key as key, m.to_address as "to",
      m.subject, m.body_text as text, m.body_html as html`.execute(database.system);
  return rows;
}

type Handed = { mail: ClaimedMail; outcome: MailOutcome };

/** In parallel; once the server is down, those not started aren't tried. */
async function handMails(mailer: Mailer, mails: ClaimedMail[]): Promise<Handed[]> {
  const untilMs = nowMs() + sliceMs;
  const handed: Handed[] = [];
  let next = 0;
  let rest: MailOutcome | undefined;
  async function lane(): Promise<void> {
    for (;;) {
      const mail = mails[next];
      if (mail === undefined) return;
      next += 1;
      if (rest === undefined && nowMs() > untilMs)
        rest = { outcome: 'later', reason: 'the mail server was too slow for a turn', isServerDown: false };
      const outcome = rest ?? (await mailer.send(mail));
      if (outcome.outcome === 'later' && outcome.isServerDown) rest = outcome;
      handed.push({ mail, outcome });
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, mails.length) }, lane));
  return handed;
}

/** The result of each, in one statement; a row that another worker has taken meanwhile is theirs. */
async function recordMails(database: Database, leaseId: string, handed: Handed[]): Promise<void> {
  const column = <T>(pick: (each: Handed) => T) => handed.map(pick);
  await sql`
    update mails m
    set lease_id = null, lease_until = null,
      sent_at = case when h.outcome = 'sent' then now() end,
      problem = case when h.outcome = 'refused' then h.reason end,
      send_at = case when h.outcome = 'later' then now() + h.pause * interval '1 second' else m.send_at end
    from unnest(
      ${column(({ mail }) => mail.accountId)}::bigint[], ${column(({ mail }) => mail.mailId)}::bigint[],
      ${column(({ outcome }) => outcome.outcome)}::text[],
      ${column(({ outcome }) => ('reason' in outcome ? outcome.reason : ''))}::text[],
      ${column(({ mail }) => mailPauseSeconds(mail.attempts))}::integer[]
    ) as h(account_id, mail_id, outcome, reason, pause)
    where m.account_id = h.account_id and m.mail_id = h.mail_id and m.lease_id = ${leaseId}`.execute(
    database.system,
  );
}
