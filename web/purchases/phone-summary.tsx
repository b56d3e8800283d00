import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiCard from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { RefreshCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Account } from '../../contract/accounts.ts';
import { isMonthly } from '../../contract/states/account-status.ts';
import { CardMark } from '../pieces/purchases/card-mark.tsx';
import { useCan } from '../queries/current-user.ts';
import { formatCount } from '../ui/format.ts';
import { accountTypeWords } from './account-type-words.ts';
import { RefillDialog, useAutoRefill } from './auto-refill-card.tsx';
import type { BillingDialog } from './billing-parts.ts';
import { useCardFacts } from './card-card.tsx';
import { CardButton } from './fact-card.tsx';
import { usePlanLines } from './plan-card.tsx';
import { SmallUsageChart, useUsage } from './usage-card.tsx';

/** On telephones: credits, card and refill in one card. */
export function PhoneSummary({
  account,
  onOpen,
}: {
  account: Account;
  onOpen: (open: BillingDialog) => void;
}) {
  const canManageCard = useCan('manageCard');
  const canRefill = useCan('manageAutoRefill');
  const canSubscribe = useCan('subscribe');
  const usage = useUsage();
  const card = useCardFacts();
  const refill = useAutoRefill(card.brand !== undefined, canRefill);
  const [isEditing, setEditing] = useState(false);
  const monthly = isMonthly(account);
  const planLines = usePlanLines(account);
  return (
    <MuiCard component="section" aria-label="Billing at a glance">
      <Box sx={{ px: 2, pt: 1.75, pb: 1.5, display: 'grid', gap: 1 }}>
        <Box sx={{ display: 'flex', alignItems: 'center' }}>
          <Typography
            variant="body2"
            component="h2"
            sx={{ flex: 1, color: 'text.secondary', fontWeight: 400 }}
          >
            {monthly ? 'People reached' : 'Credits'}
          </Typography>
          {canSubscribe && account.AccountTypeID < 2 ? (
            <Button
              size="small"
              onClick={() => onOpen('plan')}
              aria-label={`${accountTypeWords(account)}: change plan`}
            >
              {accountTypeWords(account)}
            </Button>
          ) : (
            <Typography variant="body2">{accountTypeWords(account)}</Typography>
          )}
        </Box>
        <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1, fontVariantNumeric: 'tabular-nums' }}>
          <Typography variant="h4" component="span">
            {formatCount(monthly ? account.UniqueCallCount : account.CallBalance)}
          </Typography>
          <Typography variant="body2" component="span" sx={{ color: 'text.secondary' }}>
            {monthly
              ? `of ${formatCount(account.MonthlyLevel ?? 0)} people`
              : `${formatCount(account.PendingCallBalance)} reserved`}
          </Typography>
        </Box>
        {monthly && (
          <Typography variant="body2" component="p" sx={{ color: 'text.secondary' }}>
            {planLines
              .filter((line) => line !== '')
              .map((line) => (
                <Box component="span" key={line} sx={{ display: 'block' }}>
                  {line}
                </Box>
              ))}
          </Typography>
        )}
        {usage && <SmallUsageChart days={usage.Days} />}
        {usage && (
          <Typography
            variant="body2"
            component="p"
            sx={{ color: 'text.secondary', textAlign: 'center', fontVariantNumeric: 'tabular-nums' }}
          >
            {formatCount(usage.Credits)} used in 30 days
          </Typography>
        )}
      </Box>
      <Row
        mark={<CardMark brand={card.brand ?? ''} />}
        title={card.isExpired ? 'Credit card is expired.' : card.name}
        sentence={card.lines[0] ?? ''}
        end={
          canManageCard && (
            <Button
              variant="text"
              color="primary"
              size="small"
              aria-label={card.brand ? 'Update card' : 'Add card'}
              onClick={() => onOpen('card')}
            >
              {card.brand ? 'Update' : 'Add'}
            </Button>
          )
        }
      />
      {canRefill && (
        <Row
          mark={<RefreshCw size={18} aria-hidden />}
          title={refill.isOn ? refill.value : 'Auto refill is off'}
          sentence={
            refill.isOn
              ? `Auto refill${refill.last ? `, ${refill.last.toLowerCase()}` : ''}`
              : refill.sentence
          }
          end={
            <>
              {refill.setting && (
                <CardButton label="Edit" of="auto refill" onPress={() => setEditing(true)} />
              )}
              {refill.control}
            </>
          }
        />
      )}
      <RefillDialog setting={refill.setting} isOpen={isEditing} onClose={() => setEditing(false)} />
    </MuiCard>
  );
}

function Row({
  mark,
  title,
  sentence,
  end,
}: {
  mark: ReactNode;
  title: string;
  sentence: string;
  end: ReactNode;
}) {
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.5,
        px: 2,
        py: 1.25,
        borderTop: '1px solid',
        borderColor: 'line.hair',
      }}
    >
      <Box sx={{ width: 38, display: 'grid', placeItems: 'center', flex: 'none', color: 'text.secondary' }}>
        {mark}
      </Box>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ fontWeight: 550 }}>{title}</Box>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {sentence}
        </Typography>
      </Box>
      {end}
    </Box>
  );
}
