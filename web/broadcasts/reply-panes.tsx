import Box from '@mui/material/Box';
import type { Theme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import type { SxProps } from '@mui/system';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { RouterButton } from '../ui/router-button.tsx';

interface PaneProps {
  label: string;
  children: ReactNode;
}

/** The list on the left, or the whole page on a narrow screen. */
export function ListPane({ label, isOnePane, children }: PaneProps & { isOnePane: boolean }) {
  return (
    <Box
      component="section"
      aria-label={label}
      sx={{
        width: isOnePane ? '100%' : { xs: 320, md: 344 },
        flex: 'none',
        minHeight: 0,
        display: 'flex',
        flexDirection: 'column',
        borderRight: isOnePane ? 0 : '1px solid',
        borderColor: 'line.hair',
      }}
    >
      {children}
    </Box>
  );
}

/** The open item, beside the list. */
export function OpenPane({ label, children }: PaneProps) {
  return (
    <Box
      component="section"
      aria-label={label}
      sx={{ flex: 1, minWidth: 0, minHeight: 0, display: 'flex', flexDirection: 'column' }}
    >
      {children}
    </Box>
  );
}

interface ListHeadProps {
  broadcastId: number;
  title: string;
  /** The broadcast's name. */
  name: string;
  children?: ReactNode;
}

/** The way back to the results, the title of the list, and its actions. */
export function ListHead({ broadcastId, title, name, children }: ListHeadProps) {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minHeight: 60, px: 2 }}>
      <RouterButton
        to="/broadcast-details/$broadcastId/$sub"
        params={{ broadcastId, sub: 'replied' }}
        search={{}}
        variant="text"
        aria-label="Back to results"
        sx={backLook}
      >
        <BackIcon />
      </RouterButton>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="h1" noWrap sx={{ fontSize: 18, lineHeight: '24px', letterSpacing: '-0.015em' }}>
          {title}
        </Typography>
        <Typography variant="body2" component="div" noWrap sx={{ color: 'text.secondary' }}>
          {name}
        </Typography>
      </Box>
      {children}
    </Box>
  );
}

export const backLook = { width: 32, px: 0, ml: '-6px', flex: 'none' } as const;

export function BackIcon() {
  return <ArrowLeft size={18} strokeWidth={1.75} aria-hidden />;
}

/** A row of the list that links to its item. */
export function listRowLook(isOpen: boolean, minHeight: number) {
  return {
    display: 'flex',
    alignItems: 'center',
    gap: 1.5,
    minHeight,
    px: 2,
    borderBottom: '1px solid',
    borderColor: 'line.hair',
    color: 'text.primary',
    textDecoration: 'none',
    bgcolor: isOpen ? 'surface.selected' : 'transparent',
    boxShadow: isOpen ? 'inset 3px 0 0 var(--mui-palette-primary-main)' : 'none',
    '&:hover': { bgcolor: isOpen ? 'surface.selected' : 'surface.sunken' },
    '&:focus-visible': { outlineOffset: '-2px' },
  } as const satisfies SxProps<Theme>;
}
