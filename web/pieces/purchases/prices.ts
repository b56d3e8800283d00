import { getPricing } from '../../../contract/addresses/purchases.gen.ts';
import type { PricingTier } from '../../../contract/money/pricing.ts';
import { errorCatalog } from '../../../contract/reference/error-catalog.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { useAccount } from '../../queries/current-user.ts';

type Kind = 'payg' | 'monthly' | 'unlimited';

const ownPlans = {
  payg: 'PAYGPricingPlanID',
  monthly: 'MonthlyPricingPlanID',
  unlimited: 'FlatRateConversationPricingID',
} as const;
const problems = {
  payg: [errorCatalog.defaultPayAsYouGoPricing, errorCatalog.userPayAsYouGoPricing],
  monthly: [errorCatalog.defaultMonthlyPricing, errorCatalog.userMonthlyPricing],
  unlimited: [
    errorCatalog.defaultUnlimitedConversationsPricing,
    errorCatalog.userUnlimitedConversationsPricing,
  ],
} as const;

export interface Prices {
  /** Empty until they are known. */
  tiers: readonly PricingTier[];
  /** Reason why they are not known. */
  problem: string | undefined;
  retry: () => void;
}

const noTiers: readonly PricingTier[] = [];

/** The prices that hold for this account: its own, or the installation's. */
export function usePrices(kind: Kind, isEnabled = true): Prices {
  const account = useAccount();
  const own = account?.[ownPlans[kind]] ?? undefined;
  const { data, isError, refetch } = useCallQuery(
    getPricing,
    { params: { PricingId: own ?? kind } },
    { staleTime: 300_000, enabled: isEnabled && account !== undefined },
  );
  return {
    tiers: data?.PricingDetails ?? noTiers,
    problem: isError ? problems[kind][own === undefined ? 0 : 1] : undefined,
    retry: () => void refetch(),
  };
}
