import type { Components, CssVarsTheme, Theme } from '@mui/material/styles';
import { controls } from './controls.tsx';
import { floating } from './floating.tsx';

export type ThemeComponents = Components<Omit<Theme, 'components' | 'palette'> & CssVarsTheme>;

/** Defaults and overrides of MUI's components. Controls and floating elements have their own files. */
export const components: ThemeComponents = {
  ...controls,
  ...floating,
  MuiCssBaseline: {
    styleOverrides: (theme) => ({
      html: { height: '100%' },
      body: {
        minHeight: '100%',
        fontOpticalSizing: 'auto',
        WebkitFontSmoothing: 'antialiased',
        MozOsxFontSmoothing: 'grayscale',
        ...theme.typography.body1,
      },
      '#root': { minHeight: '100dvh', display: 'flex', flexDirection: 'column' },
      'h1, h2, h3, h4, p, ul, ol, figure, dl, dd': { margin: 0 },
      ':focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 2 },
      '[tabindex="-1"]:focus': { outline: 'none' },
      '::selection': {
        backgroundColor: theme.vars.palette.tint.accentLine,
        color: theme.vars.palette.ink.one,
      },
      // Reduced motion: nothing moves, everything arrives. A duration, however short, would be a transition on every
      // element: hundreds of them whenever a page is drawn.
      '@media (prefers-reduced-motion: reduce)': {
        '*, *::before, *::after': {
          animationDuration: '0.01ms !important',
          animationIterationCount: '1 !important',
          transition: 'none !important',
          scrollBehavior: 'auto !important',
        },
      },
    }),
  },
  MuiPaper: {
    defaultProps: { elevation: 0 },
    styleOverrides: { root: { backgroundImage: 'none' } },
  },
  MuiCard: {
    defaultProps: { variant: 'outlined' },
    styleOverrides: {
      root: ({ theme }) => ({ borderColor: theme.vars.palette.line.hair, borderRadius: 10 }),
    },
  },
  MuiTypography: { defaultProps: { variantMapping: { h4: 'p', h5: 'p', h6: 'h2', body2: 'p' } } },
  MuiLink: {
    defaultProps: { underline: 'hover' },
    styleOverrides: {
      root: {
        fontWeight: 500,
        textUnderlineOffset: 3,
        borderRadius: 4,
        '&.MuiLink-button': { verticalAlign: 'baseline' },
      },
    },
  },
  MuiChip: {
    styleOverrides: {
      root: ({ theme }) => ({
        height: 22,
        borderRadius: 6,
        ...theme.typography.caption,
        fontWeight: 500,
        color: theme.vars.palette.tint.neutralInk,
        backgroundColor: theme.vars.palette.tint.neutral,
        variants: [
          ...(['success', 'warning', 'error'] as const).map((color) => ({
            props: { variant: 'filled' as const, color },
            style: {
              backgroundColor: theme.vars.palette.tint[color],
              color: theme.vars.palette[color].main,
            },
          })),
          {
            props: { variant: 'outlined' },
            style: { backgroundColor: 'transparent', borderColor: theme.vars.palette.line.strong },
          },
        ],
      }),
      label: { paddingInline: 8 },
      icon: { marginLeft: 8, marginRight: -3, color: 'inherit' },
    },
  },
  MuiTabs: {
    defaultProps: { variant: 'scrollable', scrollButtons: false },
    styleOverrides: {
      root: { minHeight: 40, '@media (max-width: 639.95px)': { minHeight: 44 } },
      list: { gap: 4 },
      indicator: { height: 2, borderRadius: 2 },
    },
  },
  MuiTab: {
    styleOverrides: {
      root: ({ theme }) => ({
        minHeight: 40,
        '@media (max-width: 639.95px)': { minHeight: 44 },
        minWidth: 0,
        padding: '0 10px',
        ...theme.typography.body1,
        fontWeight: 500,
        textTransform: 'none',
        color: theme.vars.palette.ink.two,
        '&.Mui-selected': { color: theme.vars.palette.ink.one, fontWeight: 550 },
        '&.Mui-focusVisible': { outlineOffset: -2 },
      }),
    },
  },
  MuiTableCell: {
    styleOverrides: {
      root: ({ theme }) => ({
        ...theme.typography.body1,
        borderColor: theme.vars.palette.line.hair,
        height: 44,
        padding: '0 10px',
        '&:first-of-type': { paddingLeft: 20 },
        '&:last-of-type': { paddingRight: 20 },
      }),
      head: ({ theme }) => ({
        ...theme.typography.caption,
        height: 32,
        fontWeight: 500,
        color: theme.vars.palette.ink.three,
        backgroundColor: theme.vars.palette.surface.sunken,
      }),
    },
  },
  MuiSkeleton: {
    defaultProps: { animation: false },
    styleOverrides: { root: ({ theme }) => ({ backgroundColor: theme.vars.palette.surface.track }) },
  },
  MuiLinearProgress: {
    styleOverrides: {
      root: ({ theme }) => ({
        height: 8,
        borderRadius: 4,
        backgroundColor: theme.vars.palette.surface.track,
      }),
      bar: ({ theme }) => ({
        borderRadius: 4,
        backgroundColor: theme.vars.palette.chart.one,
        transitionDuration: '200ms',
      }),
    },
  },
  MuiDivider: { styleOverrides: { root: ({ theme }) => ({ borderColor: theme.vars.palette.line.hair }) } },
  MuiSvgIcon: { styleOverrides: { root: { fontSize: 18 } } },
  MuiAccordion: { defaultProps: { disableGutters: true } },
  MuiBadge: {
    styleOverrides: {
      badge: { height: 20, minWidth: 20, fontSize: 12, fontWeight: 600, fontVariantNumeric: 'tabular-nums' },
    },
  },
};
