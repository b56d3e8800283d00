import Box from '@mui/material/Box';
import MuiCard from '@mui/material/Card';
import { isSameName } from '../../ui/same-name.ts';
import { say } from '../../ui/say.ts';
import { StepHead } from '../../ui/wizard-frame.tsx';
import { Figure } from '../figure.tsx';
import type { PasteResult } from './paste-page.tsx';
import type { CheckedRow } from './paste-rows.ts';
import { PasteTable } from './paste-table.tsx';

/** VIEW: new people, existing ones with their names, and those that the server refused. */
export function PasteView({ result }: { result: PasteResult }) {
  const { CreatedCount, ExistingCount, Invalid } = result;
  const rows = viewRows(result);
  return (
    <Box sx={{ maxWidth: 880, mx: 'auto' }}>
      <StepHead title="Your contacts were imported" />
      <MuiCard
        component="dl"
        sx={{
          display: 'grid',
          gridTemplateColumns: 'repeat(auto-fit, minmax(160px, 1fr))',
          '& > div': { px: 2.5, py: 2 },
          mb: 2,
        }}
      >
        <Figure label={say('New', 'people')} count={CreatedCount} />
        <Figure label="Already in your contacts" count={ExistingCount} />
        {Invalid.length > 0 && <Figure label="Not added" count={Invalid.length} isBad />}
      </MuiCard>
      <MuiCard>
        <PasteTable rows={rows} label="Added contacts" />
      </MuiCard>
    </Box>
  );
}

function viewRows({ sent, Existing, Invalid }: PasteResult): CheckedRow[] {
  const messageAt = new Map(Invalid.map(({ Position, Message }) => [Position, Message]));
  const nameAt = new Map(
    Existing.map(({ Position, FirstName, LastName }) => [Position, `${FirstName} ${LastName}`.trim()]),
  );
  return sent.map((row, index) => {
    // Positions count from 1.
    const message = messageAt.get(index + 1);
    if (message !== undefined) return { ...row, state: 'invalid', note: message };
    const name = nameAt.get(index + 1);
    return { ...row, note: name === undefined ? 'New' : wasThere(name, row.name) };
  });
}

/** The contact's name where it differs from the pasted one: the contact keeps its own. */
function wasThere(name: string, pasted: string): string {
  return name === '' || isSameName(name, pasted)
    ? 'Already in your contacts'
    : `Already in your contacts as ${name}`;
}
