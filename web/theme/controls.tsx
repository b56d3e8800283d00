import { Check, ChevronDown, Minus } from 'lucide-react';
import type { ThemeComponents } from './components.tsx';

const box = {
  width: 18,
  height: 18,
  borderRadius: 5,
  display: 'grid',
  placeItems: 'center',
  flex: 'none',
} as const;

function EmptyBox() {
  return (
    <span
      style={{
        ...box,
        border: '1px solid var(--mui-palette-line-input)',
        background: 'var(--mui-palette-surface-raised)',
      }}
    />
  );
}

function FilledBox({ glyph: Glyph }: { glyph: typeof Check }) {
  return (
    <span
      style={{
        ...box,
        background: 'var(--mui-palette-primary-main)',
        color: 'var(--mui-palette-primary-contrastText)',
      }}
    >
      <Glyph size={13} strokeWidth={3} aria-hidden />
    </span>
  );
}

/** Buttons, checkboxes and fields. */
export const controls: ThemeComponents = {
  MuiButtonBase: {
    defaultProps: { disableRipple: true },
    styleOverrides: {
      root: ({ theme }) => ({
        '&.Mui-focusVisible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 2 },
      }),
    },
  },
  MuiButton: {
    defaultProps: { variant: 'outlined', disableElevation: true, color: 'inherit' },
    styleOverrides: {
      root: ({ theme }) => ({
        height: 36,
        minWidth: 0,
        padding: '0 14px',
        borderRadius: 8,
        gap: 7,
        whiteSpace: 'nowrap',
        transitionDuration: '80ms',
        variants: [
          {
            props: { size: 'small' },
            style: { height: 30, padding: '0 10px', ...theme.typography.body2, fontWeight: 550 },
          },
          { props: { size: 'large' }, style: { height: 44, padding: '0 18px', fontSize: '0.9375rem' } },
          {
            props: { variant: 'outlined', color: 'inherit' },
            style: {
              color: theme.vars.palette.ink.one,
              borderColor: theme.vars.palette.line.strong,
              backgroundColor: theme.vars.palette.surface.raised,
              '&:hover': {
                backgroundColor: theme.vars.palette.surface.sunken,
                borderColor: theme.vars.palette.line.strong,
              },
              '&:active': { backgroundColor: theme.vars.palette.surface.press },
            },
          },
          {
            props: { variant: 'outlined', color: 'error' },
            style: {
              borderColor: theme.vars.palette.tint.errorLine,
              '&:hover': {
                backgroundColor: theme.vars.palette.tint.error,
                borderColor: theme.vars.palette.tint.errorLine,
              },
            },
          },
          {
            props: { variant: 'text' },
            style: { '&:hover': { backgroundColor: theme.vars.palette.surface.hover } },
          },
          { props: { variant: 'text', color: 'inherit' }, style: { color: theme.vars.palette.ink.two } },
          {
            props: { variant: 'contained', color: 'primary' },
            style: { '&:hover': { backgroundColor: theme.vars.palette.primary.dark } },
          },
        ],
      }),
      startIcon: { margin: 0, '& > svg': { width: 16, height: 16, strokeWidth: 1.75 } },
      endIcon: { margin: 0, '& > svg': { width: 16, height: 16, strokeWidth: 1.75 } },
    },
  },
  MuiIconButton: {
    defaultProps: { color: 'inherit' },
    styleOverrides: {
      root: ({ theme }) => ({
        width: 32,
        height: 32,
        padding: 0,
        borderRadius: 8,
        color: theme.vars.palette.ink.two,
        '&:hover': { backgroundColor: theme.vars.palette.surface.hover },
        '&[aria-pressed="true"]': {
          backgroundColor: theme.vars.palette.tint.accent,
          color: theme.vars.palette.primary.main,
        },
        '& > svg': { width: 18, height: 18, strokeWidth: 1.75 },
        // As large as a thumb.
        '@media (max-width: 639.95px)': { width: 44, height: 44 },
        variants: [
          {
            props: { size: 'small' },
            style: { width: 28, height: 28, '& > svg': { width: 16, height: 16 } },
          },
        ],
      }),
    },
  },
  MuiFormLabel: {
    styleOverrides: {
      root: ({ theme }) => ({
        ...theme.typography.body2,
        fontWeight: 550,
        color: theme.vars.palette.ink.one,
        '&.Mui-focused, &.Mui-error': { color: theme.vars.palette.ink.one },
      }),
    },
  },
  MuiFormHelperText: {
    styleOverrides: {
      root: ({ theme }) => ({
        margin: '6px 0 0',
        ...theme.typography.caption,
        color: theme.vars.palette.ink.three,
      }),
    },
  },
  MuiFormControlLabel: {
    styleOverrides: {
      root: { marginLeft: 0, marginRight: 0, gap: 8 },
      label: ({ theme }) => ({ ...theme.typography.body1 }),
    },
  },
  MuiInputBase: {
    styleOverrides: {
      root: ({ theme }) => ({
        ...theme.typography.body1,
        // Below 16 px, a phone zooms into the field.
        '@media (max-width: 639.95px), (hover: none) and (pointer: coarse)': {
          fontSize: 16,
          lineHeight: '20px',
        },
      }),
      input: ({ theme }) => ({
        '&::placeholder': { color: theme.vars.palette.ink.three, opacity: 1 },
      }),
    },
  },
  MuiOutlinedInput: {
    defaultProps: { size: 'small', notched: false },
    styleOverrides: {
      root: ({ theme }) => ({
        minHeight: 36,
        borderRadius: 8,
        backgroundColor: theme.vars.palette.surface.raised,
        '& .MuiOutlinedInput-notchedOutline': {
          top: 0,
          borderColor: theme.vars.palette.line.input,
          '& legend': { display: 'none' },
        },
        '&:hover:not(.Mui-error, .Mui-disabled, .Mui-focused) .MuiOutlinedInput-notchedOutline': {
          borderColor: theme.vars.palette.ink.three,
        },
        '&.Mui-focused .MuiOutlinedInput-notchedOutline': { borderWidth: 1 },
        '&.Mui-focused': {
          boxShadow: `0 0 0 3px color-mix(in srgb, ${theme.vars.palette.primary.main} 18%, transparent)`,
        },
        '&.Mui-focused.Mui-error': {
          boxShadow: `0 0 0 3px color-mix(in srgb, ${theme.vars.palette.error.main} 18%, transparent)`,
        },
        '&.MuiInputBase-sizeLarge': { minHeight: 42 },
      }),
      input: { padding: '8px 12px', height: 'auto', '&:focus-visible': { outline: 'none' } },
      multiline: { padding: 0 },
    },
  },
  MuiNativeSelect: {
    styleOverrides: {
      icon: { width: 16, height: 16, top: 'calc(50% - 8px)', right: 10 },
    },
  },
  MuiSelect: {
    defaultProps: { IconComponent: ChevronDown },
    styleOverrides: {
      icon: ({ theme }) => ({
        width: 16,
        height: 16,
        top: 'calc(50% - 8px)',
        right: 10,
        color: theme.vars.palette.ink.two,
      }),
      select: { minHeight: 'auto', lineHeight: '20px' },
    },
  },
  MuiCheckbox: {
    defaultProps: {
      disableRipple: true,
      icon: <EmptyBox />,
      checkedIcon: <FilledBox glyph={Check} />,
      indeterminateIcon: <FilledBox glyph={Minus} />,
    },
    styleOverrides: { root: { width: 24, height: 24, padding: 3, borderRadius: 6 } },
  },
  MuiRadio: {
    defaultProps: { disableRipple: true, size: 'small' },
    styleOverrides: { root: { width: 24, height: 24, padding: 2 } },
  },
  MuiSwitch: {
    defaultProps: { disableRipple: true },
    styleOverrides: {
      root: { width: 34, height: 20, padding: 0 },
      switchBase: ({ theme }) => ({
        padding: 3,
        color: '#fff',
        '&.Mui-checked': { transform: 'translateX(14px)', color: theme.vars.palette.primary.contrastText },
        '&.Mui-checked + .MuiSwitch-track': { opacity: 1, backgroundColor: theme.vars.palette.primary.main },
      }),
      thumb: { width: 14, height: 14, boxShadow: 'none' },
      track: ({ theme }) => ({
        borderRadius: 10,
        opacity: 1,
        border: 0,
        backgroundColor: theme.vars.palette.line.input,
      }),
    },
  },
  MuiToggleButtonGroup: {
    styleOverrides: {
      root: ({ theme }) => ({
        padding: 3,
        gap: 2,
        borderRadius: 9,
        backgroundColor: theme.vars.palette.surface.press,
      }),
      grouped: { border: 0, borderRadius: '7px !important', margin: '0 !important' },
    },
  },
  MuiToggleButton: {
    styleOverrides: {
      root: ({ theme }) => ({
        height: 30,
        padding: '0 12px',
        gap: 7,
        textTransform: 'none',
        ...theme.typography.body2,
        fontWeight: 550,
        color: theme.vars.palette.ink.two,
        '&.Mui-selected, &.Mui-selected:hover': {
          color: theme.vars.palette.ink.one,
          backgroundColor: theme.vars.palette.background.paper,
          boxShadow: '0 1px 2px rgba(16,32,29,.1)',
        },
      }),
    },
  },
};
