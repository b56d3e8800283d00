import type { Theme } from '@mui/material/styles';
import { ChevronDown } from 'lucide-react';
import { timing } from '../../contract/reference/limits.ts';
import { say } from '../ui/say.ts';
import type { ThemeComponents } from './components.tsx';
import { SNACKBAR_MS } from './snackbar-ms.ts';

/** A sheet with choices, above the page. */
function raised(theme: Theme) {
  return {
    borderRadius: 10,
    backgroundColor: theme.vars.palette.surface.raised,
    border: `1px solid ${theme.vars.palette.line.hair}`,
    boxShadow: theme.shadows[2],
  };
}

/** Elements that float over the page. */
export const floating: ThemeComponents = {
  MuiBackdrop: {
    styleOverrides: { root: { '&:not(.MuiBackdrop-invisible)': { backgroundColor: 'rgba(10,22,20,.42)' } } },
  },
  MuiDialog: {
    defaultProps: { transitionDuration: { enter: 200, exit: 140 } },
    styleOverrides: {
      paper: ({ theme }) => ({
        borderRadius: 14,
        boxShadow: theme.shadows[4],
        border: `1px solid ${theme.vars.palette.line.hair}`,
        '&.MuiDialog-paperFullScreen': { borderRadius: 0, border: 0 },
        '@media (max-width: 639.95px)': {
          '&:not(.MuiDialog-paperFullScreen)': { margin: 16, maxWidth: 'calc(100% - 32px)' },
        },
      }),
    },
  },
  MuiDialogTitle: {
    styleOverrides: { root: ({ theme }) => ({ ...theme.typography.h1, padding: '24px 32px 4px' }) },
  },
  MuiDialogContent: { styleOverrides: { root: { padding: '12px 32px 24px' } } },
  MuiDialogActions: {
    styleOverrides: {
      root: { padding: '0 32px 24px', gap: 8, '& > :not(style) ~ :not(style)': { marginLeft: 0 } },
    },
  },
  MuiDrawer: { defaultProps: { transitionDuration: { enter: 200, exit: 140 } } },
  MuiMenu: {
    defaultProps: { transitionDuration: 160 },
    styleOverrides: {
      paper: ({ theme }) => raised(theme),
      list: { padding: 4 },
    },
  },
  MuiMenuItem: {
    styleOverrides: {
      root: ({ theme }) => ({
        minHeight: 36,
        borderRadius: 8,
        padding: '6px 10px',
        gap: 10,
        ...theme.typography.body1,
        // Not surface.hover, which is the sheet's own color in dark mode.
        '&:hover, &.Mui-focusVisible': { backgroundColor: theme.vars.palette.surface.press },
        '&.Mui-focusVisible': { outlineOffset: -2 },
        '&.Mui-selected, &.Mui-selected:hover': { backgroundColor: theme.vars.palette.surface.selected },
        '& > svg': {
          width: 16,
          height: 16,
          strokeWidth: 1.75,
          color: theme.vars.palette.ink.two,
          flex: 'none',
        },
      }),
    },
  },
  MuiAutocomplete: {
    defaultProps: {
      popupIcon: <ChevronDown size={16} strokeWidth={1.75} aria-hidden />,
      // MUI's own words are English in every language.
      clearText: say('Clear'),
      openText: say('Open'),
      closeText: say('Close'),
      noOptionsText: 'Nothing found',
    },
    styleOverrides: {
      // The larger buttons of phones would cover the text.
      root: { '& .MuiAutocomplete-endAdornment button': { width: 28, height: 28 } },
      paper: ({ theme }) => ({ ...raised(theme), margin: '4px 0' }),
      listbox: ({ theme }) => ({
        padding: 4,
        '& .MuiAutocomplete-option': {
          borderRadius: 8,
          padding: '6px 10px',
          [theme.breakpoints.up('sm')]: { minHeight: 36 },
          '&.Mui-focused, &.Mui-focusVisible': { backgroundColor: theme.vars.palette.surface.press },
          // Still readable, because it says why it can't be chosen.
          '&[aria-disabled="true"]': { opacity: 0.65 },
        },
      }),
    },
  },
  MuiTooltip: {
    defaultProps: {
      enterDelay: timing.tooltip.enterMs,
      enterTouchDelay: timing.tooltip.touchMs,
      leaveTouchDelay: timing.tooltip.leaveTouchMs,
      arrow: false,
      disableInteractive: false,
    },
    styleOverrides: {
      tooltip: ({ theme }) => ({
        ...theme.typography.caption,
        maxWidth: 260,
        borderRadius: 7,
        padding: '6px 9px',
        color: theme.vars.palette.tip.text,
        backgroundColor: theme.vars.palette.tip.back,
        border: `1px solid ${theme.vars.palette.tip.edge}`,
      }),
    },
  },
  MuiSnackbar: {
    defaultProps: {
      anchorOrigin: { vertical: 'bottom', horizontal: 'left' },
      autoHideDuration: SNACKBAR_MS,
    },
    styleOverrides: { root: { '&.MuiSnackbar-anchorOriginBottomLeft': { left: 16, bottom: 16 } } },
  },
  MuiSnackbarContent: {
    styleOverrides: {
      root: ({ theme }) => ({
        ...theme.typography.body1,
        borderRadius: 10,
        padding: '6px 8px 6px 16px',
        color: theme.vars.palette.tip.text,
        backgroundColor: theme.vars.palette.tip.back,
        border: `1px solid ${theme.vars.palette.tip.edge}`,
        boxShadow: theme.shadows[3],
      }),
      action: ({ theme }) => ({ color: theme.vars.palette.tip.action, marginRight: 0 }),
    },
  },
};
