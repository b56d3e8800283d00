import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { Pause, Pencil, Play, Plus, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { listCustomFields } from '../../../contract/addresses/contacts.gen.ts';
import {
  cancelSequence,
  deleteSequence,
  getSequence,
  listSequences,
  pauseSequence,
} from '../../../contract/addresses/sequences.gen.ts';
import type { WholeSequence } from '../../../contract/sequences.ts';
import { isNotFound, shownMessage } from '../../api.ts';
import { useCall, useCallQuery } from '../../queries/calls.ts';
import { useCan, useTimeZone } from '../../queries/current-user.ts';
import { NotFoundPage } from '../../shell/not-found-page.tsx';
import { OnlyFor } from '../../shell/restricted-page.tsx';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Card } from '../../ui/card.tsx';
import { countOf, formatCount, formatDay, formatTime } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { useNow } from '../../ui/now.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { AddStepDialog } from './add-step-dialog.tsx';
import { CourseDialog } from './course-dialog.tsx';
import { EditStepDialog, ResumeDialog } from './drip-dialogs.tsx';
import { DripPeople } from './drip-people.tsx';
import { afterWords, startWords, stateWords, statusWords } from './drip-words.ts';
import { FieldedText } from './fielded-text.tsx';

/** A campaign that was started: which step has gone out, who gets it, and ways to stop it. */
export function DripPage({ sequenceId }: { sequenceId: number }) {
  return (
    <OnlyFor capability="seeBroadcasts">
      <Drip sequenceId={sequenceId} />
    </OnlyFor>
  );
}

type Asked = 'resume' | 'cancel' | 'delete' | undefined;

function Drip({ sequenceId }: { sequenceId: number }) {
  const params = { SequenceID: sequenceId };
  const { data, error, refetch } = useCallQuery(getSequence, { params });
  const mayCreate = useCan('createDripCampaign');
  if (isNotFound(error)) return <NotFoundPage />;
  // The search finds drafts too.
  if (data?.Status === 'draft' && mayCreate)
    return <Navigate to="/drip-campaigns/new" search={{ sequence: sequenceId }} replace />;
  if (!data)
    return (
      <Box sx={{ p: 4 }}>
        {error ? (
          <RetryNotice onRetry={() => void refetch()}>
            {shownMessage(error, 'There was an error getting your drip campaign.')}
          </RetryNotice>
        ) : (
          <SkeletonRows rows={6} rowHeight={64} label="Loading the drip campaign" />
        )}
      </Box>
    );
  return <Shown sequence={data} />;
}

function Shown({ sequence }: { sequence: WholeSequence }) {
  const { SequenceID, Name, Status, PausedBecause, NobodyJoinsBecause, Steps, DeletedGroups } = sequence;
  const client = useQueryClient();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Asked>();
  const [edited, setEdited] = useState<number>();
  const [isAdding, setAdding] = useState(false);
  const [isPreviewing, setPreviewing] = useState(false);
  const freshen = () => {
    void client.invalidateQueries({ queryKey: [getSequence.path] });
    void client.invalidateQueries({ queryKey: [listSequences.path] });
  };
  const done = {
    onError: (error: unknown) =>
      showSnackbar(shownMessage(error, 'There was an error updating your drip campaign.')),
    onSettled: () => {
      setAsked(undefined);
      freshen();
    },
  };
  const pause = useCall(pauseSequence, done);
  const cancel = useCall(cancelSequence, done);
  const remove = useCall(deleteSequence, {
    ...done,
    onSuccess: () => void navigate({ to: '/drip-campaigns' }),
  });
  const params = { SequenceID };
  const fields = useCallQuery(listCustomFields, {});
  const customFields = (fields.data?.Items ?? []).map((field) => field.Name);
  const isOver = Status === 'completed' || Status === 'canceled';
  // If drip campaigns are no longer allowed, those that run can still be stopped.
  const [mayCreate, mayManage] = [useCan('createDripCampaign'), useCan('manageBroadcasts')];
  return (
    <>
      <PageHead
        title={Name}
        crumb={<RouterLink to="/drip-campaigns">Drip campaigns</RouterLink>}
        pill={
          <Chip
            label={statusWords[Status]}
            color={Status === 'running' ? 'primary' : Status === 'paused' ? 'warning' : 'default'}
            variant="outlined"
          />
        }
        sentence={sentenceOf(sequence, isOver)}
        actions={
          <>
            {sequence.StartsOn !== 'dates' && !isOver && (
              <Button variant="text" onClick={() => setPreviewing(true)}>
                Preview
              </Button>
            )}
            {Status === 'running' && mayManage && (
              <Button
                startIcon={<Pause aria-hidden />}
                disabled={pause.isPending}
                onClick={() => pause.mutate({ params })}
              >
                Pause
              </Button>
            )}
            {Status === 'paused' && mayCreate && (
              <Button
                variant="contained"
                color="primary"
                startIcon={<Play aria-hidden />}
                onClick={() => setAsked('resume')}
              >
                Resume
              </Button>
            )}
            {!isOver && mayManage && (
              <Button color="error" startIcon={<X aria-hidden />} onClick={() => setAsked('cancel')}>
                Cancel campaign
              </Button>
            )}
            {isOver && mayManage && (
              <Button startIcon={<Trash2 aria-hidden />} onClick={() => setAsked('delete')}>
                Delete
              </Button>
            )}
          </>
        }
      />
      <Box
        sx={{
          px: { xs: 2, sm: 3, laptop: 4 },
          pb: 4,
          display: 'grid',
          gap: 2.5,
          alignItems: 'start',
          gridTemplateColumns: { xs: '1fr', laptop: 'minmax(0, 1fr) 360px' },
        }}
      >
        {PausedBecause !== '' && (
          <Box sx={{ gridColumn: '1 / -1' }}>
            <Notice kind="warning" title="Paused">
              {PausedBecause}
            </Notice>
          </Box>
        )}
        {NobodyJoinsBecause !== '' && (
          <Box sx={{ gridColumn: '1 / -1' }}>
            <Notice kind="warning">{NobodyJoinsBecause}</Notice>
          </Box>
        )}
        {!isOver && DeletedGroups.length > 0 && (
          <Box sx={{ gridColumn: '1 / -1' }}>
            <Notice
              kind="warning"
              title={DeletedGroups.length === 1 ? 'A group was deleted' : 'Groups were deleted'}
            >
              {DeletedGroups.join(', ')}. People who are only in a deleted group get no further steps.
            </Notice>
          </Box>
        )}
        <Card title="Steps">
          <Box component="ol" aria-label="Steps" sx={{ listStyle: 'none', m: 0, p: 0 }}>
            {Steps.map((step) => (
              <Step
                key={step.Position}
                step={step}
                customFields={customFields}
                isRelative={sequence.StartsOn !== 'dates'}
                onEdit={
                  !isOver && mayCreate && (step.State === 'waiting' || step.State === 'failed')
                    ? () => setEdited(step.Position)
                    : undefined
                }
              />
            ))}
          </Box>
          {!isOver && mayCreate && (
            <Box sx={{ px: 2.5, pb: 2, pt: 1, borderTop: '1px solid', borderColor: 'line.hair' }}>
              <Button variant="text" startIcon={<Plus aria-hidden />} onClick={() => setAdding(true)}>
                Add a step
              </Button>
            </Box>
          )}
        </Card>
        <DripPeople sequence={sequence} isOver={isOver} />
      </Box>
      {asked === 'resume' && <ResumeDialog sequence={sequence} onClose={() => setAsked(undefined)} />}
      {asked === 'cancel' && (
        <AskDialog
          title="Cancel this drip campaign?"
          action="Cancel campaign"
          keep="Keep it"
          isBusy={cancel.isPending}
          onDo={() => cancel.mutate({ params })}
          onClose={() => setAsked(undefined)}
        >
          No further step goes out, and a step that is going out is stopped. This can’t be undone.
        </AskDialog>
      )}
      {asked === 'delete' && (
        <AskDialog
          title="Delete this drip campaign?"
          action="Delete"
          keep="Keep it"
          isBusy={remove.isPending}
          onDo={() => remove.mutate({ params })}
          onClose={() => setAsked(undefined)}
        >
          The results of its steps stay under Broadcasts.
        </AskDialog>
      )}
      <AddStepDialog sequence={sequence} isOpen={isAdding} onClose={() => setAdding(false)} />
      <EditStepDialog sequence={sequence} position={edited} onClose={() => setEdited(undefined)} />
      <CourseDialog
        sequenceId={SequenceID}
        recipientId={isPreviewing ? null : undefined}
        isRelative={sequence.StartsOn !== 'dates'}
        onClose={() => setPreviewing(false)}
      />
    </>
  );
}

/** "12 people get 3 texts.", or got them, and what begins it, where people join. */
function sentenceOf(
  {
    StartsOn,
    StartsOnName,
    RecipientCount,
    StepCount,
    SentStepCount,
    StopsOnReply,
    SkipsWeekends,
  }: WholeSequence,
  isOver: boolean,
): string {
  const texts = countOf(StepCount, 'text', 'texts');
  const people = countOf(RecipientCount, 'person', 'people');
  if (StartsOn === 'dates')
    return isOver
      ? `${people}. ${SentStepCount} of ${countOf(StepCount, 'step', 'steps')} sent.`
      : `${countOf(RecipientCount, 'person gets', 'people get')} ${texts}.`;
  const start = StartsOnName === '' ? startWords[StartsOn] : `${startWords[StartsOn]}: ${StartsOnName}`;
  const rules = [SkipsWeekends ? 'Skips weekends.' : '', StopsOnReply ? 'Stops when they reply.' : ''];
  const reach = isOver ? `${start}. ${people}, ${texts} each.` : `${start}. ${people} so far, ${texts} each.`;
  return [reach, ...rules].filter((part) => part !== '').join(' ');
}

type StepRow = WholeSequence['Steps'][number];

interface StepProps {
  step: StepRow;
  /** The organization's own fields, by name. */
  customFields: readonly string[];
  isRelative: boolean;
  onEdit: (() => void) | undefined;
}

function Step({ step, customFields, isRelative, onEdit }: StepProps) {
  const zone = useTimeZone();
  const now = useNow();
  const { Position, Message, Media, StartDate, State, BroadcastID, SentCount, WaitingCount } = step;
  const day =
    StartDate === null ? '' : `${formatDay(StartDate, now, zone)} at ${formatTime(StartDate, zone)}`;
  const after = afterWords({ hasWait: step.HasWait, afterDays: step.AfterDays });
  const when = isRelative ? (step.HasWait ? `${after} at ${step.Time}` : after) : day;
  const hasResults = BroadcastID !== null && (isRelative ? SentCount > 0 : State === 'sent');
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        gap: 2,
        px: 2.5,
        py: 2,
        borderTop: '1px solid',
        borderColor: 'line.hair',
        '&:first-of-type': { borderTop: 0 },
      }}
    >
      <Typography sx={{ fontWeight: 550, width: 20 }}>{Position}</Typography>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ display: 'flex', gap: 1, alignItems: 'baseline', flexWrap: 'wrap' }}>
          <Typography sx={{ fontWeight: 550 }}>{when}</Typography>
          {!isRelative && (
            <Chip
              label={stateWords[State]}
              size="small"
              variant="outlined"
              color={State === 'failed' ? 'error' : State === 'sent' ? 'success' : 'default'}
            />
          )}
          {isRelative && WaitingCount > 0 && (
            <Chip label={`Next for ${formatCount(WaitingCount)}`} size="small" variant="outlined" />
          )}
        </Box>
        <Typography sx={{ mt: '4px', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          <FieldedText text={Message} customFields={customFields} />
        </Typography>
        {Media.map(({ mediaId, preview }) => (
          <Box
            key={mediaId}
            component="img"
            src={preview}
            alt="Picture"
            sx={{ display: 'block', height: 72, borderRadius: '8px', my: 1 }}
          />
        ))}
        {hasResults && (
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {formatCount(SentCount)} sent, {formatCount(step.DeliveredCount)} delivered,{' '}
            {countOf(step.ReplyCount, 'reply', 'replies')} ·{' '}
            <RouterLink
              variant="body2"
              to="/broadcast-details/$broadcastId"
              params={{ broadcastId: BroadcastID }}
            >
              {isRelative ? 'See the latest results' : 'See results'}
            </RouterLink>
          </Typography>
        )}
      </Box>
      {onEdit && (
        <Tooltip title="Edit">
          <IconButton aria-label={`Edit step ${Position}`} onClick={onEdit}>
            <Pencil />
          </IconButton>
        </Tooltip>
      )}
    </Box>
  );
}
