import { sql } from 'kysely';
import { Refusal } from '../../contract/errors.ts';
import { nowMs } from '../clock.ts';
import { asAccount, type Database, type Trx } from '../db.ts';
import type { Providers } from '../outside/providers.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor } from '../serve.ts';
import { findCurrent, type RequestRow, resendTime } from './queries.ts';
import { resendsPerDay } from './rules.ts';

const sentences = {
  email: 'We were unable to resend the email.',
  text: 'We were unable to resend the text message.',
} as const;

/**
 * Has the registry send its verification again. The attempt is recorded before the registrar is asked, so
 * that two clicks send one; it counts even if the registrar is down.
 */
export async function resendVerification(
  { database, providers }: { database: Database; providers: Providers },
  actor: Actor,
  way: 'email' | 'text',
): Promise<{ resendAt: string }> {
  const row = await asAccount(database, actor.accountId, (trx) => takeTurn(trx, actor, way));
  const isSent = await providers.registrars.get(row.aggregator_id)?.resend(row.made);
  if (!isSent) throw new Refusal('product', sentences[way]);
  return { resendAt: resendTime(row).toISOString() };
}

async function takeTurn(trx: Trx, actor: Actor, way: 'email' | 'text'): Promise<RequestRow> {
  await sql`select from accounts where account_id = ${actor.accountId} for no key update`.execute(trx);
  const row = await findCurrent(trx, actor.accountId, 'Local');
  const entityType = way === 'email' ? 'PUBLIC_PROFIT' : 'SOLE_PROPRIETOR';
  if (row?.status !== 'PendingContactAuthentication' || row.brand.EntityType !== entityType)
    throw new Refusal('notFound', sentences[way]);
  const nextAt = resendTime(row);
  const waitMs = nextAt.getTime() - nowMs();
  if (waitMs > 0) {
    const isFull = row.resends >= resendsPerDay;
    const seconds = Math.ceil(waitMs / 1000);
    throw new Refusal(
      'tooManyAttempts',
      isFull
        ? `It was sent again ${resendsPerDay} times today. Try again tomorrow.`
        : `It was just sent. Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'} before you send it again.`,
      { extendedData: { RetryAfterSeconds: seconds } },
    );
  }
  const { rows } = await sql<Pick<RequestRow, 'resends' | 'resends_on' | 'resent_at' | 'submitted_at'>>`
    update registration_requests
    set resends = case when resends_on = current_date then resends + 1 else 1 end, resends_on = current_date,
      resent_at = now()
    where account_id = ${actor.accountId} and request_id = ${row.request_id}
    returning resends, resends_on, resent_at, submitted_at`.execute(trx);
  await recordEvents(trx, actor, [{ kind: 'registration.resent', id: row.request_id }]);
  return { ...row, ...rows[0] };
}
