import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { updateRepeating } from '../../../contract/addresses/broadcasts.gen.ts';
import type { CallInput } from '../../../contract/call.ts';
import { tooSoon } from '../../../contract/forms/broadcast.ts';
import { sendsTexts } from '../../../contract/money/units.ts';
import type { RepeatingBroadcast } from '../../../contract/repeating-broadcasts.ts';
import { isFarEnoughAhead } from '../../../contract/time/start-date.ts';
import { fieldMessages } from '../../api.ts';
import { RepeatFields } from '../../pieces/broadcasts/repeat-fields.tsx';
import { endDayOf, endOnDay, repeatErrors, type Schedule } from '../../pieces/broadcasts/repeat-rules.ts';
import { SpeedField } from '../../pieces/broadcasts/speed-field.tsx';
import { characterLimit } from '../../pieces/texts/text-rules.ts';
import { useCall } from '../../queries/calls.ts';
import { useAccount, useTimeZone } from '../../queries/current-user.ts';
import { TextField } from '../../ui/field.tsx';
import { fieldTime, instantOfField } from '../../ui/field-time.ts';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { zoneName } from '../../ui/format.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { refusalWords } from '../broadcast-actions.ts';
import { freshenBroadcasts } from '../broadcast-queries.ts';
import {
  type Content,
  contentChanges,
  contentProblems,
  useContentPicture,
  WordsFields,
} from '../words-fields.tsx';

interface EditRepeatingProps {
  one: RepeatingBroadcast;
  onClose: () => void;
}

/**
 * The text and picture of the next broadcasts, when the next one goes out, its speed, and how it repeats from
 * there. A series that only calls has no text, picture and speed.
 */
export function EditRepeating({ one, onClose }: EditRepeatingProps) {
  return (
    <FormDialog isOpen onClose={onClose} width={560} isFullOnPhone isKeptOnClickBeside>
      <EditForm one={one} onClose={onClose} />
    </FormDialog>
  );
}

interface Draft extends Content {
  /** As the field holds it; empty when it has ended. */
  next: string;
  schedule: Schedule;
  /** As typed. */
  interval: string;
}

type Errors = Partial<Record<'name' | 'text' | 'next' | 'schedule' | 'form', string>>;

function EditForm({ one, onClose }: EditRepeatingProps) {
  const zone = useTimeZone();
  const { draft, errors, limit, isTried, isSaving, change, save } = useEdit(one, onClose);
  const picture = useContentPicture((added) => change({ picture: added }));
  return (
    <DialogForm
      title="Edit repeating broadcast"
      intro={one.ScheduleDescription}
      problem={errors.form}
      action={isSaving ? 'Saving' : 'Save'}
      isDisabled={isSaving || picture.isUploading}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <WordsFields value={draft} errors={errors} limit={limit} picture={picture} onChange={change} />
      <TextField
        type="datetime-local"
        label="Next start"
        help={`In ${zoneName(zone)}.`}
        value={draft.next}
        error={errors.next}
        onChange={(event) => change({ next: event.target.value })}
      />
      <RepeatFields
        schedule={draft.schedule}
        startDate={draft.next || null}
        isTried={isTried}
        onChange={(schedule) => change({ schedule: wholeDays(schedule) })}
        onInterval={(interval) => change({ interval })}
      />
      {limit !== undefined && (
        <SpeedField value={draft.perMinute} onChange={(perMinute) => change({ perMinute })} />
      )}
    </DialogForm>
  );
}

/**
 * The last day counts until its end, at whatever time the broadcast starts, and by the clock of whoever made
 * the schedule.
 */
function wholeDays(schedule: Schedule): Schedule {
  return { ...schedule, EndDateTime: endOnDay(endDayOf(schedule), null) };
}

function useEdit(one: RepeatingBroadcast, onClose: () => void) {
  const zone = useTimeZone();
  const client = useQueryClient();
  const characters = characterLimit(useAccount());
  const limit = sendsTexts(one.BroadcastType) ? characters : undefined;
  const { mutateAsync, isPending } = useCall(updateRepeating);
  const saved: Draft = {
    name: one.BroadcastName,
    text: one.TextMessage,
    picture: one.Media[0],
    perMinute: one.PerMinute,
    next: one.NextStartDate === null ? '' : fieldTime(Date.parse(one.NextStartDate), zone),
    schedule: wholeDays(one.RepeatingBroadcastSchedule),
    interval: String(one.RepeatingBroadcastSchedule.Interval),
  };
  const [draft, setDraft] = useState(saved);
  const [errors, setErrors] = useState<Errors>({});
  const [isTried, setTried] = useState(false);
  const change = (by: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...by }));
    setErrors({});
  };

  const save = async () => {
    setTried(true);
    const found = problemsOf(draft, saved, { limit, zone });
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    try {
      const { RepeatingBroadcastID } = one;
      await mutateAsync({ params: { RepeatingBroadcastID }, body: bodyOf(draft, saved, zone) });
      showSnackbar(`${draft.name.trim()} is saved.`);
      onClose();
    } catch (error) {
      setErrors(refusedFields(error));
    } finally {
      freshenBroadcasts(client);
    }
  };
  return { draft, errors, limit, isTried, isSaving: isPending, change, save };
}

/** The changes to the schedule. Changing only the end doesn't move the start. */
function changesOf(draft: Draft, saved: Draft) {
  const { EndDateTime, ...often } = draft.schedule;
  const { EndDateTime: savedEnd, ...savedOften } = saved.schedule;
  const isOften = JSON.stringify(often) !== JSON.stringify(savedOften);
  return { isStart: draft.next !== saved.next || isOften, isSchedule: isOften || EndDateTime !== savedEnd };
}

/** Only changed fields are validated and sent. */
function problemsOf(
  draft: Draft,
  saved: Draft,
  { limit, zone }: { limit: number | undefined; zone: string },
): Errors {
  const { isStart, isSchedule } = changesOf(draft, saved);
  const nextMs = instantOfField(draft.next, zone);
  const isSoon = isStart && (nextMs === undefined || !isFarEnoughAhead(nextMs, Date.now()));
  // Shown at its own field, or below the fields.
  const [schedule] =
    isStart || isSchedule || draft.interval !== saved.interval
      ? Object.values(repeatErrors(draft.schedule, draft.next || null, { interval: draft.interval, zone }))
      : [];
  return {
    ...contentProblems(draft, saved, limit),
    ...(isSoon ? { next: tooSoon } : {}),
    ...(schedule ? { schedule } : {}),
  };
}

/** The frequency is counted from the next start, as the page says, so the next start is sent too. */
function bodyOf(draft: Draft, saved: Draft, zone: string): CallInput<typeof updateRepeating>['body'] {
  const { isStart, isSchedule } = changesOf(draft, saved);
  const nextMs = isStart ? instantOfField(draft.next, zone) : undefined;
  return {
    ...contentChanges(draft, saved),
    ...(nextMs === undefined ? {} : { StartDateTime: new Date(nextMs).toISOString() }),
    ...(isStart || isSchedule ? { RepeatingBroadcastSchedule: draft.schedule } : {}),
  };
}

function refusedFields(error: unknown): Errors {
  const { BroadcastName, TextMessage, StartDateTime } = fieldMessages(error);
  const byField = {
    ...(BroadcastName ? { name: BroadcastName } : {}),
    ...(TextMessage ? { text: TextMessage } : {}),
    ...(StartDateTime ? { next: StartDateTime } : {}),
  };
  if (Object.keys(byField).length > 0) return byField;
  return { form: refusalWords(error, 'There was an error updating your repeating broadcast.') };
}
