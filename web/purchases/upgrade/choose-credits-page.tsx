import Box from '@mui/material/Box';
import MuiCard from '@mui/material/Card';
import { useState } from 'react';
import { ladderFor } from '../../../contract/money/credit-steps.ts';
import { creditPriceCents } from '../../../contract/money/pricing.ts';
import { CreditChooser } from '../../pieces/purchases/credit-chooser.tsx';
import { formatDollars } from '../../pieces/purchases/money-words.ts';
import { usePrices } from '../../pieces/purchases/prices.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { RouterButton } from '../../ui/router-button.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { useUpgradePath } from './use-upgrade-path.ts';

const PAGE_WIDTH = 664;

/** Choice of the number of credits; the payment is the next page. */
export function ChooseCreditsPage() {
  const { tiers, problem, retry } = usePrices('payg');
  const [chosen, setChosen] = useState<number>();
  const credits = chosen ?? ladderFor(tiers, 2_000);
  const to = useUpgradePath();
  return (
    <>
      <PageHead
        title="Pay as you go"
        crumb={<RouterLink to="/upgrade">Plans</RouterLink>}
        sentence="One credit sends one text segment or 30 seconds of a call. Credits don’t expire."
        maxWidth={PAGE_WIDTH}
      />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, maxWidth: PAGE_WIDTH, display: 'grid', gap: 2.5 }}>
        {problem && <RetryNotice onRetry={retry}>{problem}</RetryNotice>}
        <MuiCard
          component="section"
          aria-label="Credits"
          sx={{ p: { xs: 2, sm: 4 }, display: 'grid', gap: 3 }}
        >
          {tiers.length === 0 ? (
            <SkeletonRows rows={3} rowHeight={56} label="Loading prices" />
          ) : (
            <CreditChooser tiers={tiers} credits={credits} onChange={setChosen} />
          )}
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, flexWrap: 'wrap' }}>
            <Box sx={{ flex: 1, fontVariantNumeric: 'tabular-nums' }}>
              <strong>{formatDollars((creditPriceCents(tiers, credits) ?? 0) / 100)}</strong> plus sales tax
            </Box>
            <RouterButton
              variant="contained"
              color="primary"
              to={to('/upgrade/payment')}
              search={{ credits }}
              disabled={tiers.length === 0}
            >
              Continue to payment
            </RouterButton>
          </Box>
        </MuiCard>
      </Box>
    </>
  );
}
