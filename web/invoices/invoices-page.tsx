import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { listInvoices } from '../../contract/addresses/invoices.gen.ts';
import { pageSizes } from '../../contract/reference/paging.ts';
import { invoiceStatusCategories } from '../../contract/states/invoice-status.ts';
import { invoiceStatusWords } from '../pieces/invoices/invoice-status-words.ts';
import { InvoiceTable } from '../pieces/invoices/invoice-table.tsx';
import { NewInvoiceDialog } from '../pieces/invoices/new-invoice-dialog.tsx';
import { useCallQuery } from '../queries/calls.ts';
import { useCan } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { Choice } from '../ui/choices.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Pager } from '../ui/pager.tsx';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { RouterLink } from '../ui/router-link.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';

const PAGE_WIDTH = 1208;

/** Every invoice, newest first. What is searched for and filtered by is in the address. */
export function InvoicesPage() {
  const { page = 1, filter, q = '' } = useSearch({ from: '/_app/settings/billing_/invoices/' });
  const navigate = useNavigate();
  const category = invoiceStatusCategories.find((each) => each === filter);
  const [isNew, setNew] = useState(false);
  const canCreate = useCan('createOwnInvoice');
  const { data, isError, refetch } = useCallQuery(
    listInvoices,
    { query: { page, q, ...(category ? { category } : {}) } },
    { keepPrevious: true },
  );
  const show = (next: { page?: number; filter?: string; q?: string }) => {
    const { page: nextPage = 1, filter: nextFilter = filter ?? '', q: nextQ = q } = next;
    void navigate({
      to: '/settings/billing/invoices',
      search: {
        ...(nextPage === 1 ? {} : { page: nextPage }),
        ...(nextFilter === '' ? {} : { filter: nextFilter }),
        ...(nextQ === '' ? {} : { q: nextQ }),
      },
      replace: true,
    });
  };
  return (
    <>
      <PageHead
        title="Invoices"
        crumb={<RouterLink to="/settings/billing">Billing</RouterLink>}
        maxWidth={PAGE_WIDTH}
        actions={
          canCreate && (
            <Button variant="contained" color="primary" onClick={() => setNew(true)}>
              New invoice
            </Button>
          )
        }
      />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, maxWidth: PAGE_WIDTH }}>
        <Card>
          <Box
            sx={{
              display: 'flex',
              gap: 1.5,
              flexWrap: 'wrap',
              px: 2,
              py: 1.25,
              borderBottom: '1px solid',
              borderColor: 'line.hair',
            }}
          >
            <Box sx={{ width: 180 }}>
              <Choice
                label="Status"
                value={category ?? ''}
                choices={[
                  { value: '', label: 'All invoices' },
                  { value: 'outstanding', label: 'Outstanding' },
                  ...invoiceStatusCategories
                    .filter((each) => each !== 'outstanding')
                    .map((each) => ({ value: each, label: invoiceStatusWords[each] })),
                ]}
                onChange={(value) => show({ filter: value })}
              />
            </Box>
            <Box sx={{ flex: 1 }} />
            <Box sx={{ width: { xs: '100%', sm: 240 } }}>
              <SearchField
                label="Search invoices"
                placeholder="Number, PO or text"
                q={q}
                onSearch={(text) => show({ q: text })}
              />
            </Box>
          </Box>
          {isError && !data && (
            <Box sx={{ p: 2.5 }}>
              <RetryNotice onRetry={() => void refetch()}>
                There was an error getting your invoices.
              </RetryNotice>
            </Box>
          )}
          {!data && !isError && <SkeletonRows rows={5} rowHeight={44} label="Loading your invoices" />}
          {data && (
            <InvoiceTable
              invoices={data.Items}
              empty={q !== '' || category ? 'No invoices match.' : 'There are no invoices yet.'}
            />
          )}
          {data && (
            <Pager
              page={page}
              pageSize={pageSizes.invoices}
              size={data.Size}
              onPage={(next) => show({ page: next })}
            />
          )}
        </Card>
      </Box>
      <NewInvoiceDialog isOpen={isNew} onClose={() => setNew(false)} />
    </>
  );
}
