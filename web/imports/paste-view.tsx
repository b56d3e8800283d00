import Box from '@mui/material/Box';
import MuiCard from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { formatCount } from '../ui/format.ts';
import type { PasteResult } from './paste-page.tsx';
import type { CheckedRow } from './paste-rows.ts';
import { PasteTable } from './paste-table.tsx';
import { StepHead } from './wizard-frame.tsx';

/** VIEW: how many are new, how many were there already, and whom the server did not take. */
export function PasteView({ result }: { result: PasteResult }) {
  const { CreatedCount, ExistingCount, Invalid, sent } = result;
  const messageAt = new Map(Invalid.map(({ Position, Message }) => [Position, Message]));
  const rows: CheckedRow[] = sent.map((row, index) => {
    // Positions count from 1.
    const note = messageAt.get(index + 1);
    return note === undefined ? { ...row, note: 'In your contacts' } : { ...row, state: 'invalid', note };
  });
  return (
    <Box sx={{ maxWidth: 880, mx: 'auto' }}>
      <StepHead title="Your contacts are in" />
      <MuiCard
        component="dl"
        sx={{
          display: 'grid',
          gridTemplateColumns: 'repeat(auto-fit, minmax(160px, 1fr))',
          '& > div': { px: 2.5, py: 2 },
          mb: 2,
        }}
      >
        <Figure label="New" count={CreatedCount} />
        <Figure label="Were there already" count={ExistingCount} />
        {Invalid.length > 0 && <Figure label="Not taken" count={Invalid.length} isBad />}
      </MuiCard>
      <MuiCard>
        <PasteTable rows={rows} label="Who was added" />
      </MuiCard>
    </Box>
  );
}

function Figure({ label, count, isBad = false }: { label: string; count: number; isBad?: boolean }) {
  return (
    <div>
      <Typography variant="body2" component="dt" sx={{ color: isBad ? 'error.main' : 'text.secondary' }}>
        {label}
      </Typography>
      <Typography variant="h4" component="dd" sx={{ color: isBad ? 'error.main' : 'text.primary' }}>
        {formatCount(count)}
      </Typography>
    </div>
  );
}
