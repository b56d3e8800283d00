import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { ArrowRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { getContactSummary } from '../../../../contract/addresses/drafts.gen.ts';
import { errorCatalog } from '../../../../contract/reference/error-catalog.ts';
import { isTextOnly } from '../../../../contract/states/broadcast-wizard.ts';
import { shownMessage } from '../../../api.ts';
import { useCallQuery } from '../../../queries/calls.ts';
import { Notice } from '../../../ui/notice.tsx';
import { RetryNotice } from '../../../ui/retry-notice.tsx';
import { StepHead } from '../../../ui/wizard-frame.tsx';
import type { StepProps } from '../draft-state.ts';
import { reachedBy } from '../draft-type.ts';
import { focusFirstError } from '../focus-error.ts';
import { PreflightLeftOut } from '../review/preflight-left-out.tsx';
import { StepLayout } from '../step-layout.tsx';
import { useWizard } from '../wizard-context.ts';
import { AddPeople } from './add-people.tsx';
import { AddingStrip } from './adding-strip.tsx';
import { ConfirmCard } from './confirm-card.tsx';
import { RecipientsCard } from './recipients-card.tsx';
import { Sources } from './sources.tsx';

/** Step 2: who gets it. */
export function RecipientsStep({ draft }: StepProps) {
  const { goTo, tried, isRecipientsConfirmed, confirmRecipients } = useWizard();
  const [isTried, setTried] = useState(tried === 2);
  useEffect(() => {
    if (tried === 2) focusFirstError();
  }, [tried]);
  const { DraftBroadcastID } = draft;
  const summary = useCallQuery(getContactSummary, { params: { DraftBroadcastID } });
  const isCalling = !isTextOnly(draft.BroadcastType);
  const isEmpty = draft.TotalTextNumberCount === 0 && !draft.IsAdding;
  const reached = reachedBy(draft);
  const next = () => {
    setTried(true);
    if (reached > 0 && isRecipientsConfirmed) goTo(3);
    else focusFirstError();
  };
  return (
    <StepLayout
      forward={
        <Button variant="contained" color="primary" endIcon={<ArrowRight />} onClick={next}>
          Next: Messages
        </Button>
      }
    >
      <StepHead
        title="Who gets it?"
        sentence="Each phone gets one message, even if it’s in several groups."
      />
      <Box sx={{ display: 'grid', gap: 2 }}>
        {isTried && reached === 0 && (
          <Box tabIndex={-1} data-step-error sx={{ '&:focus': { outline: 'none' } }}>
            <Notice kind="error">
              {isEmpty
                ? 'Please add at least one recipient.'
                : isCalling
                  ? 'None of the people you added can be reached.'
                  : 'None of the people you added can get this text.'}
            </Notice>
          </Box>
        )}
        <AddPeople draft={draft} />
        {draft.IsAdding && <AddingStrip draftId={DraftBroadcastID} />}
        {summary.error && (
          <RetryNotice onRetry={() => void summary.refetch()}>
            {shownMessage(summary.error, errorCatalog.recipientSummary)}
          </RetryNotice>
        )}
        {summary.data && (
          <Sources draftId={DraftBroadcastID} sources={summary.data.Sources} isChanging={draft.IsAdding} />
        )}
        {!isEmpty && (
          <RecipientsCard draftId={DraftBroadcastID} type={draft.BroadcastType} summary={summary.data} />
        )}
        {summary.data && summary.data.LeftOut.length > 0 && (
          <PreflightLeftOut draftId={DraftBroadcastID} type={draft.BroadcastType} summary={summary.data} />
        )}
        {isCalling && !isEmpty && (
          <ConfirmCard
            draft={draft}
            isConfirmed={isRecipientsConfirmed}
            error={
              isTried && reached > 0 && !isRecipientsConfirmed
                ? 'Confirm your recipients before you go on.'
                : undefined
            }
            onConfirm={confirmRecipients}
          />
        )}
      </Box>
    </StepLayout>
  );
}
