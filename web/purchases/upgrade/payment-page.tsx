import Box from '@mui/material/Box';
import MuiCard from '@mui/material/Card';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { listTextNumbers } from '../../../contract/addresses/numbers.gen.ts';
import type { ChargePreview, ChargeReply } from '../../../contract/purchases.ts';
import { useCreditsRequest, useSubscriptionRequest } from '../../pieces/purchases/buy.tsx';
import { PurchaseForm, type PurchaseRequest } from '../../pieces/purchases/purchase-form.tsx';
import { WithProcessor } from '../../pieces/purchases/with-processor.tsx';
import { useCallQuery } from '../../queries/calls.ts';
import { useCan } from '../../queries/current-user.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import type { UpgradeSearch } from './upgrade-search.ts';
import { useUpgradePath } from './use-upgrade-path.ts';

/** Pays for the credits or the plan that the address names. */
export function PaymentPage({ credits, people }: UpgradeSearch) {
  if (credits !== undefined) return <PayCredits credits={credits} />;
  if (people !== undefined) return <PayPlan people={people} />;
  return <Navigate to="/upgrade" replace />;
}

function PayCredits({ credits }: { credits: number }) {
  return <Payment request={useCreditsRequest(credits)} back="/upgrade/pay-as-you-go" />;
}

function PayPlan({ people }: { people: number }) {
  return <Payment request={useSubscriptionRequest(people)} back="/upgrade/monthly" />;
}

const PAGE_WIDTH = 968;

function Payment({
  request,
  back,
}: {
  request: PurchaseRequest;
  back: '/upgrade/pay-as-you-go' | '/upgrade/monthly';
}) {
  const navigate = useNavigate();
  const to = useUpgradePath();
  const canSetUp = useCan('setUpTexting');
  const numbers = useCallQuery(listTextNumbers, { query: { pagesize: 50 } }).data?.Items;
  const canText = numbers?.some((number) => number.CanText) ?? true;
  const [title, setTitle] = useState<string>('Upgrade Your Account');
  const done = (charge: ChargeReply, { Description }: ChargePreview) => {
    const search = {
      what: Description,
      ...(charge.InvoiceID === null ? {} : { invoice: charge.InvoiceID }),
    };
    void navigate(
      canSetUp && !canText
        ? { to: '/upgrade/text-registration', search, replace: true }
        : { to: '/upgrade/purchase-complete', search, replace: true },
    );
  };
  return (
    <>
      <PageHead title={title} crumb={<RouterLink to={to(back)}>Back</RouterLink>} maxWidth={PAGE_WIDTH} />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, maxWidth: PAGE_WIDTH }}>
        <MuiCard component="section" aria-label="Payment" sx={{ overflow: 'hidden' }}>
          <WithProcessor>
            <PurchaseForm request={request} onTitle={setTitle} onPaid={done} />
          </WithProcessor>
        </MuiCard>
      </Box>
    </>
  );
}
