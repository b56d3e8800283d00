import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';
import { formatCount } from '../../ui/format.ts';

interface SectionProps {
  title: string;
  count?: number;
  /** Shown to the right of the title. */
  action?: ReactNode;
  children: ReactNode;
}

export function Section({ title, count, action, children }: SectionProps) {
  const id = useId();
  return (
    <Box
      component="section"
      aria-labelledby={id}
      sx={{
        px: 2.5,
        py: 2.25,
        borderBottom: '1px solid',
        borderColor: 'line.hair',
        '&:last-of-type': { borderBottom: 0 },
      }}
    >
      <Box sx={{ display: 'flex', justifyContent: 'space-between', alignItems: 'baseline', mb: 1.25 }}>
        <Typography variant="h3" id={id}>
          {title}
        </Typography>
        {count !== undefined && (
          <Typography
            variant="body2"
            component="span"
            sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}
          >
            {formatCount(count)}
          </Typography>
        )}
        {action}
      </Box>
      {children}
    </Box>
  );
}

export function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Box
      sx={{
        display: 'flex',
        justifyContent: 'space-between',
        alignItems: 'center',
        gap: 1,
        minHeight: 24,
        typography: 'body2',
      }}
    >
      <span>{name}</span>
      {children}
    </Box>
  );
}

export function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <Box component="dt" sx={{ color: 'text.secondary' }}>
        {name}
      </Box>
      <Box component="dd" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        {children}
      </Box>
    </>
  );
}
