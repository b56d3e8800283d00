import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import MenuItem from '@mui/material/MenuItem';
import OutlinedInput from '@mui/material/OutlinedInput';
import Select from '@mui/material/Select';
import { X } from 'lucide-react';
import { useState } from 'react';
import { updateScheduledConversation } from '../../contract/addresses/scheduled.gen.ts';
import { composeMessages } from '../../contract/forms/compose-text.ts';
import type { TextNumber } from '../../contract/numbers.ts';
import type { ScheduledConversation } from '../../contract/scheduled.ts';
import { ApiError, fieldMessages, shownMessage } from '../api.ts';
import { spokenStart } from '../pieces/broadcasts/start-words.ts';
import { textNumberLine } from '../pieces/numbers/text-number-names.ts';
import {
  AttachButton,
  AttachedPictures,
  PictureProblemDialog,
  useAttachPictures,
} from '../pieces/texts/attach-pictures.tsx';
import { FieldMarks } from '../pieces/texts/field-marks.tsx';
import { asSent, characterLimit, costLabel } from '../pieces/texts/text-rules.ts';
import { useCall } from '../queries/calls.ts';
import { useAccount, useTimeZone, useUser } from '../queries/current-user.ts';
import { Field, TextField } from '../ui/field.tsx';
import { fieldTime } from '../ui/field-time.ts';
import { DialogForm, FormDialog } from '../ui/form-dialog.tsx';
import { formatCount, zoneName } from '../ui/format.ts';
import { useNow } from '../ui/now.ts';
import { showSnackbar } from '../ui/snackbar.tsx';
import { SwitchRow } from '../ui/switch-row.tsx';
import {
  bodyOf,
  draftOf,
  type EditDraft,
  type EditErrors,
  editErrors,
  refusedFields,
  startOf,
} from './edit-form.ts';
import { useFreshenScheduled } from './scheduled-queries.ts';
import { personName, type ScheduledPerson } from './scheduled-words.ts';

interface EditDialogProps {
  one: ScheduledConversation;
  numbers: readonly TextNumber[];
  onClose: () => void;
}

export function EditDialog(props: EditDialogProps) {
  return (
    <FormDialog isOpen onClose={props.onClose} width={560} isFullOnPhone isKeptOnClickBeside>
      <EditForm {...props} />
    </FormDialog>
  );
}

function EditForm({ one, numbers, onClose }: EditDialogProps) {
  const zone = useTimeZone();
  const now = useNow();
  const signature = useUser()?.Signature.SignatureText.trim() ?? '';
  const edit = useEdit(one, signature, onClose);
  const { draft, errors, change, attachment } = edit;
  return (
    <DialogForm
      title="Edit scheduled text"
      intro={`Written by ${one.User.Name}.`}
      problem={errors.form}
      action={edit.isSaving ? 'Saving' : 'Save'}
      isDisabled={edit.isSaving || attachment.uploading > 0}
      onSubmit={() => void edit.save()}
      onClose={onClose}
    >
      <PeopleField people={draft.people} error={errors.people} onChange={(people) => change({ people })} />
      <NumberField
        value={draft.textNumberId}
        numbers={numbers}
        error={errors.number}
        onChange={(textNumberId) => change({ textNumberId })}
      />
      <WordsField
        edit={edit}
        signature={draft.includeSignature ? signature : undefined}
        number={numbers.find(({ TextNumberID }) => TextNumberID === draft.textNumberId)}
      />
      {(signature !== '' || draft.includeSignature) && (
        <SwitchRow
          label="Signature"
          isOn={draft.includeSignature}
          onChange={(includeSignature) => change({ includeSignature })}
        />
      )}
      <TextField
        type="datetime-local"
        label="Send at"
        help={`In ${zoneName(zone)}.`}
        error={errors.start}
        value={draft.start}
        onChange={(event) => change({ start: event.target.value })}
        slotProps={{ input: { min: fieldTime(now, zone) } }}
      />
      <PictureProblemDialog problem={attachment.problem} onClose={attachment.forgetProblem} />
    </DialogForm>
  );
}

/** The draft, its errors and saving. */
function useEdit(one: ScheduledConversation, ownSignature: string, onClose: () => void) {
  const zone = useTimeZone();
  const account = useAccount();
  const freshen = useFreshenScheduled();
  const update = useCall(updateScheduledConversation);
  const [draft, setDraft] = useState(() => draftOf(one, zone));
  const [errors, setErrors] = useState<EditErrors>({});
  const limit = characterLimit(account);
  const change = (by: Partial<EditDraft>) => {
    setDraft((before) => ({ ...before, ...by }));
    setErrors({});
  };
  const attachment = useAttachPictures({
    count: draft.pictures.length,
    onAdd: (picture) => setDraft((before) => ({ ...before, pictures: [...before.pictures, picture] })),
  });

  const save = async () => {
    const signature = draft.includeSignature ? ownSignature : undefined;
    const found = editErrors(draft, { one, zone, now: Date.now(), limit, signature });
    setErrors(found);
    const startMs = startOf(draft, { one, zone });
    if (startMs === undefined || Object.keys(found).length > 0) return;
    try {
      const { ScheduledConversationID } = one;
      const saved = await update.mutateAsync({
        params: { ScheduledConversationID },
        body: bodyOf(draft, startMs),
      });
      showSnackbar(`The text is scheduled for ${spokenStart(saved.StartDate, Date.now(), zone)}.`);
      onClose();
    } catch (error) {
      if (error instanceof ApiError && (error.status === 409 || error.status === 404)) {
        showSnackbar('This text has already been sent or canceled, so it can’t be changed.');
        onClose();
        return;
      }
      const byField = refusedFields(fieldMessages(error), draft.people);
      const generic = 'There was an error updating your scheduled conversation.';
      setErrors(Object.keys(byField).length > 0 ? byField : { form: shownMessage(error, generic) });
    } finally {
      freshen();
    }
  };
  return { draft, errors, change, limit, attachment, save, isSaving: update.isPending };
}

interface PeopleFieldProps {
  people: readonly ScheduledPerson[];
  error: string | undefined;
  onChange: (people: ScheduledPerson[]) => void;
}

function PeopleField({ people, error, onChange }: PeopleFieldProps) {
  return (
    <Field label="To" error={error}>
      {({ id, 'aria-describedby': describedBy }) => (
        <Box
          component="ul"
          id={id}
          aria-label="Recipients"
          aria-describedby={describedBy}
          sx={{ listStyle: 'none', m: 0, p: 0, display: 'flex', flexWrap: 'wrap', gap: '6px' }}
        >
          {people.map((person) => (
            <Box
              component="li"
              key={person.PhoneNumber}
              sx={{
                display: 'flex',
                alignItems: 'center',
                minWidth: 0,
                maxWidth: '100%',
                pl: '10px',
                borderRadius: '8px',
                bgcolor: 'tint.neutral',
                color: 'text.primary',
              }}
            >
              <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
                {personName(person)}
              </Box>
              <IconButton
                size="small"
                aria-label={`Remove ${personName(person)}`}
                onClick={() => onChange(people.filter((other) => other !== person))}
              >
                <X />
              </IconButton>
            </Box>
          ))}
        </Box>
      )}
    </Field>
  );
}

interface NumberFieldProps {
  value: number;
  numbers: readonly TextNumber[];
  error: string | undefined;
  onChange: (textNumberId: number) => void;
}

function NumberField({ value, numbers, error, onChange }: NumberFieldProps) {
  const chosen = numbers.find(({ TextNumberID }) => TextNumberID === value);
  return (
    <Field label="From" error={error}>
      {({ id, ...aria }) => (
        <Select
          id={id}
          displayEmpty
          value={chosen ? value : ''}
          error={error !== undefined}
          onChange={(event) => onChange(Number(event.target.value))}
          SelectDisplayProps={{ ...aria, 'aria-label': 'From' }}
          renderValue={() => (chosen ? textNumberLine(chosen) : composeMessages.noTextNumber)}
        >
          {numbers.map((number) => (
            <MenuItem
              key={number.TextNumberID}
              value={number.TextNumberID}
              disabled={!number.CanText && number.TextNumberID !== value}
            >
              {textNumberLine(number)}
            </MenuItem>
          ))}
        </Select>
      )}
    </Field>
  );
}

interface WordsFieldProps {
  edit: ReturnType<typeof useEdit>;
  signature: string | undefined;
  number: TextNumber | undefined;
}

function WordsField({ edit, signature, number }: WordsFieldProps) {
  const account = useAccount();
  const { draft, errors, change, limit, attachment } = edit;
  const isLong = draft.text.trim().length > limit;
  const cost = costLabel(asSent(draft.text, draft.keepCharacters), {
    pictures: draft.pictures.length,
    account,
    number,
    signature,
  });
  return (
    <Field label="Text" error={errors.text}>
      {({ id, ...aria }) => (
        <>
          <OutlinedInput
            id={id}
            multiline
            fullWidth
            minRows={4}
            maxRows={10}
            value={draft.text}
            error={errors.text !== undefined}
            endAdornment={errors.text !== undefined && <FieldMarks text={draft.text} />}
            onPaste={attachment.onPaste}
            onChange={(event) => change({ text: event.target.value })}
            slotProps={{ input: aria }}
          />
          <AttachedPictures
            pictures={draft.pictures}
            uploading={attachment.uploading}
            onRemove={({ mediaId }) =>
              change({ pictures: draft.pictures.filter((one) => one.mediaId !== mediaId) })
            }
          />
          <Box
            sx={{
              display: 'flex',
              alignItems: 'center',
              gap: 1,
              mt: '4px',
              ml: '-6px',
              typography: 'caption',
              fontVariantNumeric: 'tabular-nums',
              color: 'text.secondary',
            }}
          >
            <AttachButton onChoose={(files) => void attachment.attach(files)} />
            <Box sx={{ flex: 1 }}>
              {cost}
              {cost !== '' && draft.people.length > 1 && ' each'}
            </Box>
            <Box component="span" sx={{ color: isLong ? 'error.main' : 'inherit' }}>
              Characters: {formatCount(draft.text.length)}/{formatCount(limit)}
            </Box>
          </Box>
        </>
      )}
    </Field>
  );
}
