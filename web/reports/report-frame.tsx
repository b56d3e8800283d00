import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import type { CapabilityName, ReportKind } from '../../contract/permissions.ts';
import { useUser } from '../queries/current-user.ts';
import { LinkTabs } from '../ui/link-tabs.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { say } from '../ui/say.ts';
import { SavedViews } from './saved-views.tsx';

/** The reports, in the order of their tabs. */
const reports = {
  'usage-summary': { label: 'Usage summary', capability: 'seeUsageSummary' },
  'text-activity': { label: 'Text activity', capability: 'seeTextActivity' },
  delivery: { label: 'Delivery', capability: 'seeDelivery' },
  'credit-balance': { label: 'Credit balance', capability: 'seeCreditBalance' },
  'billing-history': { label: 'Billing history', capability: 'seeBillingHistory' },
  invoices: { label: 'Invoices', capability: 'seeInvoices' },
  'opt-out-report': { label: 'Opt-outs', capability: 'seeOptOutReport' },
  'promotional-opt-in': { label: 'Promotional opt-in', capability: 'seePromotionalOptIn' },
  'phone-number-history': { label: 'Phone number history', capability: 'seePhoneNumberHistory' },
} as const satisfies Record<ReportKind, { label: string; capability: CapabilityName }>;
type ReportName = keyof typeof reports;

interface ReportFrameProps {
  name: ReportName;
  sentence: string;
  /** At the right of the head. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The head of every report: its name, and the way to the others that the user may see. */
export function ReportFrame({ name, sentence, actions, children }: ReportFrameProps) {
  const denied = useUser()?.Denied ?? {};
  const names = (Object.keys(reports) as ReportName[]).filter(
    (one) => denied[reports[one].capability] === undefined,
  );
  return (
    <>
      <PageHead
        title="Reports"
        tabTitle={say(`${reports[name].label} · Reports`)}
        sentence={sentence}
        actions={
          <>
            <SavedViews report={name} />
            {actions}
          </>
        }
      />
      <LinkTabs
        label="Reports"
        tabs={names.map((one) => ({
          to: `/reports/${one}` as const,
          label: reports[one].label,
          isCurrent: one === name,
        }))}
      />
      <Box
        sx={{
          px: { xs: 2, sm: 3, laptop: 4 },
          pt: 2.5,
          pb: 4,
          display: 'grid',
          gap: 2,
          gridTemplateColumns: 'minmax(0, 1fr)',
        }}
      >
        {children}
      </Box>
    </>
  );
}
