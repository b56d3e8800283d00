import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Dialog from '@mui/material/Dialog';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import IconButton from '@mui/material/IconButton';
import { X } from 'lucide-react';
import { memo, useEffect, useRef } from 'react';
import { KeyCap } from './key-cap.tsx';

/** Keys and their effect. */
export type ExplainedKeys = readonly (readonly [keys: readonly string[], does: string])[];

/** True if the focused element handles the key: the user is typing, or a dialog or menu is open. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
    return true;
  const target = event.target instanceof Element ? event.target : undefined;
  if (target?.closest('input:not([type=checkbox]), textarea, select, [contenteditable=true]')) return true;
  return document.querySelector('.MuiDialog-root, .MuiPopover-root') !== null;
}

/** The page's shortcuts, by KeyboardEvent.key. Handlers always see the latest render. */
export function useKeys(actions: Record<string, () => void>): void {
  const newest = useRef(actions);
  newest.current = actions;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isTaken(event) || !Object.hasOwn(newest.current, event.key)) return;
      event.preventDefault();
      newest.current[event.key]?.();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

interface KeyStripProps {
  hints: ExplainedKeys;
  height: 36 | 48;
  onShowAll: () => void;
}

const hintHeight = 24;

/** The most used shortcuts at the bottom of a column, with a link to all. Hidden without a keyboard. */
export const KeyStrip = memo(function KeyStrip({ hints, height, onShowAll }: KeyStripProps) {
  return (
    <Box
      sx={{
        display: { xs: 'none', tablet: 'flex' },
        '@media (hover: none)': { display: 'none' },
        alignItems: 'center',
        gap: 1.5,
        height,
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
      {/* A hint without room is left out whole: it wraps into a second line, which isn't shown. */}
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          columnGap: 1.5,
          height: hintHeight,
          minWidth: 0,
          overflow: 'hidden',
        }}
      >
        {hints.map(([keys, does]) => (
          <Hint key={does} keys={keys} does={does} />
        ))}
      </Box>
      <ButtonBase
        onClick={onShowAll}
        sx={{ flex: 'none', typography: 'caption', color: 'text.secondary', borderRadius: '5px' }}
      >
        <Hint keys={['?']} does="all shortcuts" />
      </ButtonBase>
    </Box>
  );
});

function Hint({ keys, does }: { keys: readonly string[]; does: string }) {
  return (
    <Box
      component="span"
      sx={{ display: 'inline-flex', alignItems: 'center', gap: '6px', height: hintHeight }}
    >
      {keys.map((key) => (
        <KeyCap key={key}>{key}</KeyCap>
      ))}
      {does}
    </Box>
  );
}

interface KeysDialogProps {
  isOpen: boolean;
  keys: ExplainedKeys;
  onClose: () => void;
}

export const KeysDialog = memo(function KeysDialog({ isOpen, keys: explained, onClose }: KeysDialogProps) {
  return (
    <Dialog open={isOpen} onClose={onClose}>
      <Box sx={{ display: 'flex', alignItems: 'flex-start' }}>
        <DialogTitle sx={{ flex: 1 }}>Keyboard shortcuts</DialogTitle>
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
});
