import Box from '@mui/material/Box';
import MuiCard from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { isInvoiced } from '../../../contract/states/account-status.ts';
import { formatDollars, formatUnitCost } from '../../pieces/purchases/money-words.ts';
import { usePrices } from '../../pieces/purchases/prices.ts';
import { useAccount, useCan } from '../../queries/current-user.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { RouterButton } from '../../ui/router-button.tsx';
import { RouterLink } from '../../ui/router-link.tsx';

const PAGE_WIDTH = 904;

/** Ways to pay, side by side. */
export function UpgradePage() {
  const account = useAccount();
  const canBuy = useCan('buyCredits');
  const paysByInvoice = account !== undefined && isInvoiced(account);
  const canSubscribe = useCan('subscribe') && !paysByInvoice;
  const credits = usePrices('payg');
  const sizes = usePrices('monthly');
  const cheapest = credits.tiers.at(-1);
  const smallest = sizes.tiers[0];
  return (
    <>
      <PageHead
        title={account?.IsFreeTrial ? 'Upgrade Your Account' : 'Plans'}
        maxWidth={PAGE_WIDTH}
        sentence="Pay for what you send, or by the month for a group of people."
      />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, maxWidth: PAGE_WIDTH, display: 'grid', gap: 2.5 }}>
        {paysByInvoice ? (
          <Notice kind="info">
            Your organization pays by invoice. Create the next one on the{' '}
            <RouterLink to="/settings/billing">billing page</RouterLink>.
          </Notice>
        ) : (
          !canBuy && !canSubscribe && <Notice kind="info">Ask your account owner to choose a plan.</Notice>
        )}
        {[credits, sizes].map(
          ({ problem, retry }) =>
            problem && (
              <RetryNotice key={problem} onRetry={retry}>
                {problem}
              </RetryNotice>
            ),
        )}
        <Box sx={{ display: 'grid', gap: 2.5, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
          <Plan
            title="Pay as you go"
            price={cheapest ? `From ${formatUnitCost(cheapest.Cost)} a credit` : ''}
            facts={[
              'One credit sends one text segment or 30 seconds of a call.',
              'No monthly fee. Credits don’t expire.',
              'Automatic refills, if you like.',
            ]}
            action={
              canBuy && (
                <RouterButton variant="contained" color="primary" to="/upgrade/pay-as-you-go">
                  Buy credits
                </RouterButton>
              )
            }
          />
          <Plan
            title="Monthly"
            price={smallest ? `From ${formatDollars(smallest.Cost)} a month` : ''}
            facts={[
              'Send as many texts as you like to a group of people.',
              'The fee follows the size of the group.',
              'Change the size or cancel at any time.',
            ]}
            action={canSubscribe && <RouterButton to="/upgrade/monthly">Choose a group size</RouterButton>}
          />
        </Box>
      </Box>
    </>
  );
}

interface PlanProps {
  title: string;
  price: string;
  facts: readonly string[];
  action: ReactNode;
}

function Plan({ title, price, facts, action }: PlanProps) {
  return (
    <MuiCard
      component="section"
      aria-label={title}
      sx={{ p: 3, display: 'flex', flexDirection: 'column', alignItems: 'flex-start', gap: 1 }}
    >
      <Typography variant="h2">{title}</Typography>
      <Typography sx={{ fontSize: 22, lineHeight: '30px', fontWeight: 640, minHeight: 30 }}>
        {price}
      </Typography>
      <Box
        component="ul"
        sx={{ m: 0, mb: 1.5, pl: 2.25, color: 'text.secondary', display: 'grid', gap: 0.5 }}
      >
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </Box>
      <Box sx={{ flex: 1 }} />
      {action}
    </MuiCard>
  );
}
