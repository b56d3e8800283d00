import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useQueryClient } from '@tanstack/react-query';
import {
  ArrowRightLeft,
  Lock,
  type LucideIcon,
  Pencil,
  Trash2,
  UserRoundCheck,
  UserRoundX,
} from 'lucide-react';
import { useState } from 'react';
import { deleteNote, listNotes, updateNote } from '../../../contract/addresses/conversations.gen.ts';
import { type Note, noteLength } from '../../../contract/notes.ts';
import { fieldMessages } from '../../api.ts';
import { useCall } from '../../queries/calls.ts';
import { useTimeZone, useUser } from '../../queries/current-user.ts';
import { TextField } from '../../ui/field.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { formatAbsolute, formatTime } from '../../ui/format.ts';
import { say } from '../../ui/say.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';

interface NoteItemProps {
  conversationId: number;
  note: Note;
}

/** Team notes and actions on the conversation: never sent, and never shown like a text. */
export function NoteItem({ conversationId, note }: NoteItemProps) {
  return note.Kind === 'note' ? (
    <WrittenNote conversationId={conversationId} note={note} />
  ) : (
    <DoneLine note={note} kind={note.Kind} />
  );
}

function WrittenNote({ conversationId, note }: NoteItemProps) {
  const zone = useTimeZone();
  const userId = useUser()?.UserID;
  const [asked, setAsked] = useState<'edit' | 'delete'>();
  const close = () => setAsked(undefined);
  const { CreateTimestamp, EditTimestamp, User } = note;
  return (
    <Box
      component="li"
      data-item={`n${note.NoteID}`}
      sx={{ listStyle: 'none', display: 'flex', justifyContent: 'flex-end' }}
    >
      <Box
        sx={{
          maxWidth: 'min(460px, 86cqw)',
          minWidth: 'min(240px, 86cqw)',
          border: '1px dashed',
          borderColor: 'tint.warningLine',
          borderRadius: '10px',
          bgcolor: 'tint.warning',
          color: 'text.primary',
        }}
      >
        <Box
          sx={{
            display: 'flex',
            alignItems: 'center',
            gap: '6px',
            pl: '12px',
            pr: '4px',
            minHeight: 28,
            typography: 'caption',
            color: 'text.secondary',
          }}
        >
          <Box component={Lock} size={13} strokeWidth={2} aria-hidden sx={{ flex: 'none' }} />
          <Box component="span" sx={{ flex: 1, py: '4px' }}>
            Note by {User.UserID === userId ? 'you' : User.Name} ·{' '}
            <time
              dateTime={CreateTimestamp}
              title={formatAbsolute(CreateTimestamp, zone)}
              style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}
            >
              {formatTime(CreateTimestamp, zone)}
            </time>
            {EditTimestamp && <span title={`Edited ${formatAbsolute(EditTimestamp, zone)}`}> · edited</span>}
          </Box>
          {!note.ReadOnly && (
            <>
              <Tooltip title="Edit note">
                <IconButton size="small" aria-label="Edit note" onClick={() => setAsked('edit')}>
                  <Pencil />
                </IconButton>
              </Tooltip>
              <Tooltip title="Delete note">
                <IconButton size="small" aria-label="Delete note" onClick={() => setAsked('delete')}>
                  <Trash2 />
                </IconButton>
              </Tooltip>
            </>
          )}
        </Box>
        <Box sx={{ px: '12px', pb: '9px', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {note.Note}
        </Box>
      </Box>
      <FormDialog isOpen={asked === 'edit'} onClose={close} width={480} isKeptOnClickBeside>
        <EditNote conversationId={conversationId} note={note} onClose={close} />
      </FormDialog>
      <DeleteNote isOpen={asked === 'delete'} conversationId={conversationId} note={note} onClose={close} />
    </Box>
  );
}

function useFreshenNotes(conversationId: number): () => void {
  const client = useQueryClient();
  return () =>
    void client.invalidateQueries({ queryKey: [listNotes.path, { ConversationID: conversationId }] });
}

function EditNote({ conversationId, note, onClose }: NoteItemProps & { onClose: () => void }) {
  const freshen = useFreshenNotes(conversationId);
  const update = useCall(updateNote);
  const [text, setText] = useState(note.Note);
  const [error, setError] = useState<string>();
  const save = async () => {
    try {
      const params = { ConversationID: conversationId, NoteID: note.NoteID };
      await update.mutateAsync({ params, body: { Note: text } });
      freshen();
      onClose();
    } catch (problem) {
      setError(fieldMessages(problem).Note ?? 'There was an error updating your note.');
    }
  };
  return (
    <DialogForm
      title="Edit note"
      action="Save"
      isDisabled={update.isPending}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <TextField
        label="Note"
        help="Only your team sees it."
        multiline
        autoFocus
        minRows={3}
        maxRows={12}
        value={text}
        error={error}
        slotProps={{ input: { maxLength: noteLength } }}
        onChange={(event) => {
          setText(event.target.value);
          setError(undefined);
        }}
      />
    </DialogForm>
  );
}

function DeleteNote(props: NoteItemProps & { isOpen: boolean; onClose: () => void }) {
  const { isOpen, conversationId, note, onClose } = props;
  const freshen = useFreshenNotes(conversationId);
  const remove = useCall(deleteNote, {
    onSuccess: freshen,
    onError: () => showSnackbar('There was an error deleting your note.'),
    onSettled: onClose,
  });
  return (
    <Dialog open={isOpen} onClose={onClose} maxWidth="xs">
      <DialogTitle>Delete this note?</DialogTitle>
      <DialogContent>This deletes it for everyone and can’t be undone.</DialogContent>
      <DialogActions>
        <Button variant="text" onClick={onClose}>
          Cancel
        </Button>
        <Button
          variant="contained"
          color="error"
          disabled={remove.isPending}
          onClick={() => remove.mutate({ params: { ConversationID: conversationId, NoteID: note.NoteID } })}
        >
          Delete
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const glyphs: Record<Exclude<Note['Kind'], 'note'>, LucideIcon> = {
  assigned: UserRoundCheck,
  unassigned: UserRoundX,
  moved: ArrowRightLeft,
};

/** "Dana Whitfield assigned this to Marcus Bell · 10:41 AM" */
function DoneLine({ note, kind }: { note: Note; kind: Exclude<Note['Kind'], 'note'> }) {
  const zone = useTimeZone();
  const userId = useUser()?.UserID;
  const Glyph = glyphs[kind];
  return (
    <Box
      component="li"
      data-item={`n${note.NoteID}`}
      sx={{
        listStyle: 'none',
        display: 'flex',
        justifyContent: 'center',
        alignItems: 'center',
        gap: '6px',
        px: 2,
        textAlign: 'center',
        typography: 'caption',
        color: 'text.secondary',
      }}
    >
      <Box component={Glyph} size={13} strokeWidth={2} aria-hidden sx={{ flex: 'none' }} />
      <span>
        {doneWords(note, userId)}
        {' · '}
        <time
          dateTime={note.CreateTimestamp}
          title={formatAbsolute(note.CreateTimestamp, zone)}
          style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}
        >
          {formatTime(note.CreateTimestamp, zone)}
        </time>
      </span>
    </Box>
  );
}

/** The action in a sentence. */
function doneWords({ Kind, Note: words, User, AssignedTo }: Note, ownId: number | undefined): string {
  const who = User.UserID === ownId ? say('You') : User.Name;
  // The server says it as "From Main office to Transportation".
  if (Kind === 'moved') {
    const where = words.charAt(0).toLowerCase() + words.slice(1);
    return where === ''
      ? `${who} moved this conversation to another text number`
      : `${who} moved this conversation ${where}`;
  }
  if (Kind === 'unassigned' || !AssignedTo) return `${who} removed the assignment`;
  if (AssignedTo.UserID === User.UserID) return `${who} took this conversation`;
  return AssignedTo.UserID === ownId
    ? `${who} assigned this to you`
    : `${who} assigned this to ${AssignedTo.Name}`;
}
