import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Dialog from '@mui/material/Dialog';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import IconButton from '@mui/material/IconButton';
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { KeyCap } from '../ui/key-cap.tsx';

type ContactsKey = 'j' | 'k' | 'x' | 'n' | '/' | '?' | 'Escape';

const explained: readonly [keys: readonly string[], does: string][] = [
  [['j'], 'Next contact'],
  [['k'], 'Previous contact'],
  [['Enter'], 'Open it'],
  [['x'], 'Select it'],
  [['Shift', 'Space'], 'Select it, in the table'],
  [['Esc'], 'Select nothing, or leave the search'],
  [['n'], 'New contact'],
  [['/'], 'Search'],
  [['?'], 'Show these keys'],
];

/** Whether the key belongs to what has the focus: somebody types, or a dialog or menu is open. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
    return true;
  const target = event.target instanceof Element ? event.target : undefined;
  if (target?.closest('input:not([type=checkbox]), textarea, select, [contenteditable=true]')) return true;
  return document.querySelector('.MuiDialog-root, .MuiPopover-root') !== null;
}

/** The page's keys. Each gets the newest of what was rendered. */
export function useContactsKeys(actions: Record<ContactsKey, () => void>): void {
  const newest = useRef(actions);
  newest.current = actions;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isTaken(event) || !Object.hasOwn(newest.current, event.key)) return;
      event.preventDefault();
      newest.current[event.key as ContactsKey]();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** At the foot of the groups: the keys one uses most, and where the others are. */
export function KeyStrip({ onShowAll }: { onShowAll: () => void }) {
  return (
    <Box
      sx={{
        display: 'flex',
        '@media (hover: none)': { display: 'none' },
        alignItems: 'center',
        gap: 1.5,
        height: 48,
        px: 2,
        flex: 'none',
        borderTop: '1px solid',
        borderColor: 'line.hair',
        typography: 'caption',
        color: 'text.secondary',
        whiteSpace: 'nowrap',
        overflow: 'hidden',
      }}
    >
      <Hint keys={['j', 'k']}>move</Hint>
      <ButtonBase
        onClick={onShowAll}
        sx={{ typography: 'caption', color: 'text.secondary', borderRadius: '5px', minHeight: 24 }}
      >
        <Hint keys={['?']}>all keys</Hint>
      </ButtonBase>
    </Box>
  );
}

function Hint({ keys, children }: { keys: readonly string[]; children: string }) {
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: '5px' }}>
      {keys.map((key) => (
        <KeyCap key={key}>{key}</KeyCap>
      ))}
      {children}
    </Box>
  );
}

export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog open={isOpen} onClose={onClose} aria-labelledby="keys-title">
      <Box sx={{ display: 'flex', alignItems: 'flex-start' }}>
        <DialogTitle id="keys-title" sx={{ flex: 1 }}>
          Keys
        </DialogTitle>
        <IconButton aria-label="Close" onClick={onClose} sx={{ mt: 2.5, mr: 2.5 }}>
          <X />
        </IconButton>
      </Box>
      <DialogContent>
        <Box
          component="dl"
          sx={{ display: 'grid', gridTemplateColumns: 'auto 1fr', columnGap: 3, rowGap: 1.25, m: 0 }}
        >
          {explained.map(([keys, does]) => (
            <Box key={does} sx={{ display: 'contents' }}>
              <Box component="dt" sx={{ display: 'flex', gap: '4px', alignItems: 'center' }}>
                {keys.map((key) => (
                  <KeyCap key={key}>{key}</KeyCap>
                ))}
              </Box>
              <Box component="dd">{does}</Box>
            </Box>
          ))}
        </Box>
      </DialogContent>
    </Dialog>
  );
}
