import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { updateAudio } from '../../contract/addresses/audio.gen.ts';
import { type Audio, type AudioType, audioNameLength, audioTypes } from '../../contract/audio.ts';
import { audioTypeNames } from '../pieces/audio/audio-words.ts';
import { stopPlaying } from '../pieces/audio/player.ts';
import { useCall } from '../queries/calls.ts';
import { Choice } from '../ui/choices.tsx';
import { Field, TextField } from '../ui/field.tsx';
import { DialogForm, FormDialog } from '../ui/form-dialog.tsx';
import { useFormErrors } from '../ui/use-form-errors.ts';
import { freshenAudio } from './audio-actions.ts';

export function RenameDialog({ audio, onClose }: { audio: Audio | undefined; onClose: () => void }) {
  return (
    <FormDialog isOpen={audio !== undefined} onClose={onClose} width={440}>
      {audio && <RenameForm audio={audio} onClose={onClose} />}
    </FormDialog>
  );
}

function RenameForm({ audio, onClose }: { audio: Audio; onClose: () => void }) {
  const client = useQueryClient();
  const update = useCall(updateAudio);
  const [Name, setName] = useState(audio.Name);
  const [type, setType] = useState<AudioType>(audio.AudioType);
  const [SilenceCut, setSilenceCut] = useState(audio.SilenceCut);
  const { errors, submit } = useFormErrors();
  const silent = Math.round(audio.SilenceBefore + audio.SilenceAfter);
  const save = () =>
    submit({
      problems: Name.trim() === '' ? { Name: 'Enter a name' } : {},
      failed: 'There was an error updating your recording.',
      save: async () => {
        // The trimmed file has another address, so playback of the old one stops.
        if (SilenceCut !== audio.SilenceCut) stopPlaying();
        await update.mutateAsync({
          params: { AudioID: audio.AudioID },
          body: { Name: Name.trim(), AudioType: type, SilenceCut },
        });
        freshenAudio(client);
        onClose();
      },
    });
  return (
    <DialogForm
      title="Rename recording"
      action="Save"
      isDisabled={update.isPending}
      problem={errors.form}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        autoFocus
        value={Name}
        error={errors.Name}
        onChange={(event) => setName(event.target.value)}
        slotProps={{ input: { maxLength: audioNameLength } }}
      />
      <TypeField type={type} onChange={setType} />
      {silent >= 1 && (
        <FormControlLabel
          control={<Switch checked={SilenceCut} onChange={(_, isOn) => setSilenceCut(isOn)} />}
          label={`Trim ${silent} silent ${silent === 1 ? 'second' : 'seconds'}`}
          sx={{ ml: 0, gap: 1 }}
        />
      )}
    </DialogForm>
  );
}

export function TypeField({ type, onChange }: { type: AudioType; onChange: (type: AudioType) => void }) {
  return (
    <Field label="Type">
      {({ id }) => (
        <Choice
          id={id}
          value={type}
          choices={audioTypes.map((each) => ({ value: each, label: audioTypeNames[each] }))}
          onChange={(next) => onChange(audioTypes.find((each) => each === next) ?? 'announcement')}
        />
      )}
    </Field>
  );
}
