import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ListTree, Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { listCustomFields } from '../../../contract/addresses/contacts.gen.ts';
import { getContactSummary } from '../../../contract/addresses/drafts.gen.ts';
import {
  calculateSequenceCredits,
  createSequence,
  getSequence,
  listSequences,
} from '../../../contract/addresses/sequences.gen.ts';
import type { ContactSummary } from '../../../contract/draft-recipients.ts';
import { dripForm, missingStart } from '../../../contract/forms/drip.ts';
import { errorCatalog } from '../../../contract/reference/error-catalog.ts';
import type { WholeSequence } from '../../../contract/sequences.ts';
import { callApi, fieldMessages, newIdempotencyKey, shownMessage } from '../../api.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { useTimeZone } from '../../queries/current-user.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { countOf, formatTime } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { useNow } from '../../ui/now.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import { visuallyHidden } from '../../ui/visually-hidden.ts';
import { WizardFrame } from '../../ui/wizard-frame.tsx';
import { focusFirstError } from '../wizard/focus-error.ts';
import { NumberField } from '../wizard/number-field.tsx';
import { useTextNumbers } from '../wizard/text-numbers.ts';
import { CostCard } from './cost-card.tsx';
import { CourseDialog } from './course-dialog.tsx';
import { DripPreview } from './drip-preview.tsx';
import { type OpenDrip, useDrip } from './drip-state.ts';
import {
  courseWords,
  type EditedStep,
  leftOutWords,
  stepAfter,
  waitWords,
  writtenStep,
} from './drip-words.ts';
import { PeopleCard } from './people-card.tsx';
import { StartsCard } from './starts-card.tsx';
import { StepCard, type StepErrors } from './step-card.tsx';
import { OnTimeline } from './timeline-parts.tsx';

/** A campaign from its name to Start. */
export function DripEditor({ saved }: { saved: WholeSequence | undefined }) {
  const drip = useDrip(saved);
  const { draft, change, sequence, savedAt, isFailed, flush } = drip;
  const navigate = useNavigate();
  const client = useQueryClient();
  const zone = useTimeZone();
  const now = useNow();
  const isWide = useMediaQuery((theme) => theme.breakpoints.up('lg'), { noSsr: true });
  const [at, setAt] = useState(0);
  const [isTried, setTried] = useState(false);
  const [refused, setRefused] = useState<Record<string, string>>({});
  const [isAsking, setAsking] = useState(false);
  const [isPreviewing, setPreviewing] = useState(false);
  const [isStarting, setStarting] = useState(false);
  const [started, setStarted] = useState<{ id: number; failures: number }>();
  const fields = useCallQuery(listCustomFields, {});
  const customFields = (fields.data?.Items ?? []).map(({ Name }) => Name);
  const numbers = useTextNumbers();
  const numberId = draft.textNumberId ?? numbers.usual?.TextNumberID ?? null;
  const { data: costs, isError: haveCostsFailed } = useCosts(drip, numberId);
  const summary = usePeople(drip);
  const good = summary?.Good ?? 0;
  const leftOut = leftOutWords(summary?.LeftOut ?? []);
  const isRelative = draft.startsOn !== 'dates';
  useOwnAddress(sequence);

  const errors = isTried ? { ...problemsOf(drip, { now, zone, numberId, good }), ...refused } : refused;
  const setStep = (key: number, by: Partial<EditedStep>) => {
    setRefused({});
    change(({ steps }) => ({ steps: steps.map((step) => (step.key === key ? { ...step, ...by } : step)) }));
  };
  const insertAfter = (index: number, copied: Partial<EditedStep>) => {
    const key = Math.max(0, ...draft.steps.map((step) => step.key)) + 1;
    const before = draft.steps[index];
    const time = isRelative ? { time: before?.hasWait ? before.time : '9:00 AM' } : {};
    const made = { ...stepAfter(before, key, { now, zone }), ...time, ...copied };
    change({ steps: [...draft.steps.slice(0, index + 1), made, ...draft.steps.slice(index + 1)] });
    setAt(index + 1);
  };
  const close = async () => {
    await flush();
    await navigate({ to: '/drip-campaigns' });
  };
  const ask = async () => {
    setTried(true);
    setRefused({});
    const problems = problemsOf(drip, { now, zone, numberId, good });
    const [first] = Object.keys(problems);
    if (first !== undefined) {
      const [, index] = /^steps\.(\d+)/.exec(first) ?? [];
      if (index !== undefined) setAt(Number(index));
      focusFirstError();
      return;
    }
    if (await flush()) setAsking(true);
  };
  const start = async () => {
    if (sequence === undefined) return;
    setStarting(true);
    try {
      const reply = await callApi(
        createSequence,
        {
          body: {
            draftBroadcastId: sequence.DraftBroadcastID,
            name: draft.name,
            textNumberId: numberId,
            steps: draft.steps.map(writtenStep),
            startsOn: draft.startsOn,
            groupId: draft.groupId,
            keywordId: draft.keywordId,
            includesMembers: draft.includesMembers,
            skipsWeekends: draft.skipsWeekends,
            stopsOnReply: draft.stopsOnReply,
            shortenLinks: draft.shortenLinks,
          },
        },
        { missing: 'refuse', idempotencyKey: newIdempotencyKey() },
      );
      void client.invalidateQueries({ queryKey: [listSequences.path] });
      if (reply.metaData.FailureCount > 0)
        setStarted({ id: reply.SequenceID, failures: reply.metaData.FailureCount });
      else await show(reply.SequenceID);
    } catch (error) {
      const byField = fieldMessages(error);
      setRefused(
        Object.keys(byField).length > 0 ? byField : { form: shownMessage(error, errorCatalog.createDrip) },
      );
    } finally {
      setAsking(false);
      setStarting(false);
    }
  };
  const show = async (sequenceId: number) => {
    // The campaign's page leads drafts here, so it mustn't find the draft in the cache.
    await client.invalidateQueries({ queryKey: [getSequence.path], refetchType: 'all' });
    await navigate({ to: '/drip-campaigns/$sequenceId', params: { sequenceId } });
  };

  return (
    <WizardFrame
      title={draft.name.trim() || 'New drip campaign'}
      subtitle={
        isFailed
          ? 'Not saved'
          : savedAt
            ? `Draft, saved at ${formatTime(new Date(savedAt).toISOString(), zone)}`
            : 'Draft'
      }
      steps={[]}
      at={0}
      onClose={() => void close()}
      closing={
        <Button variant="text" onClick={() => void close()}>
          Save and close
        </Button>
      }
      back={
        <Typography variant="body2" component="div" sx={{ color: 'text.secondary' }}>
          <Box sx={{ display: { laptop: 'none' } }}>{countOf(draft.steps.length, 'step', 'steps')}</Box>
          <Box sx={{ display: { xs: 'none', laptop: 'block' } }}>
            {courseWords(draft.steps, { isRelative, now, zone })}
          </Box>
        </Typography>
      }
      forward={
        <Button
          variant="contained"
          color="primary"
          startIcon={<ListTree aria-hidden />}
          onClick={() => void ask()}
        >
          Start drip campaign
        </Button>
      }
    >
      <Box
        sx={{
          display: 'grid',
          gap: 3,
          alignItems: 'start',
          gridTemplateColumns: {
            xs: '1fr',
            laptop: 'minmax(0, 1fr) 300px',
            lg: 'minmax(0, 1fr) 290px 300px',
          },
        }}
      >
        <Box sx={{ display: 'grid', gap: 2 }}>
          <h1 style={visuallyHidden}>Drip campaign</h1>
          {errors.form && <Notice kind="error">{errors.form}</Notice>}
          {isFailed && <Notice kind="error">{errorCatalog.updateDrip}</Notice>}
          <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1.6fr 1fr' } }}>
            <TextField
              label="Name"
              autoFocus={saved === undefined}
              autoComplete="off"
              value={draft.name}
              error={errors.name}
              onChange={(event) => change({ name: event.target.value })}
            />
            <NumberField
              value={numberId}
              error={errors.textNumberId}
              onChange={(textNumberId) => change({ textNumberId })}
            />
          </Box>
          <Box
            component="ol"
            aria-label="Steps"
            sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: isRelative ? 1.5 : 0 }}
          >
            {draft.steps.map((step, index) => (
              <OnTimeline
                key={step.key}
                mark={index + 1}
                isOn={index === at}
                isLast={index === draft.steps.length - 1}
                wait={index > 0 && !isRelative ? waitWords(draft.steps[index - 1], step, { now, zone }) : ''}
              >
                <StepCard
                  step={step}
                  position={index + 1}
                  errors={stepErrors(errors, index)}
                  cost={costs?.Steps[index]}
                  people={isRelative ? 0 : good}
                  customFields={customFields}
                  textNumberId={numberId}
                  shortenLinks={draft.shortenLinks}
                  isOpen={index === at}
                  isRelative={isRelative}
                  canRemove={draft.steps.length > 1}
                  onOpen={() => setAt(index)}
                  onChange={(by) => setStep(step.key, by)}
                  onCopy={() => insertAfter(index, { message: step.message, picture: step.picture })}
                  onRemove={() => {
                    change({ steps: draft.steps.filter((_, place) => place !== index) });
                    setAt(Math.max(0, index - 1));
                  }}
                />
              </OnTimeline>
            ))}
          </Box>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5, pl: '40px' }}>
            <Button startIcon={<Plus aria-hidden />} onClick={() => insertAfter(draft.steps.length - 1, {})}>
              Add a step
            </Button>
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {isRelative ? 'Later than the one before' : 'At least 5 minutes after the one before'}
            </Typography>
          </Box>
        </Box>
        {isWide && <DripPreview drip={drip} at={at} numberId={numberId} good={isRelative ? 0 : good} />}
        <Box sx={{ display: 'grid', gap: 2 }}>
          <StartsCard draft={draft} errors={errors} onChange={change} />
          {!isRelative && <PeopleCard drip={drip} error={errors.recipients} />}
          <CostCard
            costs={costs}
            steps={draft.steps}
            at={at}
            isEach={isRelative}
            haveFailed={haveCostsFailed}
          />
          {sequence !== undefined && (
            <Button
              variant="text"
              onClick={() => void flush().then((isSaved) => isSaved && setPreviewing(true))}
            >
              Preview one person’s steps
            </Button>
          )}
        </Box>
      </Box>
      {isAsking && (
        <AskDialog
          title="Start this drip campaign?"
          action="Start"
          keep="Not yet"
          isHarmless
          isBusy={isStarting}
          onDo={() => void start()}
          onClose={() => setAsking(false)}
        >
          {isRelative ? (
            <>
              Everyone who joins from now on gets {countOf(draft.steps.length, 'text', 'texts')}
              {draft.includesMembers && draft.startsOn === 'group'
                ? ', and so does everyone who is in the group now'
                : ''}
              . It costs about {countOf(costs?.CreditsEach ?? 0, 'credit', 'credits')} a person. It runs until
              you cancel it.
            </>
          ) : (
            <>
              {countOf(good, 'person gets', 'people get')} {countOf(draft.steps.length, 'text', 'texts')}
              {draft.steps[0]?.hasWait ? '' : ', the first one right away'}. It costs about{' '}
              {countOf(costs?.Credits ?? 0, 'credit', 'credits')}. You can pause it or change steps that
              haven’t gone out.
              {leftOut !== '' && ` Left out: ${leftOut}.`}
            </>
          )}
        </AskDialog>
      )}
      {sequence !== undefined && (
        <CourseDialog
          sequenceId={sequence.SequenceID}
          recipientId={isPreviewing ? null : undefined}
          people={isRelative ? 0 : good}
          isRelative={isRelative}
          onClose={() => setPreviewing(false)}
        />
      )}
      {started && (
        <AskDialog
          title="Some people were left out"
          action="See the campaign"
          keep="Close"
          isHarmless
          isBusy={false}
          onDo={() => void show(started.id)}
          onClose={() => void show(started.id)}
        >
          The campaign has started for {countOf(good, 'person', 'people')}.{' '}
          {countOf(started.failures, 'recipient was', 'recipients were')} left out: {leftOut}. The campaign’s
          page lists them. Once a contact’s number is corrected, the next steps go to them too.
        </AskDialog>
      )}
    </WizardFrame>
  );
}

/** A draft that was just made gets its address, without a new entry in the browser's history. */
function useOwnAddress(sequence: WholeSequence | undefined): void {
  const navigate = useNavigate();
  const id = sequence?.SequenceID;
  useEffect(() => {
    if (id !== undefined)
      void navigate({ to: '/drip-campaigns/new', search: { sequence: id }, replace: true });
  }, [id, navigate]);
}

interface Around {
  now: number;
  zone: string;
  numberId: number | null;
  good: number;
}

/** The problems that keep it from being started, by field. */
function problemsOf({ draft }: OpenDrip, { now, zone, numberId, good }: Around): Record<string, string> {
  const isRelative = draft.startsOn !== 'dates';
  const { error } = dripForm({ nowMs: now, zone, recipientCount: good, isRelative }).safeParse({
    name: draft.name,
    textNumberId: numberId,
    steps: draft.steps.map(({ picture, ...step }) => ({ ...step, hasMedia: picture !== undefined })),
  });
  const problems = missingStart(draft);
  for (const { path, message } of error?.issues ?? []) problems[path.join('.')] ??= message;
  return problems;
}

function stepErrors(errors: Record<string, string>, index: number): StepErrors {
  const of = (name: string) => errors[`steps.${index}.${name}`];
  return Object.fromEntries(
    (['message', 'date', 'time', 'afterDays'] as const).flatMap((name) => {
      const error = of(name);
      return error === undefined ? [] : [[name, error]];
    }),
  );
}

function usePeople({ sequence }: OpenDrip): ContactSummary | undefined {
  const { data } = useCallQuery(
    getContactSummary,
    { params: { DraftBroadcastID: sequence?.DraftBroadcastID ?? 0 } },
    { enabled: sequence !== undefined },
  );
  return data;
}

/** The cost of the campaign as written; the previous figures while new ones are loading. */
function useCosts({ draft, sequence }: OpenDrip, textNumberId: number | null) {
  const draftBroadcastId = sequence?.DraftBroadcastID ?? 0;
  const messages = useDebounced(
    JSON.stringify(
      draft.steps.map((step) => ({ message: step.message, mediaIds: writtenStep(step).mediaIds ?? [] })),
    ),
  );
  const good = useCallQuery(
    getContactSummary,
    { params: { DraftBroadcastID: draftBroadcastId } },
    { enabled: draftBroadcastId !== 0 },
  ).data?.Good;
  return useQuery({
    queryKey: [calculateSequenceCredits.path, draftBroadcastId, messages, textNumberId, good],
    queryFn: ({ signal }) =>
      callApi(
        calculateSequenceCredits,
        { body: { draftBroadcastId, textNumberId, steps: JSON.parse(messages) } },
        { signal, missing: 'refuse' },
      ),
    enabled: draftBroadcastId !== 0,
    placeholderData: keepPreviousData,
    retry: false,
  });
}
