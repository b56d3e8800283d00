import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { useQueryClient } from '@tanstack/react-query';
import { Braces } from 'lucide-react';
import { useRef, useState } from 'react';
import { addTemplate, updateTemplate } from '../../contract/addresses/templates.gen.ts';
import type { MediaItem } from '../../contract/media.ts';
import { type Template, templateTextLength } from '../../contract/templates.ts';
import { counterLabel } from '../../contract/text/text-length.ts';
import { AttachButton, AttachedPictures, useAttachPictures } from '../pieces/texts/attach-pictures.tsx';
import { FieldMarks } from '../pieces/texts/field-marks.tsx';
import { MergeFieldsMenu } from '../pieces/texts/merge-fields-menu.tsx';
import { useCall } from '../queries/calls.ts';
import { TextField } from '../ui/field.tsx';
import { DialogForm, FormDialog } from '../ui/form-dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';
import { spliceText } from '../ui/splice-text.ts';
import { useFormErrors } from '../ui/use-form-errors.ts';
import { useMenu } from '../ui/use-menu.ts';
import { freshenTexts } from './text-actions.ts';

interface SavedTextDialogProps {
  /** A saved text to change, or a new one; closed without. */
  edited: Template | 'new' | undefined;
  onClose: () => void;
}

/** Writes a saved text: its name, words, pictures and shortcut. */
export function SavedTextDialog({ edited, onClose }: SavedTextDialogProps) {
  // Stays while the dialog closes.
  const [shown, setShown] = useState(edited);
  if (edited !== undefined && edited !== shown) setShown(edited);
  return (
    <FormDialog isOpen={edited !== undefined} onClose={onClose} width={560} isFullOnPhone isKeptOnClickBeside>
      <SavedTextForm text={shown === 'new' ? undefined : shown} onClose={onClose} />
    </FormDialog>
  );
}

function SavedTextForm({ text, onClose }: { text: Template | undefined; onClose: () => void }) {
  const client = useQueryClient();
  const add = useCall(addTemplate);
  const update = useCall(updateTemplate);
  const [draft, setDraft] = useState({
    TemplateName: text?.TemplateName ?? '',
    TemplateText: text?.TemplateText ?? '',
    Shortcut: text?.Shortcut ?? '',
    labels: text?.Labels.join(', ') ?? '',
    IsShared: text?.IsShared ?? false,
  });
  const [pictures, setPictures] = useState<readonly MediaItem[]>(text?.Media ?? []);
  const { errors, submit } = useFormErrors();
  const change = (changed: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...changed }));
  const attachment = useAttachPictures({
    count: pictures.length,
    onAdd: (picture) => setPictures((before) => [...before, picture]),
  });
  const fields = useMenu();
  const field = useRef<HTMLTextAreaElement>(null);
  const insert = (piece: string) => {
    change({ TemplateText: spliceText(field, draft.TemplateText, piece) });
  };
  const save = async () => {
    const Media = pictures.map(({ mediaId }) => ({ MediaID: mediaId }));
    const { labels, ...written } = draft;
    const Labels = labels
      .split(',')
      .map((label) => label.trim())
      .filter((label) => label !== '');
    const body = { ...written, Shortcut: draft.Shortcut.replace(/^\//, ''), Media, Labels };
    if (text) await update.mutateAsync({ params: { TemplateID: text.TemplateID }, body });
    else await add.mutateAsync({ body });
    freshenTexts(client);
    showSnackbar(`${draft.TemplateName.trim()} was saved.`);
    onClose();
  };
  const hasWords = draft.TemplateText.trim() !== '' || pictures.length > 0;
  return (
    <DialogForm
      title={text ? 'Edit saved text' : 'New saved text'}
      problem={errors.form}
      action="Save"
      isDisabled={add.isPending || update.isPending || attachment.uploading > 0}
      onSubmit={() =>
        void submit({
          problems: hasWords ? {} : { TemplateText: 'Enter a Text Message.' },
          save,
          failed: text
            ? 'There was an error updating your saved text.'
            : 'There was an error adding your saved text.',
        })
      }
      onClose={onClose}
    >
      <TextField
        autoFocus
        label="Name"
        autoComplete="off"
        value={draft.TemplateName}
        error={errors.TemplateName}
        onChange={(event) => change({ TemplateName: event.target.value })}
      />
      <Box>
        <TextField
          label="Text"
          multiline
          minRows={4}
          maxRows={10}
          inputRef={field}
          value={draft.TemplateText}
          endAdornment={<FieldMarks text={draft.TemplateText} />}
          error={errors.TemplateText}
          help={counterLabel(draft.TemplateText, templateTextLength)}
          onPaste={attachment.onPaste}
          onChange={(event) => change({ TemplateText: event.target.value })}
        />
        <AttachedPictures
          pictures={pictures}
          uploading={attachment.uploading}
          onRemove={({ mediaId }) =>
            setPictures((before) => before.filter((picture) => picture.mediaId !== mediaId))
          }
        />
        {attachment.problem !== '' && <Notice kind="error">{attachment.problem}</Notice>}
        <Box sx={{ display: 'flex', gap: '4px', ml: '-6px', mt: '4px' }}>
          <AttachButton onChoose={(files) => void attachment.attach(files)} />
          <Button size="small" variant="text" startIcon={<Braces aria-hidden />} {...fields.buttonProps}>
            Personalize
          </Button>
          <MergeFieldsMenu menu={fields} onChoose={insert} />
        </Box>
      </Box>
      <TextField
        label="Shortcut"
        autoComplete="off"
        help="Optional. Type / and these letters in a text to insert it."
        value={draft.Shortcut}
        error={errors.Shortcut}
        onChange={(event) => change({ Shortcut: event.target.value })}
      />
      <TextField
        label="Labels"
        autoComplete="off"
        help="Optional, separated by commas. They help you find texts."
        value={draft.labels}
        error={errors.Labels}
        onChange={(event) => change({ labels: event.target.value })}
      />
      <FormControlLabel
        control={<Checkbox checked={draft.IsShared} onChange={(_, IsShared) => change({ IsShared })} />}
        label="Everyone in the organization can use it"
        sx={{ m: 0, gap: '6px' }}
      />
    </DialogForm>
  );
}
