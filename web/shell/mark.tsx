import Box from '@mui/material/Box';

/** Muster's mark: an m that is also a row of people. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <Box
      component="svg"
      viewBox="0 0 28 28"
      aria-hidden
      sx={{ width: size, height: size, flex: 'none', display: 'block', color: 'primary.main' }}
    >
      <rect width="28" height="28" rx="7.5" fill="currentColor" />
      <Box
        component="path"
        d="M7.75 19.25v-5.9a3.125 3.125 0 0 1 6.25 0v5.9m0-5.9a3.125 3.125 0 0 1 6.25 0v5.9"
        fill="none"
        strokeWidth="2.6"
        strokeLinecap="round"
        sx={{ stroke: 'var(--mui-palette-primary-contrastText)' }}
      />
    </Box>
  );
}
