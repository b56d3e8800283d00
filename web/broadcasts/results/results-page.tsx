import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Link from '@mui/material/Link';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useNavigate } from '@tanstack/react-router';
import { CircleX, MessagesSquare, Pause, Pencil, PhoneOutgoing, Play, Siren } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import type { WholeBroadcast } from '../../../contract/broadcasts.ts';
import { showsFailureWarning } from '../../../contract/delivery/failure-warning.ts';
import { placesCalls, sendsTexts } from '../../../contract/money/units.ts';
import { errorCatalog } from '../../../contract/reference/error-catalog.ts';
import { isNotFound, shownMessage } from '../../api.ts';
import { textTotal } from '../../pieces/broadcasts/broadcast-counts.ts';
import { BroadcastPill } from '../../pieces/broadcasts/broadcast-pill.tsx';
import { labelOf, withFieldsInWords } from '../../pieces/broadcasts/broadcast-words.ts';
import { useCan, useTimeZone } from '../../queries/current-user.ts';
import { countOf, formatCount } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { useNow } from '../../ui/now.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { RouterButton } from '../../ui/router-button.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { type BroadcastActions, useBroadcastActions } from '../broadcast-actions.ts';
import type { ResultsSearch } from '../broadcast-address.ts';
import { type OpenBroadcastDialog, useBroadcastDialogs } from '../broadcast-dialogs.tsx';
import { BroadcastMenu } from '../broadcast-menu.tsx';
import { useBroadcast, useNumberLine } from '../broadcast-queries.ts';
import { NotFoundDialog } from '../list/not-found-dialog.tsx';
import { hasNotBegun, whatCanBeDone } from '../what-can-be-done.ts';
import { CallProgressCard } from './call-progress.tsx';
import { LinksCard } from './links-card.tsx';
import { NeedsMessageCard } from './needs-message-card.tsx';
import { PlannedCard } from './planned-card.tsx';
import { PlayedCard } from './played-card.tsx';
import { ProgressCard } from './progress-card.tsx';
import { failureSegment } from './result-tabs.ts';
import { headSentence } from './result-words.ts';
import { ResultsCard } from './results-card.tsx';
import { SecondTextCard } from './second-text-card.tsx';

interface ResultsPageProps {
  broadcastId: number;
  /** The last part of the address: which tab. */
  segment: string;
  search: ResultsSearch;
}

/** One broadcast: its progress, and the result of each text and call. */
export function ResultsPage({ broadcastId, segment, search }: ResultsPageProps) {
  const { data: broadcast, error, refetch } = useBroadcast(broadcastId);
  if (isNotFound(error)) return <NotFoundDialog />;
  if (!broadcast && error)
    return (
      <Box sx={{ p: { xs: 2, sm: 3, laptop: 4 } }}>
        <RetryNotice onRetry={() => void refetch()}>
          {shownMessage(error, errorCatalog.getBroadcasts)}
        </RetryNotice>
      </Box>
    );
  if (!broadcast) return <ResultsSkeleton />;
  return <Results broadcast={broadcast} segment={segment} search={search} />;
}

function Results({
  broadcast,
  segment,
  search,
}: Omit<ResultsPageProps, 'broadcastId'> & { broadcast: WholeBroadcast }) {
  const zone = useTimeZone();
  const now = useNow();
  const number = useNumberLine(broadcast.TextNumberID);
  const actions = useBroadcastActions();
  const { open, dialogs } = useBroadcastDialogs(actions);
  const isPlanned = hasNotBegun(broadcast, now);
  const isCalling = placesCalls(broadcast.BroadcastType);
  // One that does either may have reached everybody in one way.
  const texts = sendsTexts(broadcast.BroadcastType) ? textTotal(broadcast) : 0;
  const needsMessage = broadcast.BroadcastStatusCategory === 'NeedsMessage';
  return (
    <>
      <PageHead
        title={broadcast.BroadcastName}
        crumb={<Crumb />}
        pill={<BroadcastPill label={labelOf(broadcast, now)} awaiting={broadcast.SentTotal} />}
        sentence={headSentence(broadcast, number, now, zone)}
        actions={<HeadActions broadcast={broadcast} actions={actions} onDialog={open} />}
      />
      <Box
        sx={{
          px: { xs: 2, sm: 3, laptop: 4 },
          display: 'flex',
          flexDirection: 'column',
          gap: 2,
          flex: 1,
        }}
      >
        {isPlanned ? <PlannedChips broadcast={broadcast} /> : <Message broadcast={broadcast} />}
        <EmergencyBand broadcast={broadcast} />
        <Warnings broadcast={broadcast} />
        {needsMessage && <NeedsMessageCard broadcast={broadcast} />}
        {isPlanned || needsMessage ? (
          <PlannedCard broadcast={broadcast} />
        ) : (
          <>
            {isCalling && (broadcast.CallTotal > 0 || texts === 0) && (
              <CallProgressCard broadcast={broadcast} />
            )}
            {sendsTexts(broadcast.BroadcastType) && (texts > 0 || !isCalling) && (
              <ProgressCard broadcast={broadcast} />
            )}
          </>
        )}
        {isCalling && <PlayedCard broadcast={broadcast} />}
        {broadcast.SecondText && (
          <SecondTextCard
            broadcast={broadcast}
            results={broadcast.SecondText}
            onCancel={() => open('cancel', broadcast)}
          />
        )}
        <LinksCard links={broadcast.Links} />
        <ResultsCard broadcast={broadcast} segment={segment} search={search} actions={actions} />
      </Box>
      {dialogs}
    </>
  );
}

/** Details of an emergency: how it was started, by whom, and which rules were overridden for it. */
function EmergencyBand({ broadcast }: { broadcast: WholeBroadcast }) {
  const { IsEmergency, IsDrill, User, HoursSetAsideBy } = broadcast;
  if (!IsEmergency) return null;
  return (
    <Notice
      kind={IsDrill ? 'warning' : 'info'}
      icon={Siren}
      title={IsDrill ? 'This is a drill' : 'Emergency'}
    >
      {User.Name} started it
      {HoursSetAsideBy !== '' && ' and chose to send it outside quiet hours and the calling window'}.
    </Notice>
  );
}

export function Crumb() {
  return (
    <RouterLink to="/broadcasts" search={{}} color="inherit">
      Broadcasts
    </RouterLink>
  );
}

interface HeadActionsProps {
  broadcast: WholeBroadcast;
  actions: BroadcastActions;
  onDialog: OpenBroadcastDialog;
}

function HeadActions({ broadcast, actions, onDialog }: HeadActionsProps) {
  const navigate = useNavigate();
  const now = useNow();
  const can = whatCanBeDone(broadcast, now);
  const isCalling = placesCalls(broadcast.BroadcastType);
  const maySend = useCan(isCalling ? 'createVoiceBroadcast' : 'createTextBroadcast');
  const mayCreate = useCan('createBroadcast');
  const { CanChange, UnansweredTotal, BroadcastID, BusyNoAnswerTotal } = broadcast;
  const isOver = broadcast.BroadcastStatusCategory === 'Completed';
  return (
    <>
      {CanChange && can.cancel && (
        <Button
          variant="text"
          color="error"
          startIcon={<CircleX aria-hidden />}
          onClick={() => onDialog('cancel', broadcast)}
        >
          Cancel
        </Button>
      )}
      {CanChange && maySend && can.edit && (
        <Button startIcon={<Pencil aria-hidden />} onClick={() => onDialog('edit', broadcast)}>
          Edit
        </Button>
      )}
      {CanChange && can.pause && (
        <Button
          startIcon={<Pause aria-hidden />}
          disabled={actions.isBusy}
          onClick={() => void actions.pause(broadcast)}
        >
          Pause
        </Button>
      )}
      {CanChange && maySend && can.resume && (
        <Button
          startIcon={<Play aria-hidden />}
          disabled={actions.isBusy}
          onClick={() => void actions.resume(broadcast)}
        >
          Resume
        </Button>
      )}
      <BroadcastMenu
        broadcast={broadcast}
        actions={actions}
        onDialog={onDialog}
        isWithoutControl
        onDeleted={() => void navigate({ to: '/broadcasts', search: {} })}
      />
      {isCalling && isOver && mayCreate && BusyNoAnswerTotal > 0 && (
        <Button
          variant={UnansweredTotal > 0 ? 'outlined' : 'contained'}
          {...(UnansweredTotal > 0 ? {} : { color: 'primary' })}
          startIcon={<PhoneOutgoing aria-hidden />}
          disabled={actions.isBusy}
          onClick={() => void actions.sendAgain(broadcast, { callresultcategory: 'BusyNoAnswer' })}
        >
          Call the {formatCount(BusyNoAnswerTotal)} again
        </Button>
      )}
      {UnansweredTotal > 0 && (
        <RouterButton
          to="/broadcast-details/$broadcastId/text-replies"
          params={{ broadcastId: BroadcastID }}
          variant="contained"
          color="primary"
          startIcon={<MessagesSquare aria-hidden />}
        >
          Answer {countOf(UnansweredTotal, 'reply', 'replies')}
        </RouterButton>
      )}
    </>
  );
}

/** The text, on one line until it is expanded, with labels and pictures beside it. */
function Message({ broadcast }: { broadcast: WholeBroadcast }) {
  const { TextMessage, Media, Labels } = broadcast;
  const [isWhole, setWhole] = useState(false);
  const [wordsRef, isCut] = useIsCut();
  const isLong = isWhole || isCut || TextMessage.includes('\n');
  if (TextMessage === '' && Media.length === 0)
    return Labels.length === 0 ? null : <PlannedChips broadcast={broadcast} />;
  return (
    <Box sx={line}>
      <Typography
        ref={wordsRef}
        sx={{
          minWidth: 0,
          maxWidth: '100%',
          overflowWrap: 'anywhere',
          ...(isWhole ? { whiteSpace: 'pre-wrap', flexBasis: '100%' } : {}),
        }}
        noWrap={!isWhole}
      >
        “{withFieldsInWords(TextMessage) || 'A picture'}”
      </Typography>
      {isLong && (
        <Link component="button" type="button" onClick={() => setWhole(!isWhole)} sx={{ minHeight: 24 }}>
          {isWhole ? 'Show less' : 'Show full message'}
        </Link>
      )}
      {Media.length > 0 && <Chip label="With a picture" />}
      <Chips broadcast={broadcast} />
    </Box>
  );
}

/** The text of one that hasn't gone out is in a card of its own. */
function PlannedChips({ broadcast }: { broadcast: WholeBroadcast }) {
  if (broadcast.RepeatingScheduleDescription === '' && broadcast.Labels.length === 0) return null;
  return (
    <Box sx={line}>
      <Chips broadcast={broadcast} />
    </Box>
  );
}

function Chips({ broadcast: { RepeatingScheduleDescription, Labels } }: { broadcast: WholeBroadcast }) {
  return (
    <>
      {RepeatingScheduleDescription !== '' && <Chip label={RepeatingScheduleDescription} />}
      {Labels.map(({ LabelID, LabelName }) => (
        <Chip key={LabelID} variant="outlined" label={LabelName} />
      ))}
    </>
  );
}

const line = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  columnGap: 1,
  rowGap: 0.5,
  mt: -1.5,
  color: 'text.secondary',
} as const;

/** True if a line is truncated. */
function useIsCut() {
  const ref = useRef<HTMLParagraphElement>(null);
  const [isCut, setCut] = useState(false);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setCut(element.scrollWidth > element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, isCut] as const;
}

function Warnings({ broadcast }: { broadcast: WholeBroadcast }) {
  const { BroadcastID, HeldReason, FailedTextTotal, InvalidTextCount } = broadcast;
  const failed = FailedTextTotal + InvalidTextCount;
  const texts = textTotal(broadcast);
  const isWarned = showsFailureWarning(failed, texts);
  return (
    <>
      {/* While the results of both texts are awaited, their card says so. */}
      {HeldReason !== '' && broadcast.SecondText?.State !== 'Waiting' && (
        <Notice
          kind="info"
          title={
            // With both, the calls may be over while texts are waiting.
            placesCalls(broadcast.BroadcastType) && broadcast.WaitingCallTotal > 0
              ? 'Calling is on hold'
              : 'Sending is on hold'
          }
        >
          {HeldReason}
        </Notice>
      )}
      {isWarned && (
        <Notice kind="warning" title="Most of these texts failed">
          {formatCount(failed)} of {countOf(texts, 'text', 'texts')} weren’t delivered.{' '}
          <RouterLink
            to="/broadcast-details/$broadcastId/$sub"
            params={{ broadcastId: BroadcastID, sub: failureSegment(broadcast) }}
            search={{}}
            resetScroll={false}
          >
            See the reason for each
          </RouterLink>
          . The most common reasons are an unregistered text number and wording that carriers treat as spam.
        </Notice>
      )}
    </>
  );
}

function ResultsSkeleton() {
  return (
    <Box
      role="status"
      aria-label="Loading broadcast"
      sx={{
        p: { xs: 2, sm: 3, laptop: 4 },
        display: 'grid',
        gap: 2,
        gridTemplateColumns: 'minmax(0, 1fr)',
      }}
    >
      <Skeleton variant="rounded" width={280} height={28} />
      <Skeleton variant="rounded" width={420} height={16} sx={{ maxWidth: '100%' }} />
      <Skeleton variant="rounded" height={264} sx={{ borderRadius: '10px' }} />
      <Skeleton variant="rounded" height={360} sx={{ borderRadius: '10px' }} />
    </Box>
  );
}
