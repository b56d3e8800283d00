import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { updateBroadcast } from '../../contract/addresses/broadcasts.gen.ts';
import type { Broadcast } from '../../contract/broadcasts.ts';
import type { CallInput } from '../../contract/call.ts';
import type { SecondTextHours, SecondTextShare } from '../../contract/forms/second-text.ts';
import { errorCatalog } from '../../contract/reference/error-catalog.ts';
import type { SecondTextResults } from '../../contract/second-text.ts';
import { counterLabel } from '../../contract/text/text-length.ts';
import { startDateMessage, validateStartDate } from '../../contract/time/start-date.ts';
import { ApiError, fieldMessages } from '../api.ts';
import { SpeedField } from '../pieces/broadcasts/speed-field.tsx';
import { spokenStart } from '../pieces/broadcasts/start-words.ts';
import { characterLimit } from '../pieces/texts/text-rules.ts';
import { useCall } from '../queries/calls.ts';
import { useAccount, useTimeZone } from '../queries/current-user.ts';
import { TextField } from '../ui/field.tsx';
import { fieldTime, instantOfField } from '../ui/field-time.ts';
import { DialogForm, FormDialog } from '../ui/form-dialog.tsx';
import { zoneName } from '../ui/format.ts';
import { useNow } from '../ui/now.ts';
import { showSnackbar } from '../ui/snackbar.tsx';
import { refusalWords } from './broadcast-actions.ts';
import { freshenBroadcasts, useBroadcast } from './broadcast-queries.ts';
import { EditPreview } from './edit-preview.tsx';
import {
  type Content,
  contentChanges,
  contentProblems,
  useContentPicture,
  WordsFields,
} from './words-fields.tsx';

interface EditDialogProps {
  broadcast: Broadcast;
  onClose: () => void;
}

interface Draft extends Content {
  start: string;
  /** The second of two texts; undefined until it is changed. */
  second: string | undefined;
}

type Errors = Partial<Record<keyof Draft | 'form', string>>;

/** Text, picture, time and speed of a broadcast that hasn't begun. */
export function EditDialog({ broadcast, onClose }: EditDialogProps) {
  return (
    <FormDialog isOpen onClose={onClose} width={560} isFullOnPhone isKeptOnClickBeside>
      <EditForm broadcast={broadcast} onClose={onClose} />
    </FormDialog>
  );
}

function EditForm({ broadcast, onClose }: EditDialogProps) {
  const zone = useTimeZone();
  const now = useNow();
  const { draft, errors, limit, second, change, save, isSaving } = useEdit(broadcast, onClose);
  const picture = useContentPicture((added) => change({ picture: added }));
  return (
    <DialogForm
      title="Edit broadcast"
      intro="You can change it until it starts sending."
      problem={errors.form}
      action={isSaving ? 'Saving' : 'Save'}
      isDisabled={isSaving || picture.isUploading}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <WordsFields value={draft} errors={errors} limit={limit} picture={picture} onChange={change} />
      <EditPreview
        broadcastId={broadcast.BroadcastID}
        text={draft.text}
        hasMedia={draft.picture !== undefined}
      />
      {second && (
        <TextField
          label="Second text message"
          multiline
          minRows={4}
          maxRows={10}
          value={draft.second ?? second.Second.TextMessage}
          error={errors.second}
          help={counterLabel(draft.second ?? second.Second.TextMessage, limit)}
          onChange={(event) => change({ second: event.target.value })}
        />
      )}
      <TextField
        type="datetime-local"
        label="Starts at"
        help={`In ${zoneName(zone)}.`}
        value={draft.start}
        error={errors.start}
        onChange={(event) => change({ start: event.target.value })}
        slotProps={{ input: { min: fieldTime(now, zone) } }}
      />
      <SpeedField value={draft.perMinute} onChange={(perMinute) => change({ perMinute })} />
    </DialogForm>
  );
}

function useEdit(broadcast: Broadcast, onClose: () => void) {
  const zone = useTimeZone();
  const client = useQueryClient();
  const account = useAccount();
  const limit = broadcast.MaxMessageLength || characterLimit(account);
  const { mutateAsync, isPending } = useCall(updateBroadcast);
  const second = useBroadcast(broadcast.BroadcastID).data?.SecondText ?? null;
  const saved: Draft = {
    name: broadcast.BroadcastName,
    text: broadcast.TextMessage,
    second: undefined,
    start: broadcast.StartDate === null ? '' : fieldTime(Date.parse(broadcast.StartDate), zone),
    picture: broadcast.Media[0],
    perMinute: broadcast.PerMinute,
  };
  const [draft, setDraft] = useState(saved);
  const [errors, setErrors] = useState<Errors>({});
  const change = (by: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...by }));
    setErrors({});
  };

  const save = async () => {
    const found = problemsOf(draft, saved, { limit, zone });
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    try {
      const { BroadcastID } = broadcast;
      const after = await mutateAsync({
        params: { BroadcastID },
        body: bodyOf(draft, saved, { zone, second }),
      });
      showSnackbar(
        after.StartDate === null
          ? `${after.BroadcastName} is saved.`
          : `${after.BroadcastName} starts ${spokenStart(after.StartDate, Date.now(), zone)}.`,
      );
      onClose();
    } catch (error) {
      setErrors(refusedFields(error));
    } finally {
      freshenBroadcasts(client);
    }
  };
  return { draft, errors, limit, second, change, save, isSaving: isPending };
}

interface Around {
  limit: number;
  zone: string;
}

/** Only changed fields are validated and sent: a start that wasn't changed keeps its seconds. */
function problemsOf(draft: Draft, saved: Draft, { limit, zone }: Around): Errors {
  const start = draft.start === saved.start ? undefined : startProblem(draft.start, zone);
  return { ...contentProblems(draft, saved, limit), ...(start ? { start } : {}) };
}

function startProblem(start: string, zone: string): string | undefined {
  if (instantOfField(start, zone) === undefined) return 'Enter a Start Time';
  return startDateMessage(validateStartDate({ startDate: start, zone, nowMs: Date.now() }));
}

function bodyOf(
  draft: Draft,
  saved: Draft,
  { zone, second }: { zone: string; second: SecondTextResults | null },
): CallInput<typeof updateBroadcast>['body'] {
  const startMs = draft.start === saved.start ? undefined : instantOfField(draft.start, zone);
  return {
    ...contentChanges(draft, saved),
    ...(second === null || draft.second === undefined
      ? {}
      : {
          SecondText: {
            TextMessage: draft.second,
            Share: second.Share as SecondTextShare,
            DecideBy: second.DecideBy,
            Hours: second.Hours as SecondTextHours,
          },
        }),
    ...(startMs === undefined ? {} : { StartDate: new Date(startMs).toISOString() }),
  };
}

function refusedFields(error: unknown): Errors {
  if (error instanceof ApiError && error.body.ErrorCode === 4100)
    return { form: errorCatalog.editNotEnoughCredits };
  const { BroadcastName, TextMessage, StartDate, 'SecondText.TextMessage': second } = fieldMessages(error);
  const byField = {
    ...(second ? { second } : {}),
    ...(BroadcastName ? { name: BroadcastName } : {}),
    ...(TextMessage ? { text: TextMessage } : {}),
    ...(StartDate ? { start: StartDate } : {}),
  };
  if (Object.keys(byField).length > 0) return byField;
  return { form: refusalWords(error, 'There was an error updating your broadcast.') };
}
