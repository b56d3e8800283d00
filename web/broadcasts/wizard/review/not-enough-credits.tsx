import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId, useState } from 'react';
import { type CreditAdvice, creditAdvice } from '../../../../contract/states/credit-advice.ts';
import { MoreCredits } from '../../../pieces/purchases/more-credits.tsx';
import { useAccount, useUser } from '../../../queries/current-user.ts';
import { countOf, formatCount } from '../../../ui/format.ts';
import { RouterButton } from '../../../ui/router-button.tsx';

export interface CreditShortage {
  /** The minimum needed, and the additional amount. */
  needed: number;
  missing: number;
}

export interface GroupExcess {
  reached: number;
  allowed: number;
  exceededBy: number;
}

interface NotEnoughCreditsProps {
  shortage: CreditShortage;
  /** True if a shorter text would help. */
  isLong: boolean;
  /** True if a shorter recording would help. */
  hasAudio?: boolean;
  onChangePeople: () => void;
  onChangeText: () => void;
  onClose: () => void;
}

/** Code 4100: the credits needed, how many are missing, and what this user can do about it. */
export function NotEnoughCredits(props: NotEnoughCreditsProps) {
  const { shortage, isLong, hasAudio = false, onChangePeople, onChangeText, onClose } = props;
  const advice = useAdvice();
  const [isBuying, setBuying] = useState(false);
  // Bought: back to the draft, which can be sent now.
  if (isBuying)
    return <MoreCredits missing={shortage.missing} onClose={() => setBuying(false)} onPaid={onClose} />;
  return (
    <AdviceDialog
      title="Not enough credits"
      onClose={onClose}
      actions={
        <>
          {advice === 'update subscription' && <PlanButton />}
          {isLong && <Button onClick={onChangeText}>Shorten the text</Button>}
          {hasAudio && <Button onClick={onChangeText}>Use a different audio</Button>}
          {advice === 'buy credits' ? (
            <>
              <Button onClick={onChangePeople}>Remove people</Button>
              <Button variant="contained" color="primary" onClick={() => setBuying(true)}>
                Buy credits
              </Button>
            </>
          ) : (
            <Button variant="contained" color="primary" onClick={onChangePeople}>
              Remove people
            </Button>
          )}
        </>
      }
    >
      <p>
        This broadcast needs at least <strong>{countOf(shortage.needed, 'credit', 'credits')}</strong>. That
        is <strong>{formatCount(shortage.missing)} more</strong> than you have.
      </p>
      <p>
        {creditWords(advice, shortage.missing)} You can also send it to fewer people
        {isLong && ', or shorten the text'}
        {hasAudio && ', or use a different audio'}.
      </p>
    </AdviceDialog>
  );
}

function creditWords(advice: CreditAdvice, missing: number): string {
  const amount = countOf(missing, 'credit', 'credits');
  switch (advice) {
    case 'buy credits':
      return `Buy ${amount} or more to send it to everyone.`;
    case 'update subscription':
      return 'Update your subscription to send it to everyone.';
    case 'contact us for a new invoice':
      return `Contact us for a new invoice for at least ${amount}.`;
    case 'contact an account owner':
      return `Contact an account owner, who can buy ${amount} or more.`;
  }
}

interface ExceedGroupSizeProps {
  excess: GroupExcess;
  onChangePeople: () => void;
  onClose: () => void;
}

/** More people than a monthly account may reach in a billing period. */
export function ExceedGroupSize({ excess, onChangePeople, onClose }: ExceedGroupSizeProps) {
  const advice = useAdvice();
  const { reached, allowed, exceededBy } = excess;
  return (
    <AdviceDialog
      title="Your group size is exceeded"
      onClose={onClose}
      actions={
        <>
          {advice === 'update subscription' && <PlanButton />}
          <Button variant="contained" color="primary" onClick={onChangePeople}>
            Remove people
          </Button>
        </>
      }
    >
      <p>
        With this broadcast you would reach <strong>{countOf(reached, 'person', 'people')}</strong> in this
        billing period. Your subscription allows {formatCount(allowed)}. That is{' '}
        <strong>{formatCount(exceededBy)} too many</strong>.
      </p>
      <p>{groupWords(advice)} You can also send it to fewer people.</p>
    </AdviceDialog>
  );
}

/** Leads away to billing. That loses nothing: the draft is saved and can be found under Broadcasts. */
function PlanButton() {
  return (
    <RouterButton to="/settings/billing" search={{ open: 'plan' }}>
      Update subscription
    </RouterButton>
  );
}

function groupWords(advice: CreditAdvice): string {
  switch (advice) {
    case 'contact us for a new invoice':
      return 'Contact us for a new invoice with a larger group size.';
    case 'contact an account owner':
      return 'Ask an account owner for a larger group size.';
    case 'buy credits':
    case 'update subscription':
      return 'Update your subscription to a larger group size.';
  }
}

/** Depends on the role and on how the account pays. */
function useAdvice(): CreditAdvice {
  const user = useUser();
  const account = useAccount();
  return creditAdvice(
    { IsMasterUser: user?.IsMasterUser ?? false },
    { AccountTypeID: account?.AccountTypeID ?? 0 },
  );
}

interface AdviceDialogProps {
  title: string;
  actions: ReactNode;
  children: ReactNode;
  onClose: () => void;
}

function AdviceDialog({ title, actions, children, onClose }: AdviceDialogProps) {
  const wordsId = useId();
  return (
    <Dialog
      open
      onClose={onClose}
      aria-describedby={wordsId}
      maxWidth={false}
      slotProps={{ paper: { sx: { width: 480 } } }}
    >
      <DialogTitle>{title}</DialogTitle>
      <DialogContent id={wordsId}>
        <Typography component="div" sx={{ display: 'grid', gap: 1.5, '& p': { m: 0 } }}>
          {children}
        </Typography>
      </DialogContent>
      <DialogActions>
        <Button variant="text" onClick={onClose}>
          Close
        </Button>
        {actions}
      </DialogActions>
    </Dialog>
  );
}
