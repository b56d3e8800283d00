import { sql } from 'kysely';
import { isTollFree } from '../../contract/phone/toll-free.ts';
import { asSystem, type Database } from '../db.ts';
import { enqueue } from '../jobs.ts';
import { registerNumbers } from '../numbers/register-numbers.ts';
import type { ProviderNumber } from '../outside/number-provider.ts';
import type { Providers } from '../outside/providers.ts';
import { nudgeRequests } from './advance-requests.ts';
import { findCurrent } from './queries.ts';

export interface OwnNumber extends ProviderNumber {
  account_id: number;
  text_number_id: number;
  aggregator_id: number;
}

/**
 * A new number joins the account’s registration: a registered campaign adds it now, one that is under review
 * with its next step. False if that has to be retried.
 */
export async function joinRegistration(
  { database, providers }: { database: Database; providers: Providers },
  number: OwnNumber,
): Promise<boolean> {
  const { account_id: accountId, aggregator_id: aggregatorId } = number;
  const kind = isTollFree(number.phone) ? 'TollFree' : 'Local';
  const request = await asSystem(database, (trx) => findCurrent(trx, accountId, kind));
  if (request === undefined || request.aggregator_id !== aggregatorId || request.status === 'Failed')
    return true;
  const isRegistered = request.status === 'Complete';
  // A toll-free number is verified separately.
  if (isRegistered && kind === 'TollFree') return true;
  const isIn =
    isRegistered && (await providers.registrars.get(aggregatorId)?.attach(request.made, number)) === true;
  return asSystem(database, async (trx) => {
    // Completing the request locks its row too: either it includes this number, or we see that it is
    // complete.
    const { rows } = await sql<{ status: string }>`
      select status from registration_requests
      where account_id = ${accountId} and request_id = ${request.request_id} for update`.execute(trx);
    if (rows[0]?.status !== request.status) return false;
    await registerNumbers(trx, accountId, [number.text_number_id], {
      status: isIn ? 'Registered' : 'Pending',
      requestId: request.request_id,
    });
    if (isRegistered) return isIn;
    await nudgeRequests(trx, aggregatorId);
    await enqueue(trx, 'advance_registrations', {});
    return true;
  });
}
