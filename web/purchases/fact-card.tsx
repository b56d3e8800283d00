import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiCard from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

interface FactCardProps {
  title: string;
  /** At the right of the title: a quiet button or a switch. */
  action?: ReactNode;
  value: ReactNode;
  /** A figure: larger. */
  isFigure?: boolean;
  lines: readonly (string | undefined)[];
  /** In the last row, at its right. */
  foot?: ReactNode;
}

/** One fact with a few words below it. */
export function FactCard({ title, action, value, isFigure = false, lines, foot }: FactCardProps) {
  const [first, ...rest] = lines.filter((line) => line !== undefined && line !== '');
  return (
    <MuiCard
      component="section"
      aria-label={title}
      sx={{ px: 2.5, pt: 1.5, pb: 1.75, display: 'flex', flexDirection: 'column', minHeight: 136 }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', minHeight: 30 }}>
        <Typography variant="body2" component="h2" sx={{ flex: 1, color: 'text.secondary', fontWeight: 400 }}>
          {title}
        </Typography>
        {action}
      </Box>
      <Box
        sx={{
          ...(isFigure ? { typography: 'h4', lineHeight: '34px' } : { fontSize: 16, lineHeight: '34px' }),
          fontWeight: 620,
          fontVariantNumeric: 'tabular-nums',
          overflowWrap: 'anywhere',
          display: 'flex',
          alignItems: 'center',
          gap: 1.25,
        }}
      >
        {value}
      </Box>
      {first && (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {first}
        </Typography>
      )}
      <Box sx={{ flex: 1, minHeight: 8 }} />
      {(rest.length > 0 || foot) && (
        <Box sx={{ display: 'flex', alignItems: 'flex-end', gap: 1, minHeight: 24 }}>
          <Typography variant="body2" component="div" sx={{ color: 'text.secondary', flex: 1 }}>
            {rest.map((line) => (
              <div key={line}>{line}</div>
            ))}
          </Typography>
          {foot}
        </Box>
      )}
    </MuiCard>
  );
}

/** A quiet button in the corner of a card. Screen readers hear the card's name too. */
export function CardButton({ label, of, onPress }: { label: string; of: string; onPress: () => void }) {
  return (
    <Button
      variant="text"
      color="primary"
      size="small"
      onClick={onPress}
      aria-label={`${label} ${of}`}
      sx={{ mr: -1, minWidth: 0 }}
    >
      {label}
    </Button>
  );
}
