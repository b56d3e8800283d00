import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { CircleAlert, CircleCheck, Copy } from 'lucide-react';
import { useState } from 'react';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { formatCount } from '../../ui/format.ts';
import { ShowMore } from '../show-more.tsx';
import type { CheckedRow } from './paste-rows.ts';

const shownAtOnce = 100;

const looks = {
  good: { icon: CircleCheck, glyph: 'success.main', word: 'text.secondary' },
  duplicate: { icon: Copy, glyph: 'warning.main', word: 'text.secondary' },
  invalid: { icon: CircleAlert, glyph: 'error.main', word: 'error.main' },
} as const;

/** Rows that need attention come first. */
const order = { invalid: 0, duplicate: 1, good: 2 } as const;

/** Name, number, and whether it is added. */
export function PasteTable({ rows, label }: { rows: readonly CheckedRow[]; label: string }) {
  const [shown, setShown] = useState(shownAtOnce);
  const sorted = [...rows].sort((one, other) => order[one.state] - order[other.state] || one.id - other.id);
  return (
    <>
      <Table aria-label={label} sx={{ tableLayout: 'fixed' }}>
        <TableHead>
          <TableRow>
            <TableCell>Name</TableCell>
            <TableCell sx={{ width: { xs: 136, sm: 170 } }}>Phone</TableCell>
            <TableCell sx={{ width: '40%', display: { xs: 'none', sm: 'table-cell' } }}>Status</TableCell>
          </TableRow>
        </TableHead>
        <TableBody sx={{ '& tr:last-of-type > td': { borderBottom: 0 } }}>
          {sorted.slice(0, shown).map((row) => (
            <TableRow key={row.id}>
              <TableCell sx={{ py: '6px', fontWeight: 520, overflowWrap: 'anywhere' }}>
                {row.name || '–'}
                <Box sx={{ display: { sm: 'none' }, typography: 'body2' }}>
                  <Status row={row} />
                </Box>
              </TableCell>
              <TableCell sx={{ overflowWrap: 'anywhere' }}>
                {row.number ? formatPhone(row.number) : '–'}
              </TableCell>
              <TableCell sx={{ py: '6px', display: { xs: 'none', sm: 'table-cell' } }}>
                <Status row={row} />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {sorted.length > shown && (
        <ShowMore
          label={`Show more of ${formatCount(sorted.length)}`}
          onPress={() => setShown(shown + shownAtOnce)}
        />
      )}
    </>
  );
}

function Status({ row }: { row: CheckedRow }) {
  const { icon: Icon, glyph, word } = looks[row.state];
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: '6px', color: word }}>
      <Box component={Icon} size={14} strokeWidth={2} aria-hidden sx={{ color: glyph, flex: 'none' }} />
      {row.note || 'Ready'}
    </Box>
  );
}
