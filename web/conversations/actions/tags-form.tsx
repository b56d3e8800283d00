import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import IconButton from '@mui/material/IconButton';
import { useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import {
  addTag,
  deleteTag,
  listConversations,
  listTags,
  updateTag,
} from '../../../contract/addresses/conversations.gen.ts';
import { type Tag, tagLimits } from '../../../contract/tags.ts';
import { fieldMessages, shownMessage } from '../../api.ts';
import { useCall } from '../../queries/calls.ts';
import { useCan } from '../../queries/current-user.ts';
import { ColorField } from '../../ui/color-field.tsx';
import { ColorMark } from '../../ui/color-mark.tsx';
import { freeColor } from '../../ui/colors.ts';
import { DialogHead } from '../../ui/dialog-parts.tsx';
import { TextField } from '../../ui/field.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useTags } from '../account-queries.ts';

export interface TagsDialogProps {
  isOpen: boolean;
  /** The deleted tag was a filter in the address. */
  onDeleted: (tagId: number) => void;
  onClose: () => void;
}

/** Manages all tags: rename, recolor, create and delete. */
export function TagsForm({ isOpen, onDeleted, onClose }: TagsDialogProps) {
  const { tags = [], failure } = useTags(isOpen);
  const canDelete = useCan('deleteTags');
  const [edited, setEdited] = useState<Tag | 'new'>();
  const [deleted, setDeleted] = useState<Tag>();
  return (
    <>
      <FormDialog isOpen={isOpen} onClose={onClose} width={440}>
        <DialogHead title="Tags" onClose={onClose} />
        <DialogContent sx={{ pt: 1.5 }}>
          {failure && <Notice kind="error">{failure}</Notice>}
          {tags.length === 0 && !failure && (
            <Box sx={{ color: 'text.secondary', pb: 2 }}>
              Tags mark conversations that belong together, such as “Bus” or “Needs a call”.
            </Box>
          )}
          <Box component="ul" aria-label="Tags" sx={{ listStyle: 'none', m: 0, p: 0 }}>
            {tags.map((tag) => (
              <Box
                key={tag.TagID}
                component="li"
                sx={{
                  display: 'flex',
                  alignItems: 'center',
                  gap: 1.25,
                  minHeight: 44,
                  borderBottom: '1px solid',
                  borderColor: 'line.hair',
                }}
              >
                <ColorMark of="tag" color={tag.Color} />
                <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>{tag.TagName}</Box>
                <IconButton aria-label={`Edit ${tag.TagName}`} onClick={() => setEdited(tag)}>
                  <Pencil />
                </IconButton>
                {canDelete && (
                  <IconButton aria-label={`Delete ${tag.TagName}`} onClick={() => setDeleted(tag)}>
                    <Trash2 />
                  </IconButton>
                )}
              </Box>
            ))}
          </Box>
          <Button
            startIcon={<Plus aria-hidden />}
            disabled={tags.length >= tagLimits.tags}
            onClick={() => setEdited('new')}
            sx={{ mt: 2 }}
          >
            New tag
          </Button>
        </DialogContent>
      </FormDialog>
      <FormDialog isOpen={edited !== undefined} onClose={() => setEdited(undefined)} width={400}>
        <TagForm
          tag={edited === 'new' ? undefined : edited}
          tags={tags}
          onClose={() => setEdited(undefined)}
        />
      </FormDialog>
      <DeleteTagDialog
        tag={deleted}
        onClose={(isDeleted) => {
          if (isDeleted && deleted) onDeleted(deleted.TagID);
          setDeleted(undefined);
        }}
      />
    </>
  );
}

function TagForm(props: { tag: Tag | undefined; tags: readonly Tag[]; onClose: () => void }) {
  const { tag, tags, onClose } = props;
  const client = useQueryClient();
  const add = useCall(addTag);
  const update = useCall(updateTag);
  const [name, setName] = useState(tag?.TagName ?? '');
  const [color, setColor] = useState(tag?.Color ?? freeColor(tags));
  const [error, setError] = useState<string>();
  const submit = async () => {
    const body = { TagName: name, Color: color };
    try {
      if (tag) await update.mutateAsync({ params: { TagID: tag.TagID }, body });
      else await add.mutateAsync({ body });
      const keys = [listTags.path, listConversations.path];
      await Promise.all(keys.map((path) => client.invalidateQueries({ queryKey: [path] })));
      onClose();
    } catch (refusal) {
      const generic = tag ? 'There was an error updating your tag.' : 'There was an error adding your tag.';
      setError(fieldMessages(refusal).TagName ?? shownMessage(refusal, generic));
    }
  };
  return (
    <DialogForm
      title={tag ? 'Name and color' : 'New tag'}
      action={tag ? 'Save' : 'Create tag'}
      isDisabled={add.isPending || update.isPending}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextField
        autoFocus
        label="Tag name"
        autoComplete="off"
        value={name}
        error={error}
        onChange={(event) => {
          setName(event.target.value);
          setError(undefined);
        }}
        slotProps={{ input: { maxLength: tagLimits.name } }}
      />
      <ColorField value={color} onChange={setColor} />
    </DialogForm>
  );
}

/** Confirms, because deleting a tag can't be undone. */
function DeleteTagDialog({ tag, onClose }: { tag: Tag | undefined; onClose: (isDeleted: boolean) => void }) {
  const client = useQueryClient();
  const { mutateAsync, isPending } = useCall(deleteTag);
  const confirm = async () => {
    if (!tag) return;
    try {
      await mutateAsync({ params: { TagID: tag.TagID } });
      onClose(true);
      const keys = [listTags.path, listConversations.path];
      await Promise.all(keys.map((path) => client.invalidateQueries({ queryKey: [path] })));
    } catch (error) {
      showSnackbar(shownMessage(error, 'There was an error deleting your tag.'));
    }
  };
  return (
    <Dialog
      open={tag !== undefined}
      onClose={() => onClose(false)}
      maxWidth={false}
      aria-describedby="delete-tag-words"
      slotProps={{ paper: { sx: { width: 440 } } }}
    >
      <DialogTitle>Delete {tag?.TagName}?</DialogTitle>
      <DialogContent id="delete-tag-words" sx={{ color: 'text.secondary' }}>
        This removes the tag from all conversations and can’t be undone. The conversations themselves don’t
        change.
      </DialogContent>
      <DialogActions>
        <Button variant="text" autoFocus onClick={() => onClose(false)}>
          Cancel
        </Button>
        <Button variant="contained" color="error" disabled={isPending} onClick={() => void confirm()}>
          Delete
        </Button>
      </DialogActions>
    </Dialog>
  );
}
