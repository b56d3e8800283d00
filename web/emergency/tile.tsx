import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';

interface TileProps {
  role: 'radio' | 'checkbox';
  title: string;
  /** One line below the title, or a figure. */
  note?: string | undefined;
  isChosen: boolean;
  onPress: () => void;
}

/** A choice as large as a thumb. */
export function Tile({ role, title, note, isChosen, onPress }: TileProps) {
  return (
    <ButtonBase
      role={role}
      aria-checked={isChosen}
      onClick={onPress}
      sx={{
        fontFamily: 'inherit',
        minHeight: 56,
        px: 1.75,
        py: 1,
        gap: 1.25,
        justifyContent: 'flex-start',
        textAlign: 'left',
        borderRadius: '12px',
        border: '1px solid',
        borderColor: isChosen ? 'error.main' : 'line.strong',
        boxShadow: (theme) => (isChosen ? `inset 0 0 0 1px ${theme.vars.palette.error.main}` : 'none'),
        bgcolor: isChosen ? 'tint.error' : 'background.paper',
        '&:hover': { bgcolor: isChosen ? 'tint.error' : 'surface.hover' },
      }}
    >
      <Box
        aria-hidden
        sx={{
          width: 22,
          height: 22,
          flex: 'none',
          display: 'grid',
          placeItems: 'center',
          borderRadius: role === 'radio' ? '50%' : '6px',
          border: '1.5px solid',
          borderColor: isChosen ? 'error.main' : 'line.strong',
          bgcolor: isChosen ? 'error.main' : 'transparent',
          color: 'error.contrastText',
        }}
      >
        {isChosen && <Check size={14} strokeWidth={3} />}
      </Box>
      <Box component="span" sx={{ minWidth: 0, flex: 1 }}>
        <Box component="span" sx={{ display: 'block', fontWeight: 580, fontSize: 16 }}>
          {title}
        </Box>
        {note && (
          <Box component="span" sx={{ display: 'block', typography: 'body2', color: 'text.secondary' }}>
            {note}
          </Box>
        )}
      </Box>
    </ButtonBase>
  );
}

/** Tiles in one column on a phone, in two where there is room. */
export function Tiles({
  children,
  ...aria
}: {
  role: string;
  'aria-labelledby': string;
  children: ReactNode;
}) {
  return (
    <Box
      {...aria}
      sx={{
        display: 'grid',
        gap: 1,
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
      }}
    >
      {children}
    </Box>
  );
}
