import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useState } from 'react';
import { creditLadder, ladderFor } from '../../../contract/money/credit-steps.ts';
import { creditPriceCents, findTier } from '../../../contract/money/pricing.ts';
import { moreCreditsDialog } from '../../../contract/states/dialogs.ts';
import { RadioBoxes } from '../../ui/choices.tsx';
import { countOf } from '../../ui/format.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { BuyCredits } from './buy.tsx';
import { formatDollars, formatUnitCost } from './money-words.ts';
import { usePrices } from './prices.ts';

interface MoreCreditsProps {
  missing: number;
  onClose: () => void;
  onPaid: () => void;
}

/** More credits for what is about to be sent: select an amount, then see what it comes to and pay. */
export function MoreCredits({ missing, onClose, onPaid }: MoreCreditsProps) {
  const { tiers, problem, retry } = usePrices('payg');
  const [step, setStep] = useState(moreCreditsDialog.initial);
  const [chosen, setChosen] = useState<number>();
  const least = ladderFor(tiers, missing);
  const credits = chosen ?? least;
  if (step === 'calculate')
    return (
      <BuyCredits
        isOpen
        missing={credits}
        onClose={() => setStep(moreCreditsDialog.initial)}
        onPaid={onPaid}
      />
    );
  const offers = [...new Set([least, ...creditLadder(tiers).filter((offer) => offer > least)])].slice(0, 3);
  return (
    <Dialog open onClose={onClose} maxWidth={false} slotProps={{ paper: { sx: { width: 480 } } }}>
      <DialogTitle>Buy Credits</DialogTitle>
      <DialogContent>
        {problem && <RetryNotice onRetry={retry}>{problem}</RetryNotice>}
        {!problem && tiers.length === 0 && <SkeletonRows rows={3} rowHeight={64} label="Loading prices" />}
        {tiers.length > 0 && (
          <RadioBoxes
            label={`You need ${countOf(missing, 'more credit', 'more credits')}.`}
            value={String(credits)}
            choices={offers.map((offer) => ({
              value: String(offer),
              title: countOf(offer, 'credit', 'credits'),
              sentence: `${formatDollars((creditPriceCents(tiers, offer) ?? 0) / 100)} plus sales tax, ${formatUnitCost(findTier(tiers, offer)?.Cost ?? 0)} each`,
            }))}
            onChange={(value) => setChosen(Number(value))}
          />
        )}
      </DialogContent>
      <DialogActions>
        <Button variant="text" onClick={onClose}>
          Cancel
        </Button>
        <Button
          variant="contained"
          color="primary"
          disabled={tiers.length === 0}
          onClick={() => setStep('calculate')}
        >
          Continue
        </Button>
      </DialogActions>
    </Dialog>
  );
}
