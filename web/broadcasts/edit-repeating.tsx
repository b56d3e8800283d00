import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { firstFailure } from '../../contract/fields/rule.ts';
import { broadcastName, broadcastText, tooSoon } from '../../contract/forms/broadcast.ts';
import { type RepeatingBroadcast, updateRepeating } from '../../contract/repeating-broadcasts.ts';
import { counterLabel } from '../../contract/text/text-length.ts';
import { isFarEnoughAhead } from '../../contract/time/start-date.ts';
import { fieldMessages } from '../api.ts';
import { useCall } from '../queries/calls.ts';
import { useAccount, useTimeZone } from '../queries/current-user.ts';
import { TextField } from '../ui/field.tsx';
import { fieldTime, instantOfField } from '../ui/field-time.ts';
import { DialogForm, FormDialog } from '../ui/form-dialog.tsx';
import { zoneName } from '../ui/format.ts';
import { showSnackbar } from '../ui/snackbar.tsx';
import { characterLimit } from '../ui/text-rules.ts';
import { refusalWords } from './broadcast-actions.ts';
import { freshenBroadcasts } from './broadcast-queries.ts';

interface EditRepeatingProps {
  one: RepeatingBroadcast;
  onClose: () => void;
}

/** What the next ones say, and when the next one goes out; from there on the schedule goes on. */
export function EditRepeating({ one, onClose }: EditRepeatingProps) {
  return (
    <FormDialog isOpen onClose={onClose} width={560} isFullOnPhone isKeptOnClickBeside>
      <EditForm one={one} onClose={onClose} />
    </FormDialog>
  );
}

type Errors = Partial<Record<'name' | 'text' | 'next' | 'form', string>>;

function EditForm({ one, onClose }: EditRepeatingProps) {
  const zone = useTimeZone();
  const client = useQueryClient();
  const limit = characterLimit(useAccount());
  const { mutateAsync, isPending } = useCall(updateRepeating);
  const savedNext = one.NextStartDate === null ? '' : fieldTime(Date.parse(one.NextStartDate), zone);
  const [name, setName] = useState(one.BroadcastName);
  const [text, setText] = useState(one.TextMessage);
  const [next, setNext] = useState(savedNext);
  const [errors, setErrors] = useState<Errors>({});
  const nextMs = next === savedNext ? undefined : instantOfField(next, zone);

  const save = async () => {
    const found: Errors = {};
    const badName = firstFailure(name.trim(), broadcastName);
    // A picture may stand for words; the server knows whether there is one.
    const badText = firstFailure(
      text,
      broadcastText({ maxLength: limit, hasMedia: one.TextMessage === '', saved: one.TextMessage }),
    );
    if (badName) found.name = badName;
    if (badText) found.text = badText;
    if (next !== savedNext && (nextMs === undefined || !isFarEnoughAhead(nextMs, Date.now())))
      found.next = tooSoon;
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    try {
      await mutateAsync({
        params: { RepeatingBroadcastID: one.RepeatingBroadcastID },
        body: {
          ...(name.trim() === one.BroadcastName ? {} : { BroadcastName: name.trim() }),
          ...(text === one.TextMessage ? {} : { TextMessage: text }),
          ...(nextMs === undefined ? {} : { StartDateTime: new Date(nextMs).toISOString() }),
        },
      });
      showSnackbar(`${name.trim()} is saved.`);
      onClose();
    } catch (error) {
      const { BroadcastName, TextMessage, StartDateTime } = fieldMessages(error);
      setErrors({
        ...(BroadcastName ? { name: BroadcastName } : {}),
        ...(TextMessage ? { text: TextMessage } : {}),
        ...(StartDateTime ? { next: StartDateTime } : {}),
        ...(BroadcastName || TextMessage || StartDateTime
          ? {}
          : { form: refusalWords(error, 'There was an error updating your repeating broadcast.') }),
      });
    } finally {
      freshenBroadcasts(client);
    }
  };

  return (
    <DialogForm
      title="Edit repeating broadcast"
      intro={one.ScheduleDescription}
      problem={errors.form}
      action={isPending ? 'Saving' : 'Save'}
      isDisabled={isPending}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <TextField
        label="Broadcast name"
        value={name}
        error={errors.name}
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label="Text message"
        multiline
        minRows={4}
        maxRows={10}
        value={text}
        error={errors.text}
        help={counterLabel(text, limit)}
        onChange={(event) => setText(event.target.value)}
      />
      {savedNext !== '' && (
        <TextField
          type="datetime-local"
          label="Next start"
          help={`In ${zoneName(zone)}.`}
          value={next}
          error={errors.next}
          onChange={(event) => setNext(event.target.value)}
        />
      )}
    </DialogForm>
  );
}
