import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { ChevronRight, Clock, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useDraftStore } from '../../queries/drafts.ts';
import { NEW_CONVERSATION, type NewConversation } from '../../queries/new-conversation.ts';
import { countOf } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { say } from '../../ui/say.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { type Beginning, isBeginning, labelOf } from '../thread/begin-conversation.ts';
import { canBeTriedAgain, type Outbox } from '../thread/outbox.ts';
import { useOutbox } from '../thread/stores.ts';

const stateWords: Record<Beginning['state'], string> = {
  sending: say('Sending'),
  waiting: 'Waiting for a connection',
  failed: 'Not sent',
  overtaken: 'Not sent',
};

interface BeginningsProps {
  /** The compose window is open, and says itself that it is sending. */
  isComposing: boolean;
  /** Opens the compose window; the text is in its draft. */
  onEdit: (written: NewConversation) => void;
}

/** Texts to somebody new that the server doesn't have yet. They have no conversation in which they could show. */
export function Beginnings({ isComposing, onEdit }: BeginningsProps) {
  const { outbox, entries } = useOutbox();
  const [openKey, setOpenKey] = useState<string>();
  const shown = entries
    .filter(isBeginning)
    .filter(({ state }) => !isComposing || state !== 'sending')
    // Whatever needs somebody comes first.
    .sort((a, b) => Number(b.state === 'failed') - Number(a.state === 'failed'));
  const opened = shown.find(({ key }) => key === openKey);
  if (shown.length === 0) return null;
  return (
    <>
      <Box
        component="ul"
        aria-label="Not sent yet"
        sx={{
          m: 0,
          p: 0,
          flex: 'none',
          listStyle: 'none',
          maxHeight: 168,
          overflowY: 'auto',
          bgcolor: 'surface.sunken',
          borderTop: '1px solid',
          borderColor: 'line.hair',
        }}
      >
        {shown.map((entry) => (
          <li key={entry.key}>
            <BeginningRow entry={entry} onOpen={() => setOpenKey(entry.key)} />
          </li>
        ))}
      </Box>
      {opened && (
        <BeginningDialog
          entry={opened}
          outbox={outbox}
          onEdit={onEdit}
          onClose={() => setOpenKey(undefined)}
        />
      )}
    </>
  );
}

function BeginningRow({ entry, onOpen }: { entry: Beginning; onOpen: () => void }) {
  const { state, begins, text } = entry;
  const hasFailed = state === 'failed';
  const Glyph = hasFailed ? TriangleAlert : Clock;
  return (
    <ButtonBase
      onClick={onOpen}
      sx={{
        width: '100%',
        minHeight: 56,
        px: 2,
        py: '6px',
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        textAlign: 'left',
        '&:hover': { bgcolor: 'surface.hover' },
        '&.Mui-focusVisible': { outlineOffset: -2 },
      }}
    >
      <Box
        component="span"
        sx={{ color: hasFailed ? 'error.main' : 'text.secondary', display: 'inline-flex' }}
      >
        <Glyph size={16} strokeWidth={1.75} aria-hidden />
      </Box>
      <Box component="span" sx={{ flex: 1, minWidth: 0 }}>
        <Typography component="span" noWrap sx={{ display: 'block', fontWeight: 550 }}>
          {begins.recipients.map(labelOf).join(', ')}
        </Typography>
        <Typography
          component="span"
          variant="body2"
          noWrap
          sx={{ display: 'block', color: 'text.secondary' }}
        >
          {stateWords[state]} · {text || 'Picture'}
        </Typography>
      </Box>
      <ChevronRight size={16} strokeWidth={1.75} aria-hidden />
    </ButtonBase>
  );
}

interface BeginningDialogProps {
  entry: Beginning;
  outbox: Outbox;
  onEdit: (written: NewConversation) => void;
  onClose: () => void;
}

function BeginningDialog({ entry, outbox, onEdit, onClose }: BeginningDialogProps) {
  const { key, state, begins, text, pictures, reason } = entry;
  const names = begins.recipients.map(labelOf).join(', ');
  const drafts = useDraftStore();
  const takeBack = async (): Promise<boolean> => {
    onClose();
    const isThere = await outbox.withdraw(key);
    if (!isThere) showSnackbar('The text has been sent meanwhile.');
    return isThere;
  };
  const edit = async () => {
    if (!(await takeBack())) return;
    const keepsCharacters = entry.keepsCharacters ?? false;
    const before = drafts.get(NEW_CONVERSATION);
    drafts.set(NEW_CONVERSATION, {
      text: [text, before.text].filter((part) => part !== '').join('\n'),
      pictures: [...pictures, ...before.pictures],
      keepsCharacters,
    });
    onEdit({ ...begins, text, pictures, keepsCharacters, hasSignature: entry.hasSignature });
  };
  return (
    <Dialog open onClose={onClose} maxWidth={false} slotProps={{ paper: { sx: { width: 440 } } }}>
      <DialogTitle>{stateWords[state]}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 1.5, overflowWrap: 'anywhere' }}>
        {state === 'failed' ? (
          <Notice kind="error">
            <Box component="span" sx={{ whiteSpace: 'pre-line' }}>
              {reason || 'There was an error sending your message.'}
            </Box>
          </Notice>
        ) : (
          state === 'waiting' && (
            <Typography sx={{ color: 'text.secondary' }}>
              It goes out when the connection is back, for half an hour. Later, you are asked first.
            </Typography>
          )
        )}
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          To {names}
        </Typography>
        {text !== '' && <Typography sx={{ whiteSpace: 'pre-wrap' }}>{text}</Typography>}
        {pictures.length > 0 && (
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {countOf(pictures.length, 'picture', 'pictures')}
          </Typography>
        )}
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap' }}>
        <Button variant="text" color="error" onClick={() => void takeBack()}>
          Delete
        </Button>
        <Box sx={{ flex: 1 }} />
        <Button variant="outlined" onClick={() => void edit()}>
          Edit
        </Button>
        {state === 'failed' && canBeTriedAgain(entry, Date.now()) ? (
          <Button
            variant="contained"
            color="primary"
            autoFocus
            onClick={() => {
              onClose();
              void outbox.tryAgain(key);
            }}
          >
            Try again
          </Button>
        ) : (
          <Button variant="text" autoFocus onClick={onClose}>
            Close
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
