import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import IconButton from '@mui/material/IconButton';
import OutlinedInput from '@mui/material/OutlinedInput';
import Tooltip from '@mui/material/Tooltip';
import { useQueryClient } from '@tanstack/react-query';
import { Check, Pencil, Plus, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import {
  addLabel,
  deleteLabel,
  listLabels,
  updateLabel,
} from '../../../contract/addresses/broadcasts.gen.ts';
import type { Broadcast, Label } from '../../../contract/broadcasts.ts';
import { fieldMessages, shownMessage } from '../../api.ts';
import { useCall, useCallQuery } from '../../queries/calls.ts';
import { TextField } from '../../ui/field.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';
import type { BroadcastActions } from '../broadcast-actions.ts';
import { freshenBroadcasts } from '../broadcast-queries.ts';

interface LabelsDialogProps {
  broadcast: Broadcast;
  actions: BroadcastActions;
  onClose: () => void;
}

/** Chooses the labels of a broadcast; labels can be created, renamed and deleted here. */
export function LabelsDialog({ broadcast, actions, onClose }: LabelsDialogProps) {
  const { data } = useCallQuery(listLabels, {});
  const labels = useLabels();
  const [chosen, setChosen] = useState(() => new Set(broadcast.Labels.map(({ LabelID }) => LabelID)));
  const toggle = (labelId: number, isOn: boolean) =>
    setChosen((before) => {
      const after = new Set(before);
      if (isOn) after.add(labelId);
      else after.delete(labelId);
      return after;
    });
  const save = async () => {
    // Labels that were deleted meanwhile are removed from the broadcast too.
    const Labels = (data?.Items ?? []).filter(({ LabelID }) => chosen.has(LabelID));
    if (await actions.setLabels(broadcast, Labels)) onClose();
  };
  return (
    <FormDialog isOpen onClose={onClose} width={440}>
      <DialogForm
        title="Labels"
        intro={`Use labels to find ${broadcast.BroadcastName} in the list.`}
        gap={1.5}
        action="Save"
        isDisabled={actions.isBusy || !data}
        onSubmit={() => void save()}
        onClose={onClose}
      >
        <NewLabel labels={labels} onMade={({ LabelID }) => toggle(LabelID, true)} />
        {!data && <SkeletonRows rows={3} rowHeight={36} label="Loading your labels" />}
        {data && data.Items.length > 0 && (
          <Box component="ul" aria-label="Labels" sx={{ listStyle: 'none', m: 0, p: 0 }}>
            {data.Items.map((label) => (
              <LabelRow
                key={label.LabelID}
                label={label}
                isChosen={chosen.has(label.LabelID)}
                labels={labels}
                onToggle={(isOn) => toggle(label.LabelID, isOn)}
              />
            ))}
          </Box>
        )}
      </DialogForm>
    </FormDialog>
  );
}

function useLabels() {
  const client = useQueryClient();
  const freshen = () => {
    void client.invalidateQueries({ queryKey: [listLabels.path] });
    freshenBroadcasts(client);
  };
  const options = { onSettled: freshen };
  return {
    add: useCall(addLabel, options),
    rename: useCall(updateLabel, options),
    remove: useCall(deleteLabel, {
      ...options,
      onError: (error) => showSnackbar(shownMessage(error, 'There was an error deleting your label.')),
    }),
  };
}

type Labels = ReturnType<typeof useLabels>;

function NewLabel({ labels, onMade }: { labels: Labels; onMade: (label: Label) => void }) {
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const make = async () => {
    try {
      onMade(await labels.add.mutateAsync({ body: { LabelName: name.trim() } }));
      setName('');
    } catch (error) {
      const generic = shownMessage(error, 'There was an error adding your label.');
      setProblem(fieldMessages(error).LabelName ?? generic);
    }
  };
  return (
    <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 1 }}>
      <TextField
        label="New label"
        value={name}
        error={problem}
        autoComplete="off"
        onChange={(event) => {
          setName(event.target.value);
          setProblem(undefined);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || name.trim() === '') return;
          // Enter makes the label; it must not send the form around it.
          event.preventDefault();
          void make();
        }}
        slotProps={{ input: { maxLength: 50 } }}
      />
      <Button
        startIcon={<Plus aria-hidden />}
        disabled={name.trim() === '' || labels.add.isPending}
        onClick={() => void make()}
        sx={{ mt: '24px', flex: 'none' }}
      >
        Add
      </Button>
    </Box>
  );
}

interface LabelRowProps {
  label: Label;
  isChosen: boolean;
  labels: Labels;
  onToggle: (isOn: boolean) => void;
}

function LabelRow({ label, isChosen, labels, onToggle }: LabelRowProps) {
  const [isEditing, setEditing] = useState(false);
  const { LabelID, LabelName } = label;
  if (isEditing) return <EditRow label={label} labels={labels} onDone={() => setEditing(false)} />;
  return (
    <Box component="li" sx={{ display: 'flex', alignItems: 'center', minHeight: 40, gap: '4px' }}>
      <FormControlLabel
        control={<Checkbox checked={isChosen} onChange={(_, isOn) => onToggle(isOn)} />}
        label={LabelName}
        sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}
      />
      <Tooltip title="Rename">
        <IconButton size="small" aria-label={`Rename ${LabelName}`} onClick={() => setEditing(true)}>
          <Pencil />
        </IconButton>
      </Tooltip>
      <Tooltip title="Delete the label (keeps its broadcasts)">
        <IconButton
          size="small"
          aria-label={`Delete the label ${LabelName}`}
          onClick={() => labels.remove.mutate({ params: { LabelID } })}
        >
          <Trash2 />
        </IconButton>
      </Tooltip>
    </Box>
  );
}

function EditRow({ label, labels, onDone }: { label: Label; labels: Labels; onDone: () => void }) {
  const [name, setName] = useState(label.LabelName);
  const save = async () => {
    try {
      await labels.rename.mutateAsync({
        params: { LabelID: label.LabelID },
        body: { LabelName: name.trim() },
      });
      onDone();
    } catch (error) {
      const generic = shownMessage(error, 'There was an error updating your label.');
      showSnackbar(fieldMessages(error).LabelName ?? generic);
    }
  };
  return (
    <Box component="li" sx={{ display: 'flex', alignItems: 'center', minHeight: 40, gap: '4px' }}>
      <OutlinedInput
        fullWidth
        autoFocus
        value={name}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation();
            onDone();
          }
          if (event.key !== 'Enter') return;
          event.preventDefault();
          void save();
        }}
        slotProps={{ input: { 'aria-label': `New name for ${label.LabelName}`, maxLength: 50 } }}
      />
      <IconButton
        size="small"
        aria-label="Save name"
        disabled={name.trim() === ''}
        onClick={() => void save()}
      >
        <Check />
      </IconButton>
      <IconButton size="small" aria-label="Cancel renaming" onClick={onDone}>
        <X />
      </IconButton>
    </Box>
  );
}
