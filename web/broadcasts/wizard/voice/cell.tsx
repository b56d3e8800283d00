import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

interface CellProps {
  name: string;
  value: string;
  children: ReactNode;
  onEdit: () => void;
}

/** A setting in words, with Edit. */
export function Cell({ name, value, children, onEdit }: CellProps) {
  return (
    <Box sx={{ minWidth: 0 }}>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', alignItems: 'baseline', gap: 1 }}>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {name}
        </Typography>
        <MuiLink
          component="button"
          type="button"
          variant="body2"
          aria-label={`Edit ${name.toLowerCase()}`}
          onClick={onEdit}
          sx={{ minHeight: 24, fontWeight: 600 }}
        >
          Edit
        </MuiLink>
      </Box>
      <Box sx={{ fontWeight: 550, overflowWrap: 'anywhere' }}>{value}</Box>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {children}
      </Typography>
    </Box>
  );
}
