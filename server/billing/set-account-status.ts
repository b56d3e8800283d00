import { accountStatuses, isMonthly } from '../../contract/states/account-status.ts';
import { now } from '../clock.ts';
import type { Trx } from '../db.ts';
import { notify } from '../notify.ts';
import { recordEvents } from '../record-events.ts';
import { changePlan } from './change-plan.ts';

/** The operator's words for the states of docs/decisions/0066-what-a-plan-does.md. */
const states = { active: 0, suspended: 1, closed: 5, canceled: 7 } as const;
/** The states that only the operator sets, and so only the operator ends: 6 is like 1. */
const ofOperator: readonly number[] = [1, 5, 6, 7];

/**
 * Stops an account, or lets it go on. Payments stop with it (renew-plans.ts), so months that passed meanwhile are never
 * charged: if the paid time is over, the owner reactivates the account instead. `refuse` gives the operator a message.
 */
export async function setAccountStatus(
  trx: Trx,
  { accountId, name }: { accountId: number; name: string },
  word: string,
  refuse: (sentence: string) => Error,
): Promise<string[]> {
  if (!Object.hasOwn(states, word)) throw refuse(`Say ${Object.keys(states).join(', ')}, not "${word}".`);
  const account = await trx
    .selectFrom('accounts')
    .select(['type_id', 'status_id', 'subscription_end_at', 'subscription_cycle_end_at'])
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const before = account.status_id as keyof typeof accountStatuses;
  const wanted = word === 'active' ? activeAgain(account, refuse) : states[word as keyof typeof states];
  const described = `${name}: ${accountStatuses[wanted]}.`;
  if (wanted === before) return [described];
  await changePlan(trx, accountId, { status_id: wanted });
  await recordEvents(trx, { accountId, isOperator: true }, [
    {
      kind: 'account.updated',
      id: accountId,
      changes: { AccountStatus: [accountStatuses[before], accountStatuses[wanted]] },
    },
  ]);
  await notify(trx, accountId, [{ type: 'settings.changed' }, { type: 'billing.changed' }]);
  return [described];
}

interface Account {
  type_id: number;
  status_id: number;
  subscription_end_at: Date | null;
  subscription_cycle_end_at: Date | null;
}

function activeAgain(account: Account, refuse: (sentence: string) => Error): 0 | 8 {
  const { type_id, status_id, subscription_end_at, subscription_cycle_end_at } = account;
  if (status_id === 0) return 0;
  if (!ofOperator.includes(status_id))
    throw refuse('The owner canceled this account, or it wasn’t paid: only its owner can reactivate it.');
  if (!isMonthly({ AccountTypeID: type_id })) return 0;
  if (subscription_cycle_end_at === null || subscription_cycle_end_at <= now())
    throw refuse(
      'The months that were paid for are over. Say canceled: then the owner can reactivate the account.',
    );
  // By card, only a subscription that its owner canceled has an end.
  return type_id === 1 && subscription_end_at !== null ? 8 : 0;
}
