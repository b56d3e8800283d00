import Box from '@mui/material/Box';
import MuiCard from '@mui/material/Card';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { maxPeopleOf, monthlyFeeCents } from '../../../contract/money/pricing.ts';
import { reviewButton } from '../../../contract/states/purchase-kind.ts';
import { planOf } from '../../pieces/purchases/buy.tsx';
import { chargePreviewQuery } from '../../pieces/purchases/charge-preview.ts';
import { formatDollars, groupSizeWords } from '../../pieces/purchases/money-words.ts';
import { usePrices } from '../../pieces/purchases/prices.ts';
import { purchaseKindOf } from '../../pieces/purchases/purchase-kind-of.ts';
import { useAccount } from '../../queries/current-user.ts';
import { RadioBoxes } from '../../ui/choices.tsx';
import { formatCount } from '../../ui/format.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { RouterButton } from '../../ui/router-button.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { useUpgradePath } from './use-upgrade-path.ts';

const PAGE_WIDTH = 664;

/** Choice of the group size; the payment is the next page. */
export function ChooseGroupPage() {
  const account = useAccount();
  const { tiers, problem, retry } = usePrices('monthly');
  const [chosen, setChosen] = useState<number>();
  const people = maxPeopleOf(tiers, chosen ?? planOf(account)) ?? 0;
  const preview = useQuery({
    ...chargePreviewQuery({ ChargeType: 'SubscriptionUpgrade', MaxPeople: people }),
    enabled: people > 0,
  }).data;
  const kind = account && preview && purchaseKindOf({ mode: 'monthly subscription' }, preview, account);
  const fee = monthlyFeeCents(tiers, people) ?? 0;
  const to = useUpgradePath();
  return (
    <>
      <PageHead
        title="Monthly"
        crumb={<RouterLink to="/upgrade">Plans</RouterLink>}
        sentence="Send as many texts as you like. The fee follows how many different people you reach in a month."
        maxWidth={PAGE_WIDTH}
      />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, maxWidth: PAGE_WIDTH, display: 'grid', gap: 2.5 }}>
        {problem && <RetryNotice onRetry={retry}>{problem}</RetryNotice>}
        <MuiCard
          component="section"
          aria-label="Group size"
          sx={{ p: { xs: 2, sm: 4 }, display: 'grid', gap: 3 }}
        >
          {tiers.length === 0 ? (
            <SkeletonRows rows={4} rowHeight={56} label="Loading prices" />
          ) : (
            <RadioBoxes
              label="Group size"
              columns={3}
              value={String(people)}
              choices={tiers.map((tier) => ({
                value: String(tier.UpperLimit ?? tier.LowerLimit),
                title: groupSizeWords(tier),
                sentence: `${formatDollars(tier.Cost)} a month`,
              }))}
              onChange={(value) => setChosen(Number(value))}
            />
          )}
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, flexWrap: 'wrap' }}>
            <Box sx={{ flex: 1, minWidth: 200, fontVariantNumeric: 'tabular-nums' }}>
              <strong>{formatDollars(fee / 100)}</strong> a month plus sales tax
              {account?.MonthlyLevel != null && (
                <Box sx={{ typography: 'body2', color: 'text.secondary' }}>
                  Now: up to {formatCount(account.MonthlyLevel)} people
                </Box>
              )}
            </Box>
            <RouterButton
              variant="contained"
              color="primary"
              to={to('/upgrade/payment')}
              search={{ people }}
              disabled={kind === undefined}
            >
              {reviewButton(kind ?? 'new subscription')}
            </RouterButton>
          </Box>
        </MuiCard>
      </Box>
    </>
  );
}
