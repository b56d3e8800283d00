import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useBlocker, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { DraftBroadcast } from '../../../contract/drafts.ts';
import { errorCatalog } from '../../../contract/reference/error-catalog.ts';
import {
  completedSteps,
  furthestStep,
  type WizardStep,
  wizardSteps,
} from '../../../contract/states/broadcast-wizard.ts';
import { isNotFound, shownMessage } from '../../api.ts';
import { useAccount, useTimeZone } from '../../queries/current-user.ts';
import { NotFoundPage } from '../../shell/not-found-page.tsx';
import { OnlyFor } from '../../shell/restricted-page.tsx';
import { useNow } from '../../ui/now.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import type { CreateSearch } from './draft-address.ts';
import { type OpenDraft, useDraft } from './draft-state.ts';
import { MessageStep } from './message/message-step.tsx';
import { RecipientsStep } from './recipients/recipients-step.tsx';
import { ReviewStep } from './review/review-step.tsx';
import { SettingsStep } from './settings-step.tsx';
import { WizardContext } from './wizard-context.ts';
import { wizardStateOf } from './wizard-state.ts';

/**
 * A broadcast from its name to Send. The first change creates the draft, and from then on its id is in the
 * address, so that the draft can be continued in this browser or another.
 */
export function WizardPage({ search }: { search: CreateSearch }) {
  return (
    <OnlyFor capability={search.draft === undefined ? 'createBroadcast' : 'manageBroadcasts'}>
      <Wizard search={search} />
    </OnlyFor>
  );
}

function Wizard({ search }: { search: CreateSearch }) {
  const open = useDraft(search.draft);
  useOwnAddress(open, search);
  // A broadcast that was just sent isn't a draft any more; its page is loading.
  if (isNotFound(open.loadError) && !open.draft) return <NotFoundPage />;
  if (open.draft) return <OpenWizard key={open.serial} open={open} draft={open.draft} search={search} />;
  return (
    <Box sx={{ p: 4 }}>
      {open.loadError ? (
        <RetryNotice onRetry={open.reload}>{shownMessage(open.loadError, errorCatalog.getDraft)}</RetryNotice>
      ) : (
        <SkeletonRows rows={8} />
      )}
    </Box>
  );
}

/** A draft that was just created here gets its address, without a new entry in the browser's history. */
function useOwnAddress({ draftId }: OpenDraft, search: CreateSearch): void {
  const navigate = useNavigate();
  const { draft: known, step } = search;
  useEffect(() => {
    if (draftId === undefined || known !== undefined) return;
    const own = { draft: draftId, ...(step === undefined ? {} : { step }) };
    void navigate({ to: '/broadcasts/create', search: own, replace: true });
  }, [draftId, known, step, navigate]);
}

interface OpenWizardProps {
  open: OpenDraft;
  draft: DraftBroadcast;
  search: CreateSearch;
}

function OpenWizard({ open, draft, search }: OpenWizardProps) {
  const navigate = useNavigate();
  const around = { account: useAccount(), nowMs: useNow(), zone: useTimeZone() };
  const stateOf = (of: DraftBroadcast) => wizardStateOf(of, around);
  const state = stateOf(draft);
  const completed = completedSteps(state);
  const furthest = furthestStep(state);
  const step = useStep(draft, search, furthest);
  // The step that somebody was sent back to because something is missing there; it shows what.
  const [tried, setTried] = useState<WizardStep>();

  const goTo = async (wanted: WizardStep) => {
    // Going on may have made the message that was missing when the button was drawn.
    const reachable = furthestStep(stateOf(open.current() ?? draft));
    const next = wanted <= step ? wanted : (Math.min(wanted, reachable) as WizardStep);
    setTried(next < wanted ? next : undefined);
    if (next === step) return;
    // A draft opens where it was left.
    if (next !== draft.Step) open.save({ Step: next });
    // Recipients and text belong to a draft that exists; so does everything that the next step reads of it.
    if (!(await open.flush())) return;
    const draftId = open.currentId();
    if (draftId !== undefined)
      await navigate({ to: '/broadcasts/create', search: { draft: draftId, step: next } });
  };
  const close = () => void navigate({ to: '/broadcasts' });

  const given = { draft, save: open.save, flush: open.flush };
  return (
    <WizardContext
      value={{
        draft,
        step,
        tried,
        isRecipientsConfirmed: state.isRecipientsConfirmed,
        confirmRecipients: (RecipientsConfirmed) => {
          open.save({ RecipientsConfirmed });
          // At once: people who are added after it must not be confirmed by it.
          void open.flush();
        },
        done: wizardSteps.map((_, index) => completed.includes((index + 1) as WizardStep)),
        isSaving: open.isSaving,
        savedAt: open.savedAt,
        saveError: open.error,
        retry: () => void open.flush(),
        goTo: (next) => void goTo(next),
        close,
      }}
    >
      {step === 1 && <SettingsStep {...given} />}
      {step === 2 && <RecipientsStep {...given} />}
      {step === 3 && <MessageStep {...given} />}
      {step === 4 && <ReviewStep {...given} />}
      <LeaveGuard open={open} />
    </WizardContext>
  );
}

/**
 * The step that the address names, or the one that the draft was left at. A step that was reached stays open:
 * a start that has passed meanwhile doesn't send anybody back. The step is determined when the address is
 * opened; no change on the page leads to another step.
 */
function useStep(draft: DraftBroadcast, search: CreateSearch, furthest: WizardStep): WizardStep {
  const settle = (wanted: WizardStep): WizardStep => {
    // Other pages create a broadcast with its recipients and open its message step; the review needs
    // everything.
    const isOpen = draft.DraftBroadcastID !== 0 && wanted < 4;
    return isOpen ? wanted : (Math.min(wanted, Math.max(draft.Step, furthest)) as WizardStep);
  };
  const [at, setAt] = useState(() => ({
    asked: search.step,
    step: settle(search.step ?? (draft.Step as WizardStep)),
  }));
  if (at.asked === search.step) return at.step;
  const step = settle(search.step ?? at.step);
  setAt({ asked: search.step, step });
  return step;
}

/** Leaving waits until the last change is saved; if that fails, the user decides. */
function LeaveGuard({ open }: { open: OpenDraft }) {
  const blocker = useBlocker({
    withResolver: true,
    enableBeforeUnload: () => !open.isKept(),
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname || open.isKept()) return false;
      return !(await open.flush());
    },
  });
  const isBlocked = blocker.status === 'blocked';
  return (
    <Dialog open={isBlocked} onClose={() => blocker.reset?.()}>
      <DialogTitle>Your latest changes aren’t saved</DialogTitle>
      <DialogContent>
        {open.error ?? errorCatalog.updateDraft} If you leave now, you’ll lose them.
      </DialogContent>
      <DialogActions>
        <Button
          variant="text"
          color="error"
          onClick={() => {
            open.stop();
            blocker.proceed?.();
          }}
        >
          Leave without saving
        </Button>
        <Button variant="contained" color="primary" onClick={() => blocker.reset?.()}>
          Stay here
        </Button>
      </DialogActions>
    </Dialog>
  );
}
