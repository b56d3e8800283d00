import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiCard from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useNavigate } from '@tanstack/react-router';
import { PhoneOutgoing, Repeat, Send } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { getPreflight } from '../../../../contract/addresses/drafts.gen.ts';
import type { DraftBroadcast, Preflight } from '../../../../contract/drafts.ts';
import { placesCalls, sendsTexts } from '../../../../contract/money/units.ts';
import { errorCatalog } from '../../../../contract/reference/error-catalog.ts';
import { shownMessage } from '../../../api.ts';
import { BlockedNumberHelp } from '../../../pieces/numbers/blocked-number-help.tsx';
import { characterLimit } from '../../../pieces/texts/text-rules.ts';
import { useCallQuery } from '../../../queries/calls.ts';
import { useAccount, useTimeZone, useWhyNot } from '../../../queries/current-user.ts';
import { Notice } from '../../../ui/notice.tsx';
import { useNow } from '../../../ui/now.ts';
import { RetryNotice } from '../../../ui/retry-notice.tsx';
import { StepHead } from '../../../ui/wizard-frame.tsx';
import type { StepProps } from '../draft-state.ts';
import { focusFirstError } from '../focus-error.ts';
import { MergeBand } from '../message/merge-band.tsx';
import { type Merging, useMerge } from '../message/merge-state.ts';
import { isMerged } from '../message/message-state.ts';
import { ConfirmCard } from '../recipients/confirm-card.tsx';
import { StepLayout } from '../step-layout.tsx';
import { useWizard } from '../wizard-context.ts';
import { ExceedGroupSize, NotEnoughCredits } from './not-enough-credits.tsx';
import { PreflightCalls } from './preflight-calls.tsx';
import { PreflightFigures } from './preflight-figures.tsx';
import { NotCalled, PreflightLeftOut } from './preflight-left-out.tsx';
import { CallPlan, PreflightPlan } from './preflight-plan.tsx';
import { ChecksCard, CreditsCard, MessageCard } from './preflight-side.tsx';
import { sendWords } from './preflight-words.ts';
import { type SendProblem, useSend } from './review-send.ts';

/** A check that is a minute old may be outdated: time passes, and others send too. */
const FRESH_MS = 60_000;
/** These refusals have dialogs of their own with possible fixes. */
const dialogCodes = [4100, 4101];

/** Step 4: everything that will happen when Send is pressed, before it is. */
export function ReviewStep({ draft, flush }: StepProps) {
  const navigate = useNavigate();
  const { goTo, isRecipientsConfirmed, confirmRecipients } = useWizard();
  const isConfirmAsked = useEverFalse(isRecipientsConfirmed);
  const merging = useReviewMerge(draft, flush);
  const query = useCallQuery(
    getPreflight,
    { params: { DraftBroadcastID: draft.DraftBroadcastID } },
    { enabled: merging.isReady, refetchInterval: FRESH_MS },
  );
  const [isRead, setRead] = useReadMark(draft);
  const [isTried, setTried] = useState(false);
  const sending = useSend({
    draft,
    flush,
    onSent: ({ BroadcastID, isRepeating }) =>
      void (isRepeating
        ? navigate({ to: '/broadcasts', search: { tab: 'repeating' } })
        : navigate({ to: '/broadcast-details/$broadcastId', params: { broadcastId: BroadcastID } })),
  });
  const preflight = merging.isReady ? query.data : undefined;
  const press = () => {
    setTried(true);
    // The box is above, and may be out of sight.
    if (!isRecipientsConfirmed) focusFirstError();
    else if (preflight && isRead) void sending.send(preflight);
  };
  return (
    <StepLayout
      hasSummary={false}
      forward={
        <SendButton
          draft={draft}
          preflight={preflight}
          isBusy={sending.isSending || sending.isSent}
          onPress={press}
        />
      }
    >
      <StepHead
        title="Ready to send"
        sentence="Nothing has been sent yet. This is what happens when you press Send."
      />
      <Problems preflight={preflight} problem={sending.problem} />
      {merging.isPersonalized && <ReviewMerge draft={draft} merging={merging} />}
      {query.error && !preflight && !sending.isSent && (
        <RetryNotice onRetry={() => void query.refetch()}>
          {shownMessage(query.error, 'There was an error checking your broadcast.')}
        </RetryNotice>
      )}
      {isConfirmAsked && (
        <Box sx={{ mb: 2 }}>
          <ConfirmCard
            draft={draft}
            isConfirmed={isRecipientsConfirmed}
            error={isTried && !isRecipientsConfirmed ? 'Confirm your recipients before you send.' : undefined}
            onConfirm={confirmRecipients}
          />
        </Box>
      )}
      {preflight ? (
        <Review
          draft={draft}
          preflight={preflight}
          isRead={isRead}
          readError={
            isTried && !isRead
              ? placesCalls(draft.BroadcastType)
                ? 'Check the messages again and tick this box before you send.'
                : 'Read the message again and check this box before you send.'
              : undefined
          }
          onRead={setRead}
          onEdit={() => goTo(3)}
        />
      ) : (
        !query.error && merging.isReady && <ReviewSkeleton />
      )}
      {sending.problem?.kind === 'credits' && (
        <NotEnoughCredits
          shortage={sending.problem}
          isLong={
            sendsTexts(draft.BroadcastType) &&
            (preflight?.Cost.Segments.some(({ Segments }) => Segments > 1) ?? false)
          }
          hasAudio={placesCalls(draft.BroadcastType)}
          onChangePeople={() => goTo(2)}
          onChangeText={() => goTo(3)}
          onClose={sending.forgetProblem}
        />
      )}
      {sending.problem?.kind === 'group-size' && (
        <ExceedGroupSize
          excess={sending.problem}
          onChangePeople={() => goTo(2)}
          onClose={sending.forgetProblem}
        />
      )}
    </StepLayout>
  );
}

/** True once it was false, so that a box that was shown stays after it is ticked. */
function useEverFalse(value: boolean): boolean {
  const [wasFalse, setWasFalse] = useState(!value);
  if (!value && !wasFalse) setWasFalse(true);
  return wasFalse;
}

/** A personalized text has to be merged first: without that its cost and its recipients aren't known. */
function useReviewMerge(draft: DraftBroadcast, flush: () => Promise<boolean>) {
  const isPersonalized = sendsTexts(draft.BroadcastType) && isMerged(draft);
  const merging = useMerge(draft, flush);
  // Also when people were added or removed while the page is open.
  const what = `${draft.IsAdding} ${draft.RosterChangedSinceLastMerge}`;
  const asked = useRef('');
  useEffect(() => {
    if (!isPersonalized || draft.IsAdding || asked.current === what) return;
    asked.current = what;
    merging.begin();
  });
  return { ...merging, isPersonalized, isReady: !isPersonalized || merging.merge?.Status === 'Complete' };
}

function ReviewMerge({ draft, merging }: { draft: DraftBroadcast; merging: Merging }) {
  const limit = characterLimit(useAccount());
  return (
    <Box sx={{ mb: 2 }}>
      <MergeBand merging={merging} limit={limit} isAdding={draft.IsAdding} />
    </Box>
  );
}

/**
 * True if somebody has confirmed that they read the message. If the message changes, it has to be confirmed again.
 */
function useReadMark(draft: DraftBroadcast) {
  const { TextMessage, SecondText, Media, IncludeSignature, TextSurveyAutoReplies } = draft;
  const what = JSON.stringify([
    draft.BroadcastType,
    [draft.Audio?.AudioID, draft.AudioVM?.AudioID, draft.RecordLater, draft.RecordLaterVM],
    [TextMessage, SecondText?.TextMessage],
    Media.map(({ mediaId }) => mediaId),
    IncludeSignature,
    TextSurveyAutoReplies,
  ]);
  const [read, setRead] = useState<string>();
  return [read === what, (isRead: boolean) => setRead(isRead ? what : undefined)] as const;
}

interface SendButtonProps {
  draft: DraftBroadcast;
  preflight: Preflight | undefined;
  isBusy: boolean;
  onPress: () => void;
}

/** Says what happens. */
function SendButton({ draft, preflight, isBusy, onPress }: SendButtonProps) {
  const zone = useTimeZone();
  const now = useNow();
  const isCalling = placesCalls(draft.BroadcastType);
  const denial = useWhyNot(
    draft.startOption === 'REPEATING'
      ? 'createRepeatingBroadcast'
      : isCalling
        ? 'createVoiceBroadcast'
        : 'createTextBroadcast',
  );
  const refusal = preflight?.Refusal;
  const isRefused = refusal !== null && refusal !== undefined && !dialogCodes.includes(refusal.ErrorCode);
  const Icon = draft.startOption === 'REPEATING' ? Repeat : isCalling ? PhoneOutgoing : Send;
  if (denial !== undefined) return <Typography variant="body2">{denial}</Typography>;
  return (
    <>
      <Typography
        variant="body2"
        sx={{ color: 'text.secondary', display: { xs: 'none', tablet: 'block' }, mr: 1 }}
      >
        You can pause or cancel at any time.
      </Typography>
      <Button
        variant="contained"
        color="primary"
        disabled={!preflight || isRefused || isBusy}
        startIcon={<Icon aria-hidden />}
        onClick={onPress}
      >
        {isBusy ? 'Sending…' : preflight ? sendWords(draft, preflight, { now, zone }) : 'Send'}
      </Button>
    </>
  );
}

/** Reasons why it can't be sent, and what happened when it was tried. */
function Problems({
  preflight,
  problem,
}: {
  preflight: Preflight | undefined;
  problem: SendProblem | undefined;
}) {
  const refusal = preflight?.Refusal;
  const isSaid = problem?.kind === 'message' || problem?.kind === 'blocked-number';
  if (!refusal && !isSaid) return null;
  const isRefused = problem?.kind !== 'message' || problem.isRefused;
  return (
    <Box sx={{ mb: 2, display: 'grid', gap: 1 }}>
      {isSaid && (
        <Notice kind="error" {...(isRefused ? { title: 'Your broadcast wasn’t sent' } : {})}>
          {problem.message} {problem.kind === 'blocked-number' && <BlockedNumberHelp />}
        </Notice>
      )}
      {refusal && !(isSaid && problem.message === refusal.Message) && (
        <Notice kind={dialogCodes.includes(refusal.ErrorCode) ? 'warning' : 'error'}>
          {refusal.Message} {refusal.Message === errorCatalog.textNumberBlocked && <BlockedNumberHelp />}
        </Notice>
      )}
    </Box>
  );
}

interface ReviewProps {
  draft: DraftBroadcast;
  preflight: Preflight;
  isRead: boolean;
  readError: string | undefined;
  onRead: (isRead: boolean) => void;
  onEdit: () => void;
}

const columns = {
  display: 'grid',
  gap: { xs: 2, laptop: '16px 24px' },
  alignItems: 'start',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', laptop: 'minmax(0, 1fr) 336px' },
} as const;

function Review({ draft, preflight, isRead, readError, onRead, onEdit }: ReviewProps) {
  return (
    <Box sx={columns}>
      <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
        <PreflightFigures preflight={preflight} isNow={draft.startOption === 'START_IMMEDIATELY'} />
        {preflight.Calls && (
          <PreflightCalls draft={draft} calls={preflight.Calls} isFree={preflight.Cost.IsFree} />
        )}
        {preflight.Calls && <CallPlan preflight={preflight} calls={preflight.Calls} />}
        {sendsTexts(draft.BroadcastType) && (
          <PreflightPlan
            rows={preflight.Plan}
            quiet={preflight.QuietHours}
            {...(preflight.Calls ? { title: 'When texts go out, in recipients’ local time' } : {})}
          />
        )}
        {sendsTexts(draft.BroadcastType) && (
          <PreflightLeftOut
            draftId={draft.DraftBroadcastID}
            type={draft.BroadcastType}
            summary={preflight.Summary}
          />
        )}
        {preflight.Calls && <NotCalled calls={preflight.Calls} total={preflight.Summary.Total} />}
      </Box>
      <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
        <MessageCard
          draft={draft}
          preflight={preflight}
          isRead={isRead}
          error={readError}
          onRead={onRead}
          onEdit={onEdit}
        />
        <CreditsCard cost={preflight.Cost} />
        <ChecksCard checks={preflight.Checks} />
      </Box>
    </Box>
  );
}

function ReviewSkeleton() {
  const card = (height: number) => (
    <MuiCard sx={{ p: 2.5 }}>
      <Skeleton variant="rounded" width="40%" height={16} />
      <Skeleton variant="rounded" height={height} sx={{ mt: 2 }} />
    </MuiCard>
  );
  return (
    <Box sx={columns} role="status" aria-label="Checking your broadcast">
      <Box sx={{ display: 'grid', gap: 2 }}>
        {card(50)}
        {card(160)}
        {card(140)}
      </Box>
      <Box sx={{ display: 'grid', gap: 2 }}>
        {card(120)}
        {card(90)}
      </Box>
    </Box>
  );
}
