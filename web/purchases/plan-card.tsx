import type { Account } from '../../contract/accounts.ts';
import { findTier } from '../../contract/money/pricing.ts';
import { isInvoiced, isMonthly, isStopped, mayReactivate } from '../../contract/states/account-status.ts';
import { formatDollars, formatUnitCost } from '../pieces/purchases/money-words.ts';
import { usePrices } from '../pieces/purchases/prices.ts';
import { useCan, useTimeZone } from '../queries/current-user.ts';
import { formatCount, formatDate } from '../ui/format.ts';
import { useNow } from '../ui/now.ts';
import { RouterButton } from '../ui/router-button.tsx';
import { say } from '../ui/say.ts';
import { accountTypeWords } from './account-type-words.ts';
import { CardButton, FactCard } from './fact-card.tsx';

/** The organization's way of paying. */
export function PlanCard({ account, onChange }: { account: Account; onChange: () => void }) {
  const canSubscribe = useCan('subscribe');
  const now = useNow();
  return (
    <FactCard
      title="Plan"
      action={
        canSubscribe &&
        !isStopped(account, now) &&
        !isInvoiced(account) && (
          <CardButton
            label={account.IsFreeTrial ? 'Upgrade' : 'Change'}
            of={say('plan')}
            onPress={onChange}
          />
        )
      }
      value={accountTypeWords(account)}
      lines={usePlanLines(account)}
    />
  );
}

/** The cost of the plan, and its renewal or end. */
export function usePlanLines(account: Account): string[] {
  const monthly = isMonthly(account);
  const { tiers } = usePrices(monthly ? 'monthly' : 'payg');
  const now = useNow();
  const zone = useTimeZone();
  const date = (at: string) => formatDate(at, now, zone);
  return monthly ? monthlyLines() : creditLines();

  function creditLines(): string[] {
    const cheapest = tiers.at(-1);
    return [
      isInvoiced(account)
        ? 'Credits by invoice, no monthly fee'
        : account.IsFreeTrial
          ? 'Try it before you pay'
          : 'Pay as you go, no monthly fee',
      cheapest
        ? `${formatUnitCost(cheapest.Cost)} a credit at ${formatCount(cheapest.LowerLimit)} or more`
        : '',
    ];
  }

  function monthlyLines(): string[] {
    const level = account.MonthlyLevel ?? 0;
    const fee = account.MonthlyFee ?? findTier(tiers, level)?.Cost;
    const size = `Up to ${formatCount(level)} people`;
    const { SubscriptionCycleEndDate: cycleEnd, SubscriptionEndDate: end } = account;
    return [
      fee === undefined || isInvoiced(account)
        ? size
        : `${formatDollars(fee)} a month, ${size.toLowerCase()}`,
      mayReactivate(account, now)
        ? end === null
          ? 'Not active'
          : `Ended on ${date(end)}`
        : isStopped(account, now)
          ? 'Not active'
          : account.NextMonthlyLevel !== null && cycleEnd !== null
            ? `From ${date(cycleEnd)}: up to ${formatCount(account.NextMonthlyLevel)}, ${formatDollars(account.NextMonthlyFee ?? 0)}`
            : account.AccountStatusID === 8 && end !== null
              ? `Ends on ${date(end)}`
              : isInvoiced(account)
                ? end === null
                  ? ''
                  : `Paid until ${date(end)}`
                : cycleEnd !== null
                  ? `Renews on ${date(cycleEnd)}`
                  : '',
    ];
  }
}

/** The remaining credits, or people of the group. */
export function BalanceCard({ account, pace }: { account: Account; pace: string | undefined }) {
  if (!isMonthly(account))
    return (
      <FactCard
        title="Credits"
        action={
          <RouterButton variant="text" color="primary" size="small" to="/reports/credit-balance">
            History
          </RouterButton>
        }
        value={formatCount(account.CallBalance)}
        isFigure
        lines={[
          `${formatCount(account.PendingCallBalance)} reserved, ${formatCount(account.AvailableCallUnits)} free`,
          pace,
        ]}
      />
    );
  const level = account.MonthlyLevel ?? 0;
  return (
    <FactCard
      title="People reached"
      value={formatCount(account.UniqueCallCount)}
      isFigure
      lines={[
        `of ${formatCount(level)} in this billing period`,
        `${formatCount(Math.max(0, level - account.UniqueCallCount))} left`,
      ]}
    />
  );
}
