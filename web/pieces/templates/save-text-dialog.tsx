import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addTemplate, listTemplates } from '../../../contract/addresses/templates.gen.ts';
import type { MediaItem } from '../../../contract/media.ts';
import { fieldMessages, shownMessage } from '../../api.ts';
import { useCall } from '../../queries/calls.ts';
import { TextField } from '../../ui/field.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';

interface SaveTextDialogProps {
  isOpen: boolean;
  text: string;
  pictures: readonly MediaItem[];
  onClose: () => void;
}

/** Keeps what was written as a saved text. */
export function SaveTextDialog({ isOpen, onClose, ...written }: SaveTextDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={480}>
      <SaveTextForm onClose={onClose} {...written} />
    </FormDialog>
  );
}

function SaveTextForm({ text, pictures, onClose }: Omit<SaveTextDialogProps, 'isOpen'>) {
  const client = useQueryClient();
  const add = useCall(addTemplate);
  const [name, setName] = useState('');
  const [shortcut, setShortcut] = useState('');
  const [isShared, setShared] = useState(false);
  const [errors, setErrors] = useState<{ name?: string; shortcut?: string; form?: string }>({});
  const save = async () => {
    setErrors({});
    try {
      await add.mutateAsync({
        body: {
          TemplateName: name,
          Shortcut: shortcut.replace(/^\//, ''),
          TemplateText: text,
          IsShared: isShared,
          Media: pictures.map(({ mediaId }) => ({ MediaID: mediaId })),
        },
      });
      void client.invalidateQueries({ queryKey: [listTemplates.path] });
      showSnackbar(`${name.trim()} was saved.`);
      onClose();
    } catch (error) {
      const { TemplateName, Shortcut } = fieldMessages(error);
      if (TemplateName || Shortcut)
        setErrors({
          ...(TemplateName ? { name: TemplateName } : {}),
          ...(Shortcut ? { shortcut: Shortcut } : {}),
        });
      else setErrors({ form: shownMessage(error, 'There was an error adding your saved text.') });
    }
  };
  return (
    <DialogForm
      title="Save this text"
      problem={errors.form}
      action="Save"
      isDisabled={add.isPending}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <Box
        sx={{
          p: '10px 14px',
          borderRadius: '10px',
          bgcolor: 'surface.sunken',
          whiteSpace: 'pre-wrap',
          overflowWrap: 'anywhere',
          maxHeight: 160,
          overflowY: 'auto',
        }}
      >
        {text || 'Picture only'}
      </Box>
      <TextField
        label="Name"
        autoFocus
        value={name}
        error={errors.name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label="Shortcut"
        help="Optional. Type / and these letters in a text to insert it."
        value={shortcut}
        error={errors.shortcut}
        onChange={(event) => setShortcut(event.target.value)}
      />
      <FormControlLabel
        control={<Checkbox checked={isShared} onChange={(_, checked) => setShared(checked)} />}
        label="Everyone in the organization can use it"
      />
    </DialogForm>
  );
}
