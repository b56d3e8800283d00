import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import {
  deleteCustomField,
  listCustomFields,
  updateCustomField,
} from '../../../contract/addresses/contacts.gen.ts';
import type { CustomField } from '../../../contract/contacts.ts';
import { fieldMessages, isNotFound, shownMessage } from '../../api.ts';
import { useCall, useCallQuery } from '../../queries/calls.ts';
import { useCan } from '../../queries/current-user.ts';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { freshenContact } from '../contact/contact-queries.ts';
import { NewCustomField } from './custom-fields-new.tsx';

const inner = { px: { xs: 2, sm: 4 } };

/** The organization's own fields: add, rename, delete. */
export function CustomFieldsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <FormDialog isOpen={open} onClose={onClose} width={520} isFullOnPhone>
      <DialogTitle sx={inner}>Contact fields</DialogTitle>
      <DialogContent sx={{ ...inner, display: 'grid', alignContent: 'start', gap: 2 }}>
        <Typography sx={{ color: 'text.secondary' }}>
          Details you store for each contact besides name and phones. You can use them to personalize
          messages.
        </Typography>
        <FieldList />
        <NewCustomField isOpenAtFirst />
      </DialogContent>
      <DialogActions sx={inner}>
        <Button variant="contained" color="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

function FieldList() {
  const { data, error } = useCallQuery(listCustomFields, {});
  const [deleting, setDeleting] = useState<CustomField>();
  const canDelete = useCan('deleteCustomFields');
  if (error && !data)
    return <Notice kind="error">{shownMessage(error, 'There was an error getting your fields.')}</Notice>;
  if (!data) return <SkeletonRows rows={3} label="Loading fields" />;
  if (data.Items.length === 0) return null;
  return (
    <>
      <Box
        component="ul"
        sx={{
          listStyle: 'none',
          p: 0,
          border: '1px solid',
          borderColor: 'line.hair',
          borderRadius: '10px',
          '& > li + li': { borderTop: '1px solid', borderColor: 'line.hair' },
        }}
      >
        {data.Items.map((field) => (
          <FieldRow
            key={field.FieldID}
            field={field}
            {...(canDelete ? { onDelete: () => setDeleting(field) } : {})}
          />
        ))}
      </Box>
      <DeleteDialog field={deleting} onClose={() => setDeleting(undefined)} />
    </>
  );
}

function FieldRow({ field, onDelete }: { field: CustomField; onDelete?: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const rename = useCall(updateCustomField);
  const stop = () => {
    setName(undefined);
    setProblem(undefined);
  };
  if (name === undefined) {
    return (
      <Box component="li" sx={{ display: 'flex', alignItems: 'center', minHeight: 44, pl: 2, pr: 1 }}>
        <Typography sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere', py: 1 }}>{field.Name}</Typography>
        <IconButton size="small" aria-label={`Rename ${field.Name}`} onClick={() => setName(field.Name)}>
          <Pencil />
        </IconButton>
        {onDelete && (
          <IconButton size="small" aria-label={`Delete ${field.Name}`} onClick={onDelete}>
            <Trash2 />
          </IconButton>
        )}
      </Box>
    );
  }
  const save = async () => {
    try {
      await rename.mutateAsync({ params: { FieldID: field.FieldID }, body: { Name: name } });
      freshenContact(client);
      stop();
    } catch (error) {
      setProblem(fieldMessages(error).Name ?? shownMessage(error, 'There was an error updating your field.'));
    }
  };
  return (
    <Box component="li" sx={{ display: 'flex', alignItems: 'flex-start', gap: 1, px: 2, py: 1.5 }}>
      <TextField
        label={`New name for ${field.Name}`}
        autoFocus
        autoComplete="off"
        value={name}
        error={problem}
        onChange={(event) => {
          setProblem(undefined);
          setName(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void save();
          if (event.key !== 'Escape') return;
          // Ends only the renaming; the dialog stays open.
          event.stopPropagation();
          stop();
        }}
      />
      <Button sx={{ mt: '24px', flex: 'none' }} disabled={rename.isPending} onClick={() => void save()}>
        Save
      </Button>
      <Button variant="text" sx={{ mt: '24px', flex: 'none' }} onClick={stop}>
        Cancel
      </Button>
    </Box>
  );
}

/** Confirms, because it can't be undone. */
function DeleteDialog({ field, onClose }: { field: CustomField | undefined; onClose: () => void }) {
  const client = useQueryClient();
  // Kept while the dialog fades out, or its words would disappear first.
  const [last, setLast] = useState(field);
  if (field && field !== last) setLast(field);
  const remove = useCall(deleteCustomField, {
    onSuccess: () => {
      showSnackbar(`The field ${last?.Name} was deleted.`);
      freshenContact(client);
      onClose();
    },
    onError: (error) => {
      // Somebody else deleted it meanwhile, so the goal is reached.
      if (!isNotFound(error)) showSnackbar(shownMessage(error, 'There was an error deleting your field.'));
      freshenContact(client);
      onClose();
    },
  });
  return (
    <Dialog
      open={field !== undefined}
      onClose={onClose}
      role="alertdialog"
      aria-labelledby="delete-field-title"
    >
      <DialogTitle id="delete-field-title">Delete “{last?.Name}”?</DialogTitle>
      <DialogContent>
        <Typography sx={{ maxWidth: 420 }}>
          This removes its values from every contact and can’t be undone.
        </Typography>
      </DialogContent>
      <DialogActions>
        <Button variant="text" onClick={onClose}>
          Cancel
        </Button>
        <Button
          variant="contained"
          color="error"
          disabled={remove.isPending}
          onClick={() => last && remove.mutate({ params: { FieldID: last.FieldID } })}
        >
          Delete field
        </Button>
      </DialogActions>
    </Dialog>
  );
}
