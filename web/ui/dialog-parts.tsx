/** The parts of a large dialog: a head with a close button, a scrolling body, a fixed foot and an optional side. */

import Box from '@mui/material/Box';
import DialogTitle from '@mui/material/DialogTitle';
import IconButton from '@mui/material/IconButton';
import type { SxProps, Theme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { footRef } from './foot-height.ts';
import {
  DialogButtons,
  type DialogButtonsProps,
  DialogWords,
  type DialogWordsProps,
  SIDE_WIDTH,
} from './form-dialog.tsx';

export function DialogHead({ title, onClose }: { title: string; onClose: () => void }) {
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        pl: { xs: 2, sm: 4 },
        pr: { xs: 1, sm: 3 },
        pt: { xs: 1, sm: 2.5 },
      }}
    >
      <DialogTitle sx={{ flex: 1, p: 0 }}>{title}</DialogTitle>
      <IconButton aria-label="Close" onClick={onClose}>
        <X />
      </IconButton>
    </Box>
  );
}

type DialogBodyProps = DialogWordsProps & {
  /** The gap between fields, in steps of 8 px. */
  gap: number;
  children: ReactNode;
};

export function DialogBody({ gap, intro, problem, children }: DialogBodyProps) {
  return (
    <Box
      sx={{
        flex: 1,
        minHeight: 0,
        overflowY: 'auto',
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr)',
        alignContent: 'start',
        gap,
        px: { xs: 2, sm: 4 },
        // A sentence moves closer to the title above it.
        pt: intro ? 1 : 2.5,
        pb: 2.5,
      }}
    >
      <DialogWords intro={intro} problem={problem} />
      {children}
    </Box>
  );
}

export function DialogFoot(buttons: DialogButtonsProps) {
  // On a phone the dialog fills the screen, and its buttons take the snackbar's place.
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down('sm'));
  return (
    <Box
      ref={isPhone ? footRef : undefined}
      sx={{
        display: 'flex',
        justifyContent: 'flex-end',
        gap: 1,
        px: { xs: 2, sm: 4 },
        py: { xs: 1.5, sm: 2 },
        borderTop: '1px solid',
        borderColor: 'line.hair',
      }}
    >
      <DialogButtons {...buttons} />
    </Box>
  );
}

/** The sunken side at the right. */
export function DialogSide({ sx, children }: { sx: SxProps<Theme>; children: ReactNode }) {
  return (
    <Box
      sx={[
        {
          width: SIDE_WIDTH,
          flex: 'none',
          overflowY: 'auto',
          bgcolor: 'surface.sunken',
          borderLeft: '1px solid',
          borderColor: 'line.hair',
        },
        ...(Array.isArray(sx) ? sx : [sx]),
      ]}
    >
      {children}
    </Box>
  );
}
