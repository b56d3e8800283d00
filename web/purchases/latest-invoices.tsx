import { listInvoices } from '../../contract/addresses/invoices.gen.ts';
import { InvoiceTable } from '../pieces/invoices/invoice-table.tsx';
import { useOutstanding } from '../pieces/invoices/outstanding.tsx';
import { useCallQuery } from '../queries/calls.ts';
import { useCan } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { formatCount } from '../ui/format.ts';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { RouterButton } from '../ui/router-button.tsx';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';

/** The latest five, and how many are open. */
export function LatestInvoices() {
  const canSee = useCan('seeInvoices');
  const { data, isError, refetch } = useCallQuery(
    listInvoices,
    { query: { pagesize: 5 } },
    { enabled: canSee },
  );
  const { count } = useOutstanding();
  if (!canSee) return null;
  return (
    <Card
      title="Latest invoices"
      count={count > 0 ? `${formatCount(count)} open` : undefined}
      action={
        <RouterButton variant="text" color="primary" size="small" to="/settings/billing/invoices">
          All invoices
        </RouterButton>
      }
    >
      {isError && (
        <RetryNotice onRetry={() => void refetch()}>There was an error getting your invoices.</RetryNotice>
      )}
      {!data && !isError && <SkeletonRows rows={5} rowHeight={44} label="Loading your invoices" />}
      {data && <InvoiceTable invoices={data.Items} />}
    </Card>
  );
}
