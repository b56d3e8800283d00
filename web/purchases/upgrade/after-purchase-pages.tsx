import Box from '@mui/material/Box';
import { CircleCheck, MessageSquareText } from 'lucide-react';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { RouterButton } from '../../ui/router-button.tsx';
import type { PaidSearch } from './paid-search.ts';

const frame = { px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, maxWidth: 664 };

/** Paid, but no number can text yet: that is next. */
export function TextRegistrationPage({ paid }: { paid: PaidSearch }) {
  return (
    <>
      <PageHead title="One more step to text" maxWidth={664} />
      <Box sx={frame}>
        <Card>
          <EmptyState
            icon={MessageSquareText}
            title="Register your text number"
            titleComponent="h2"
            action={
              <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', justifyContent: 'center' }}>
                <RouterButton variant="text" to="/upgrade/purchase-complete" search={paid}>
                  Later
                </RouterButton>
                <RouterButton variant="contained" color="primary" to="/text-setup">
                  Register now
                </RouterButton>
              </Box>
            }
          >
            {paid.what !== undefined && 'Thank you, the payment went through. '}
            Carriers deliver texts only from registered numbers. Registering takes about ten minutes, and the
            carriers’ review takes a few days.
          </EmptyState>
        </Card>
      </Box>
    </>
  );
}

/** After a purchase. */
export function PurchaseCompletePage({ paid }: { paid: PaidSearch }) {
  return (
    <>
      <PageHead title="Purchase complete" maxWidth={664} />
      <Box sx={frame}>
        <Card>
          <EmptyState
            icon={CircleCheck}
            title={paid.what ?? 'Thank you'}
            titleComponent="h2"
            action={
              <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', justifyContent: 'center' }}>
                {paid.invoice === undefined ? (
                  <RouterButton to="/settings/billing">Open billing</RouterButton>
                ) : (
                  <RouterButton
                    to="/settings/billing/invoices/$invoiceId"
                    params={{ invoiceId: String(paid.invoice) }}
                  >
                    Open invoice
                  </RouterButton>
                )}
                <RouterButton variant="contained" color="primary" to="/home">
                  Go to Home
                </RouterButton>
              </Box>
            }
          >
            Thank you. The receipt is on the billing page, and the account owner gets it by email.
          </EmptyState>
        </Card>
      </Box>
    </>
  );
}
