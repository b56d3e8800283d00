import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

interface SummaryLineProps {
  label: ReactNode;
  value: string;
  /** The sum: larger, in primary ink. */
  isTotal?: boolean;
}

export function SummaryLine({ label, value, isTotal = false }: SummaryLineProps) {
  return (
    <Box sx={{ display: 'flex', gap: 2, justifyContent: 'space-between', alignItems: 'baseline' }}>
      <Box component="dt" sx={isTotal ? { fontWeight: 600 } : { color: 'text.secondary' }}>
        {label}
      </Box>
      <Box
        component="dd"
        sx={{
          m: 0,
          whiteSpace: 'nowrap',
          ...(isTotal ? { fontWeight: 650, fontSize: 18 } : { fontWeight: 550 }),
        }}
      >
        {value}
      </Box>
    </Box>
  );
}

/** Lines with amounts; the rule above them is solid under a sum, dashed before what follows from it. */
export function SummaryLines({ children, rule }: { children: ReactNode; rule?: 'solid' | 'dashed' }) {
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        display: 'grid',
        gap: 1.25,
        fontVariantNumeric: 'tabular-nums',
        ...(rule ? { pt: 2, borderTop: `1px ${rule}`, borderColor: 'line.strong' } : {}),
      }}
    >
      {children}
    </Box>
  );
}
