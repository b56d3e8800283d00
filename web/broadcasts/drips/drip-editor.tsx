import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Hourglass, ListTree, Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { getContactSummary, mergeSingle } from '../../../contract/addresses/drafts.gen.ts';
import {
  calculateSequenceCredits,
  createSequence,
  listSequences,
} from '../../../contract/addresses/sequences.gen.ts';
import { dripForm } from '../../../contract/forms/drip.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { errorCatalog } from '../../../contract/reference/error-catalog.ts';
import type { WholeSequence } from '../../../contract/sequences.ts';
import { callApi, fieldMessages, newIdempotencyKey, shownMessage } from '../../api.ts';
import { Handset, HandsetBubble, HandsetTime } from '../../pieces/texts/handset.tsx';
import { characterLimit } from '../../pieces/texts/text-rules.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { useAccount, useTimeZone } from '../../queries/current-user.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/field.tsx';
import { countOf, formatCount, formatTime } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { useNow } from '../../ui/now.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import { visuallyHidden } from '../../ui/visually-hidden.ts';
import { WizardFrame } from '../../ui/wizard-frame.tsx';
import { focusFirstError } from '../wizard/focus-error.ts';
import { NumberField } from '../wizard/number-field.tsx';
import { useTextNumbers } from '../wizard/text-numbers.ts';
import { type OpenDrip, useDrip } from './drip-state.ts';
import { type EditedStep, stepAfter, waitWords } from './drip-words.ts';
import { PeopleCard } from './people-card.tsx';
import { StepCard, type StepErrors } from './step-card.tsx';

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
  const [isStarting, setStarting] = useState(false);
  const [started, setStarted] = useState<{ id: number; failures: number }>();
  const limit = characterLimit(useAccount());
  const numbers = useTextNumbers();
  const numberId = draft.textNumberId ?? numbers.usual?.TextNumberID ?? null;
  const costs = useCosts(drip, numberId);
  const good = usePeopleCount(drip);
  useOwnAddress(sequence);

  const errors = isTried ? { ...problemsOf(drip, { now, zone, numberId, good }), ...refused } : refused;
  const setStep = (index: number, by: Partial<EditedStep>) => {
    setRefused({});
    change({ steps: draft.steps.map((step, place) => (place === index ? { ...step, ...by } : step)) });
  };
  const insertAfter = (index: number, words: string) => {
    const key = Math.max(0, ...draft.steps.map((step) => step.key)) + 1;
    const made = { ...stepAfter(draft.steps[index], key, { now, zone }), message: words };
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
            steps: draft.steps.map(({ key: _, ...step }) => step),
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
  const show = (sequenceId: number) =>
    navigate({ to: '/drip-campaigns/$sequenceId', params: { sequenceId } });

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
        <Typography sx={{ color: 'text.secondary' }}>
          {countOf(draft.steps.length, 'step', 'steps')}
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
          p: { xs: 2, sm: 3, laptop: 4 },
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
            sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1 }}
          >
            {draft.steps.map((step, index) => (
              <Box component="li" key={step.key} sx={{ display: 'flex', gap: 1.5 }}>
                <Mark position={index + 1} isOn={index === at} />
                <Box sx={{ flex: 1, minWidth: 0 }}>
                  {index > 0 && <Wait words={waitWords(draft.steps[index - 1], step, { now, zone })} />}
                  <StepCard
                    step={step}
                    position={index + 1}
                    errors={stepErrors(errors, index)}
                    cost={costs?.Steps[index]}
                    limit={limit}
                    isOpen={index === at}
                    canRemove={draft.steps.length > 1}
                    onOpen={() => setAt(index)}
                    onChange={(by) => setStep(index, by)}
                    onCopy={() => insertAfter(index, step.message)}
                    onRemove={() => {
                      change({ steps: draft.steps.filter((_, place) => place !== index) });
                      setAt(Math.max(0, index - 1));
                    }}
                  />
                </Box>
              </Box>
            ))}
          </Box>
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, pl: '44px' }}>
            <Button startIcon={<Plus aria-hidden />} onClick={() => insertAfter(draft.steps.length - 1, '')}>
              Add a step
            </Button>
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              At least 5 minutes after the one before
            </Typography>
          </Box>
        </Box>
        {isWide && <Preview drip={drip} at={at} numberId={numberId} good={good} />}
        <Box sx={{ display: 'grid', gap: 2 }}>
          <PeopleCard drip={drip} error={errors.recipients} />
          <CostCard costs={costs} steps={draft.steps} />
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
          {countOf(good, 'person gets', 'people get')} {countOf(draft.steps.length, 'text', 'texts')}
          {draft.steps[0]?.hasWait ? '' : ', the first one right away'}. It costs about{' '}
          {countOf(costs?.Credits ?? 0, 'credit', 'credits')}. You can pause it or change steps that haven’t
          gone out.
        </AskDialog>
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
          The campaign has started. {countOf(started.failures, 'recipient', 'recipients')} can’t be texted and
          won’t get it. Add them with another number in a new campaign if they should.
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

/** What keeps it from being started, by field. */
function problemsOf({ draft }: OpenDrip, { now, zone, numberId, good }: Around): Record<string, string> {
  const { error } = dripForm({ nowMs: now, zone, recipientCount: good }).safeParse({
    name: draft.name,
    textNumberId: numberId,
    steps: draft.steps.map(({ message, hasWait, date, time }) => ({ message, hasWait, date, time })),
  });
  const problems: Record<string, string> = {};
  for (const { path, message } of error?.issues ?? []) problems[path.join('.')] ??= message;
  return problems;
}

function stepErrors(errors: Record<string, string>, index: number): StepErrors {
  const of = (name: string) => errors[`steps.${index}.${name}`];
  return Object.fromEntries(
    (['message', 'date', 'time'] as const).flatMap((name) => {
      const error = of(name);
      return error === undefined ? [] : [[name, error]];
    }),
  );
}

function usePeopleCount({ sequence }: OpenDrip): number {
  const { data } = useCallQuery(
    getContactSummary,
    { params: { DraftBroadcastID: sequence?.DraftBroadcastID ?? 0 } },
    { enabled: sequence !== undefined },
  );
  return data?.Good ?? 0;
}

/** What it costs as it is written; the last figures while new ones are on the way. */
function useCosts({ draft, sequence }: OpenDrip, textNumberId: number | null) {
  const draftBroadcastId = sequence?.DraftBroadcastID ?? 0;
  const messages = useDebounced(JSON.stringify(draft.steps.map(({ message }) => ({ message }))));
  const good = useCallQuery(
    getContactSummary,
    { params: { DraftBroadcastID: draftBroadcastId } },
    { enabled: draftBroadcastId !== 0 },
  ).data?.Good;
  const { data } = useQuery({
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
  return data;
}

function Mark({ position, isOn }: { position: number; isOn: boolean }) {
  return (
    <Box
      aria-hidden
      sx={{
        width: 26,
        height: 26,
        mt: '12px',
        flex: 'none',
        borderRadius: '50%',
        display: 'grid',
        placeItems: 'center',
        typography: 'body2',
        fontWeight: 550,
        border: '1px solid',
        borderColor: isOn ? 'primary.main' : 'line.strong',
        bgcolor: isOn ? 'primary.main' : 'background.paper',
        color: isOn ? 'primary.contrastText' : 'text.secondary',
      }}
    >
      {position}
    </Box>
  );
}

function Wait({ words }: { words: string }) {
  if (words === '') return null;
  return (
    <Box
      sx={{
        display: 'flex',
        gap: 1,
        alignItems: 'center',
        mb: 1,
        typography: 'body2',
        color: 'text.secondary',
      }}
    >
      <Hourglass size={14} strokeWidth={2} aria-hidden />
      {words}
    </Box>
  );
}

interface PreviewProps {
  drip: OpenDrip;
  at: number;
  numberId: number | null;
  good: number;
}

/** A telephone with the open step and the one before it, as the first recipient gets them. */
function Preview({ drip, at, numberId, good }: PreviewProps) {
  const account = useAccount();
  const zone = useTimeZone();
  const now = useNow();
  const { all } = useTextNumbers();
  const number = all.find(({ TextNumberID }) => TextNumberID === numberId);
  const shown = drip.draft.steps.slice(Math.max(0, at - 1), at + 1);
  return (
    <Box sx={{ position: 'sticky', top: 88 }}>
      <Handset
        organization={account?.CompanyName ?? ''}
        sender={number ? formatPhone(number.TextPhoneNumber) : ''}
        time={formatTime(new Date(now).toISOString(), zone).replace(/ [AP]M$/, '')}
        isEmpty={shown.every(({ message }) => message.trim() === '')}
      >
        {shown.map((step) => (
          <Box key={step.key} sx={{ display: 'contents' }}>
            <HandsetTime>{step.hasWait ? step.time : 'Now'}</HandsetTime>
            <Bubble drip={drip} text={step.message} good={good} />
          </Box>
        ))}
      </Handset>
    </Box>
  );
}

function Bubble({ drip: { sequence }, text, good }: { drip: OpenDrip; text: string; good: number }) {
  const DraftBroadcastID = sequence?.DraftBroadcastID ?? 0;
  const body = {
    TemplateText: useDebounced(text),
    IncludeSignature: false,
    KeepCharacters: false,
    HasMedia: false,
    Position: 1,
  };
  const { data } = useQuery({
    queryKey: [mergeSingle.path, DraftBroadcastID, good, body],
    queryFn: ({ signal }) =>
      callApi(mergeSingle, { params: { DraftBroadcastID }, body }, { signal, missing: 'refuse' }),
    enabled: DraftBroadcastID !== 0 && good > 0 && text.includes('{{'),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const words = text.includes('{{') ? (data?.TextMessage ?? text) : text;
  return words.trim() === '' ? null : <HandsetBubble>{words}</HandsetBubble>;
}

function CostCard({ costs, steps }: { costs: ReturnType<typeof useCosts>; steps: readonly EditedStep[] }) {
  return (
    <Card title="Cost">
      <Box sx={{ p: 2.5 }}>
        <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {steps.map((step, index) => (
            <Box
              component="li"
              key={step.key}
              sx={{ display: 'flex', gap: 1, py: '6px', borderBottom: '1px solid', borderColor: 'line.hair' }}
            >
              <Box sx={{ flex: 1 }}>Step {index + 1}</Box>
              <Box sx={{ fontVariantNumeric: 'tabular-nums' }}>
                {formatCount(costs?.Steps[index]?.Credits ?? 0)}
              </Box>
            </Box>
          ))}
        </Box>
        <Box sx={{ display: 'flex', pt: 1.5, fontWeight: 550 }}>
          <Box sx={{ flex: 1 }}>Total</Box>
          {countOf(costs?.Credits ?? 0, 'credit', 'credits')}
        </Box>
        <Typography variant="body2" sx={{ mt: 1.5, color: 'text.secondary' }}>
          Anyone who opts out along the way gets no further texts and costs nothing more.
        </Typography>
      </Box>
    </Card>
  );
}
