import type { PaletteOptions } from '@mui/material/styles';

/** Groups beyond MUI's own: each becomes `--mui-palette-<group>-<name>`, and `sx` takes `'surface.nav'`. */
interface OwnGroups {
  ink: { one: string; two: string; three: string };
  surface: {
    nav: string;
    sunken: string;
    raised: string;
    hover: string;
    press: string;
    selected: string;
    track: string;
  };
  line: { hair: string; strong: string; input: string };
  tint: {
    success: string;
    successLine: string;
    warning: string;
    warningLine: string;
    error: string;
    errorLine: string;
    accent: string;
    accentLine: string;
    accentInk: string;
    neutral: string;
    neutralInk: string;
  };
  bubble: { in: string; inText: string; out: string; outText: string };
  chart: {
    one: string;
    two: string;
    three: string;
    fail: string;
    /** Never without its label: invalid numbers, next to failed texts. */
    invalid: string;
    warn: string;
    grid: string;
  };
  tip: { back: string; text: string; edge: string; action: string };
}

declare module '@mui/material/styles' {
  interface Palette extends OwnGroups {}
  interface PaletteOptions extends OwnGroups {}
}

export const lightPalette: PaletteOptions = {
  background: { default: '#F8FAF9', paper: '#FFFFFF' },
  divider: '#E3E8E6',
  text: { primary: '#13201D', secondary: '#4D5B57', disabled: '#8B9793' },
  primary: { main: '#0F766E', dark: '#0B5E57', light: '#7CC4BB', contrastText: '#FFFFFF' },
  secondary: { main: '#4D5B57', dark: '#13201D', light: '#606E6A', contrastText: '#FFFFFF' },
  info: { main: '#0F766E', dark: '#0B5E57', light: '#7CC4BB', contrastText: '#FFFFFF' },
  success: { main: '#15713A', dark: '#0F572C', light: '#BFE0CA', contrastText: '#FFFFFF' },
  warning: { main: '#8F4A06', dark: '#6F3904', light: '#EBCB94', contrastText: '#FFFFFF' },
  error: { main: '#B42318', dark: '#8F1C13', light: '#F2C4BE', contrastText: '#FFFFFF' },
  action: {
    hover: '#EEF2F1',
    selected: '#E6F3F1',
    active: '#4D5B57',
    disabled: '#8B9793',
    disabledBackground: '#E5EAE8',
  },
  ink: { one: '#13201D', two: '#4D5B57', three: '#606E6A' },
  surface: {
    nav: '#F1F4F3',
    sunken: '#F4F7F6',
    raised: '#FFFFFF',
    hover: '#EEF2F1',
    press: '#E5EAE8',
    selected: '#E6F3F1',
    track: '#E6EBE9',
  },
  line: { hair: '#E3E8E6', strong: '#CBD3D0', input: '#84918C' },
  tint: {
    success: '#E5F4EA',
    successLine: '#BFE0CA',
    warning: '#FDF1DC',
    warningLine: '#EBCB94',
    error: '#FDEBE9',
    errorLine: '#F2C4BE',
    accent: '#E0F2EF',
    accentLine: '#B4DCD6',
    accentInk: '#0B5E57',
    neutral: '#EDF1F0',
    neutralInk: '#4D5B57',
  },
  bubble: { in: '#F0F3F2', inText: '#13201D', out: '#DCEFEC', outText: '#0B2F2B' },
  chart: {
    one: '#0F766E',
    two: '#7CC4BB',
    three: '#C9D3D0',
    fail: '#C2382B',
    invalid: '#E5A49D',
    warn: '#C77A0A',
    grid: '#EAEEEC',
  },
  tip: { back: '#13201D', text: '#F1F5F4', edge: '#13201D', action: '#5EEAD4' },
};

export const darkPalette: PaletteOptions = {
  background: { default: '#0B1110', paper: '#111918' },
  divider: '#212D2B',
  text: { primary: '#E7EEEC', secondary: '#A9B7B3', disabled: '#6B7A75' },
  primary: { main: '#2DD4BF', dark: '#5EEAD4', light: '#1C6E65', contrastText: '#032420' },
  secondary: { main: '#A9B7B3', dark: '#E7EEEC', light: '#8A9995', contrastText: '#0B1110' },
  info: { main: '#2DD4BF', dark: '#5EEAD4', light: '#1C6E65', contrastText: '#032420' },
  success: { main: '#5BD68B', dark: '#86E3A9', light: '#23492F', contrastText: '#07160D' },
  warning: { main: '#F5B84B', dark: '#F8CD80', light: '#5B4620', contrastText: '#1B1305' },
  error: { main: '#FF8A80', dark: '#FFABA4', light: '#632F2B', contrastText: '#2A0B08' },
  action: {
    hover: '#192322',
    selected: '#11302C',
    active: '#A9B7B3',
    disabled: '#6B7A75',
    disabledBackground: '#202C2A',
  },
  ink: { one: '#E7EEEC', two: '#A9B7B3', three: '#8A9995' },
  surface: {
    nav: '#0E1514',
    sunken: '#0E1615',
    raised: '#192322',
    hover: '#192322',
    press: '#202C2A',
    selected: '#11302C',
    track: '#22302D',
  },
  line: { hair: '#212D2B', strong: '#33423F', input: '#66756F' },
  tint: {
    success: '#12281C',
    successLine: '#23492F',
    warning: '#2C220F',
    warningLine: '#5B4620',
    error: '#331917',
    errorLine: '#632F2B',
    accent: '#11302C',
    accentLine: '#1E5049',
    accentInk: '#5EEAD4',
    neutral: '#1D2827',
    neutralInk: '#A9B7B3',
  },
  bubble: { in: '#1C2726', inText: '#E7EEEC', out: '#134640', outText: '#DDF5F1' },
  chart: {
    one: '#27B9A7',
    two: '#1C6E65',
    three: '#34433F',
    fail: '#FF8A80',
    invalid: '#8E4740',
    warn: '#F5B84B',
    grid: '#1A2423',
  },
  tip: { back: '#2A3836', text: '#F1F5F4', edge: '#33423F', action: '#5EEAD4' },
};
