import Box from '@mui/material/Box';
import type { ReferenceCall } from './read-reference.ts';

const colors = {
  GET: ['tint.neutral', 'tint.neutralInk'],
  POST: ['tint.accent', 'tint.accentInk'],
  PUT: ['tint.warning', 'warning.main'],
  DELETE: ['tint.error', 'error.main'],
} as const;

export function MethodPill({
  method,
  isSmall = false,
}: {
  method: ReferenceCall['method'];
  isSmall?: boolean;
}) {
  const [back, ink] = colors[method];
  return (
    <Box
      component="span"
      sx={{
        display: 'inline-grid',
        placeItems: 'center',
        flex: 'none',
        width: isSmall ? 52 : 'auto',
        height: isSmall ? 18 : 22,
        px: isSmall ? 0 : '8px',
        borderRadius: isSmall ? '5px' : '6px',
        fontSize: isSmall ? 11 : 12,
        lineHeight: 1,
        fontWeight: 600,
        letterSpacing: '0.01em',
        bgcolor: back,
        color: ink,
      }}
    >
      {method}
    </Box>
  );
}
