import Box, { type BoxProps } from '@mui/material/Box';

/** Keeps the previous search's rows while new ones load, and fades them if that takes long. */
export function KeptRows({ isOld, sx, ...box }: BoxProps & { isOld: boolean }) {
  return (
    <Box
      {...box}
      aria-busy={isOld}
      sx={[
        {
          opacity: isOld ? 0.55 : 1,
          transition: isOld ? 'opacity 120ms 200ms' : 'none',
        },
        ...(Array.isArray(sx) ? sx : [sx]),
      ]}
    />
  );
}
