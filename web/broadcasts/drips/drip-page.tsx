import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import FormControlLabel from '@mui/material/FormControlLabel';
import IconButton from '@mui/material/IconButton';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Pause, Pencil, Play, Trash2, UserRoundMinus, X } from 'lucide-react';
import { useState } from 'react';
import {
  cancelSequence,
  deleteSequence,
  getSequence,
  listSequenceRecipients,
  listSequences,
  pauseSequence,
  resumeSequence,
  stopSequenceRecipient,
  updateSequence,
} from '../../../contract/addresses/sequences.gen.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import type { WholeSequence } from '../../../contract/sequences.ts';
import { isNotFound, shownMessage } from '../../api.ts';
import { useCall, useCallPages, useCallQuery } from '../../queries/calls.ts';
import { useTimeZone } from '../../queries/current-user.ts';
import { NotFoundPage } from '../../shell/not-found-page.tsx';
import { OnlyFor } from '../../shell/restricted-page.tsx';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/field.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { countOf, formatCount, formatDay, formatTime, zoneName } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { useNow } from '../../ui/now.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useFormErrors } from '../../ui/use-form-errors.ts';
import { TimeField } from '../wizard/start-card.tsx';
import { editedSteps, stateWords, statusWords } from './drip-words.ts';

/** A campaign that was started: which step has gone out, who gets it, and ways to stop it. */
export function DripPage({ sequenceId }: { sequenceId: number }) {
  return (
    <OnlyFor capability="createDripCampaign">
      <Drip sequenceId={sequenceId} />
    </OnlyFor>
  );
}

type Asked = 'resume' | 'cancel' | 'delete' | undefined;

function Drip({ sequenceId }: { sequenceId: number }) {
  const params = { SequenceID: sequenceId };
  const { data, error, refetch } = useCallQuery(getSequence, { params });
  if (isNotFound(error)) return <NotFoundPage />;
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
  const { SequenceID, Name, Status, PausedBecause, RecipientCount, Steps } = sequence;
  const client = useQueryClient();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Asked>();
  const [edited, setEdited] = useState<number>();
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
  const isOver = Status === 'completed' || Status === 'canceled';
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
        sentence={`${countOf(RecipientCount, 'person gets', 'people get')} ${countOf(Steps.length, 'text', 'texts')}.`}
        actions={
          <>
            {Status === 'running' && (
              <Button
                startIcon={<Pause aria-hidden />}
                disabled={pause.isPending}
                onClick={() => pause.mutate({ params })}
              >
                Pause
              </Button>
            )}
            {Status === 'paused' && (
              <Button
                variant="contained"
                color="primary"
                startIcon={<Play aria-hidden />}
                onClick={() => setAsked('resume')}
              >
                Resume
              </Button>
            )}
            {!isOver && (
              <Button color="error" startIcon={<X aria-hidden />} onClick={() => setAsked('cancel')}>
                Cancel campaign
              </Button>
            )}
            {isOver && (
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
        <Card title="Steps">
          <Box component="ol" aria-label="Steps" sx={{ listStyle: 'none', m: 0, p: 0 }}>
            {Steps.map((step) => (
              <Step
                key={step.Position}
                step={step}
                onEdit={
                  !isOver && (step.State === 'waiting' || step.State === 'failed')
                    ? () => setEdited(step.Position)
                    : undefined
                }
              />
            ))}
          </Box>
        </Card>
        <People sequence={sequence} isOver={isOver} />
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
      <EditStepDialog sequence={sequence} position={edited} onClose={() => setEdited(undefined)} />
    </>
  );
}

type StepRow = WholeSequence['Steps'][number];

function Step({ step, onEdit }: { step: StepRow; onEdit: (() => void) | undefined }) {
  const zone = useTimeZone();
  const now = useNow();
  const { Position, Message, StartDate, State, BroadcastID } = step;
  const when =
    StartDate === null ? '' : `${formatDay(StartDate, now, zone)} at ${formatTime(StartDate, zone)}`;
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
          <Chip
            label={stateWords[State]}
            size="small"
            variant="outlined"
            color={State === 'failed' ? 'error' : State === 'sent' ? 'success' : 'default'}
          />
        </Box>
        <Typography sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{Message}</Typography>
        {State === 'sent' && BroadcastID !== null && (
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {formatCount(step.SentCount)} sent, {formatCount(step.DeliveredCount)} delivered,{' '}
            {countOf(step.ReplyCount, 'reply', 'replies')} ·{' '}
            <RouterLink
              variant="body2"
              to="/broadcast-details/$broadcastId"
              params={{ broadcastId: BroadcastID }}
            >
              See results
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

function People({ sequence, isOver }: { sequence: WholeSequence; isOver: boolean }) {
  const client = useQueryClient();
  const [q, setQ] = useState('');
  const params = { SequenceID: sequence.SequenceID };
  const pages = useCallPages(listSequenceRecipients, { params, query: { q } });
  const stop = useCall(stopSequenceRecipient, {
    onSuccess: () => showSnackbar('They get no further steps.'),
    onError: (error) => showSnackbar(shownMessage(error, 'There was an error updating your drip campaign.')),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: [listSequenceRecipients.path] });
      void client.invalidateQueries({ queryKey: [getSequence.path] });
    },
  });
  const items = pages.data?.pages.flatMap(({ Items }) => Items) ?? [];
  return (
    <Card title="Recipients" count={formatCount(sequence.RecipientCount)}>
      <Box sx={{ p: 2 }}>
        <SearchField q={q} placeholder="Search" label="Search recipients" onSearch={setQ} />
      </Box>
      <Box component="ul" aria-label="Recipients" sx={{ listStyle: 'none', m: 0, p: 0, pb: 1.5 }}>
        {items.map(({ RecipientID, FirstName, LastName, PhoneNumber }) => {
          const name = `${FirstName} ${LastName}`.trim() || formatPhone(PhoneNumber);
          return (
            <Box
              key={RecipientID}
              component="li"
              sx={{ display: 'flex', alignItems: 'center', px: 2.5, minHeight: 44 }}
            >
              <Box sx={{ flex: 1, minWidth: 0 }}>
                <Typography noWrap>{name}</Typography>
                <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                  {formatPhone(PhoneNumber)}
                </Typography>
              </Box>
              {!isOver && (
                <Tooltip title="Send them no further steps">
                  <IconButton
                    aria-label={`Send ${name} no further steps`}
                    disabled={stop.isPending}
                    onClick={() => stop.mutate({ params: { ...params, RecipientID } })}
                  >
                    <UserRoundMinus />
                  </IconButton>
                </Tooltip>
              )}
            </Box>
          );
        })}
      </Box>
      {pages.hasNextPage && (
        <Box sx={{ display: 'grid', placeItems: 'center', p: 1.5 }}>
          <Button size="small" variant="text" onClick={() => void pages.fetchNextPage()}>
            Show more
          </Button>
        </Box>
      )}
    </Card>
  );
}

function ResumeDialog({ sequence, onClose }: { sequence: WholeSequence; onClose: () => void }) {
  const client = useQueryClient();
  const now = useNow();
  const [missed, setMissed] = useState<'skip' | 'send'>('skip');
  const resume = useCall(resumeSequence, {
    onError: (error) => showSnackbar(shownMessage(error, 'There was an error updating your drip campaign.')),
    onSettled: () => {
      onClose();
      void client.invalidateQueries({ queryKey: [getSequence.path] });
      void client.invalidateQueries({ queryKey: [listSequences.path] });
    },
  });
  const late = sequence.Steps.filter(
    ({ State, StartDate }) => State === 'waiting' && StartDate !== null && Date.parse(StartDate) < now,
  ).length;
  return (
    <AskDialog
      title="Resume this drip campaign?"
      action="Resume"
      keep="Not yet"
      isHarmless
      isBusy={resume.isPending}
      onDo={() => resume.mutate({ params: { SequenceID: sequence.SequenceID }, body: { Missed: missed } })}
      onClose={onClose}
    >
      {late === 0 ? (
        'The steps that are still to come go out at their times.'
      ) : (
        <>
          {countOf(late, 'step was', 'steps were')} due while it was paused.
          <RadioGroup
            aria-label="Steps that were missed"
            value={missed}
            onChange={(_, value) => setMissed(value as 'skip' | 'send')}
          >
            <FormControlLabel value="skip" control={<Radio />} label="Skip what was missed" />
            <FormControlLabel value="send" control={<Radio />} label="Send it now, one after the other" />
          </RadioGroup>
        </>
      )}
    </AskDialog>
  );
}

interface EditStepProps {
  sequence: WholeSequence;
  position: number | undefined;
  onClose: () => void;
}

function EditStepDialog({ sequence, position, onClose }: EditStepProps) {
  return (
    <FormDialog
      isOpen={position !== undefined}
      onClose={onClose}
      width={520}
      isFullOnPhone
      isKeptOnClickBeside
    >
      <EditStepForm sequence={sequence} position={position ?? 1} onClose={onClose} />
    </FormDialog>
  );
}

function EditStepForm({ sequence, position, onClose }: EditStepProps & { position: number }) {
  const client = useQueryClient();
  const steps = editedSteps(sequence);
  const [step, setStep] = useState(
    steps[position - 1] ?? { key: 0, message: '', date: '', time: '', hasWait: true },
  );
  const update = useCall(updateSequence);
  const { errors, submit } = useFormErrors();
  const errorOf = (name: string) => errors[`steps.${position - 1}.${name}`];
  const save = async () => {
    await update.mutateAsync({
      params: { SequenceID: sequence.SequenceID },
      body: {
        steps: steps.map(({ key: _, ...one }, index) => {
          const { key: __, ...changed } = step;
          return index === position - 1 ? { ...changed, hasWait: true } : one;
        }),
      },
    });
    void client.invalidateQueries({ queryKey: [getSequence.path] });
    showSnackbar('Step saved.');
    onClose();
  };
  return (
    <DialogForm
      title={`Edit step ${position}`}
      problem={errors.form}
      action="Save"
      isDisabled={update.isPending}
      onSubmit={() =>
        void submit({ problems: {}, save, failed: 'There was an error updating your drip campaign.' })
      }
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { sm: '1fr 1fr' } }}>
        <TextField
          label="Day"
          type="date"
          value={step.date}
          error={errorOf('date')}
          onChange={(event) => setStep({ ...step, date: event.target.value })}
        />
        <TimeField
          label="Time"
          value={step.time}
          error={errorOf('time')}
          help={`In ${zoneName(sequence.Zone)}.`}
          onChange={(time) => setStep({ ...step, time })}
        />
      </Box>
      <TextField
        label="Message"
        multiline
        minRows={4}
        maxRows={12}
        value={step.message}
        error={errorOf('message')}
        onChange={(event) => setStep({ ...step, message: event.target.value })}
      />
    </DialogForm>
  );
}
