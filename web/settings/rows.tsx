/** The rows of a settings card. */

import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import type { ReactNode } from 'react';

export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box component="ul" aria-label={label} sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {children}
    </Box>
  );
}

/** Text at the left, actions at the right. */
export function Row({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        // If several buttons would squeeze the words, they go below them.
        flexWrap: 'wrap',
        alignItems: 'flex-start',
        gap: 1.5,
        px: 2.5,
        py: 1.5,
        borderTop: '1px solid',
        borderColor: 'line.hair',
        '&:first-of-type': { borderTop: 0 },
      }}
    >
      <Box
        sx={{
          flex: '1 1 0',
          minWidth: { xs: actions ? 'min(180px, 100%)' : 0, sm: 0 },
          overflowWrap: 'anywhere',
        }}
      >
        {children}
      </Box>
      {actions && <Box sx={{ display: 'flex', gap: '4px', flex: 'none', ml: 'auto' }}>{actions}</Box>}
    </Box>
  );
}

interface RowButtonProps {
  /** The action and its target: "Delete BUS". */
  label: string;
  /** The action. */
  tip: string;
  isPressed?: boolean;
  onPress: () => void;
  children: ReactNode;
}

export function RowButton({ label, tip, isPressed, onPress, children }: RowButtonProps) {
  return (
    <Tooltip title={tip}>
      <IconButton
        aria-label={label}
        {...(isPressed === undefined ? {} : { 'aria-pressed': isPressed })}
        onClick={onPress}
      >
        {children}
      </IconButton>
    </Tooltip>
  );
}
