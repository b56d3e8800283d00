import { createTheme } from '@mui/material/styles';
import { components } from './theme/components.tsx';
import { darkPalette, lightPalette } from './theme/palette.ts';

declare module '@mui/material/styles' {
  interface CssThemeVariables {
    enabled: true;
  }
  interface BreakpointOverrides {
    phone: true;
    roomy: true;
    tablet: true;
    laptop: true;
    desk: true;
  }
}

/** The storage key of the choice System / Light / Dark; web/public/color-scheme.js reads it before the first paint. */
export const modeStorageKey = 'muster-mode';

const ring = '0 0 0 1px rgba(16,32,29,.06)';
/** 1 hardly lifted, 2 menu, 3 snackbar, 4 dialog; nothing else floats. */
const elevations = [
  'none',
  '0 1px 2px rgba(16,32,29,.06)',
  '0 4px 12px -2px rgba(16,32,29,.08), 0 0 0 1px rgba(16,32,29,.05)',
  `0 12px 32px -8px rgba(16,32,29,.18), ${ring}`,
  `0 24px 64px -12px rgba(16,32,29,.28), ${ring}`,
] as const;

const tabular = { fontVariantNumeric: 'tabular-nums' } as const;
const base = createTheme();

export const theme = createTheme({
  cssVariables: { colorSchemeSelector: 'data-color-scheme' },
  colorSchemes: { light: { palette: lightPalette }, dark: { palette: darkPalette } },
  breakpoints: {
    values: {
      ...{ xs: 0, phone: 375, sm: 640, roomy: 650, tablet: 768, md: 960 },
      ...{ laptop: 1024, desk: 1050, lg: 1200, xl: 1440 },
    },
  },
  spacing: 8,
  shape: { borderRadius: 10 },
  shadows: base.shadows.map((_, level) => elevations[Math.min(level, 4)] ?? 'none') as typeof base.shadows,
  transitions: {
    duration: {
      shortest: 80,
      shorter: 120,
      short: 160,
      standard: 160,
      complex: 200,
      enteringScreen: 200,
      leavingScreen: 140,
    },
    easing: {
      easeInOut: 'cubic-bezier(.2,0,0,1)',
      easeOut: 'cubic-bezier(.2,0,0,1)',
      easeIn: 'cubic-bezier(.2,0,0,1)',
      sharp: 'cubic-bezier(.2,0,0,1)',
    },
  },
  typography: {
    fontFamily: "'Inter Variable', system-ui, sans-serif",
    fontSize: 14,
    htmlFontSize: 16,
    h1: { fontSize: '1.375rem', lineHeight: 28 / 22, fontWeight: 640, letterSpacing: '-0.018em' },
    h2: { fontSize: '1rem', lineHeight: 24 / 16, fontWeight: 620, letterSpacing: '-0.011em' },
    h3: { fontSize: '0.875rem', lineHeight: 20 / 14, fontWeight: 600, letterSpacing: '-0.006em' },
    h4: { fontSize: '1.75rem', lineHeight: 34 / 28, fontWeight: 620, letterSpacing: '-0.022em', ...tabular },
    h5: { fontSize: '1.5rem', lineHeight: 30 / 24, fontWeight: 620, letterSpacing: '-0.022em', ...tabular },
    h6: { fontSize: '0.9375rem', lineHeight: 20 / 15, fontWeight: 620, letterSpacing: '-0.008em' },
    body1: { fontSize: '0.875rem', lineHeight: 20 / 14, fontWeight: 400, letterSpacing: '-0.006em' },
    body2: { fontSize: '0.8125rem', lineHeight: 18 / 13, fontWeight: 400, letterSpacing: '-0.003em' },
    caption: { fontSize: '0.75rem', lineHeight: 16 / 12, fontWeight: 400, letterSpacing: 0 },
    button: {
      fontSize: '0.875rem',
      lineHeight: 20 / 14,
      fontWeight: 550,
      letterSpacing: '-0.003em',
      textTransform: 'none',
    },
  },
  components,
});
