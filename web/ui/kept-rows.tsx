import Box, { type BoxProps } from '@mui/material/Box';

/** Rows of the search before stay while the new ones come; once that takes long, they look it. */
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
