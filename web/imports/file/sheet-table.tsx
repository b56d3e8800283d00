import Box from '@mui/material/Box';
import type { SxProps, Theme } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { visuallyHidden } from '../../ui/visually-hidden.ts';

const sheetTable = {
  borderCollapse: 'separate',
  borderSpacing: 0,
  width: '100%',
  typography: 'body2',
  '& th, & td': {
    textAlign: 'left',
    fontWeight: 400,
    borderRight: '1px solid',
    borderBottom: '1px solid',
    borderColor: 'line.hair',
  },
  '& tr > :last-of-type': { borderRight: 0 },
  '& tbody tr:last-of-type > *': { borderBottom: 0 },
  '& td': { height: 40, px: '12px', py: 0, bgcolor: 'background.paper' },
  // The row's number stays while the columns move under it.
  '& tr > :first-of-type': {
    position: 'sticky',
    left: 0,
    zIndex: 1,
    width: 44,
    minWidth: 44,
    px: '10px',
    textAlign: 'right',
    bgcolor: 'surface.sunken',
    color: 'ink.three',
    fontVariantNumeric: 'tabular-nums',
  },
} as const;

interface SheetTableProps {
  label: string;
  /** The heads of the columns after the row's number. */
  head: ReactNode;
  /** Rows whose first cell is their number. */
  children: ReactNode;
  sx: SxProps<Theme>;
}

/** Rows of a file as a spreadsheet shows them. */
export function SheetTable({ label, head, children, sx }: SheetTableProps) {
  return (
    <Box
      component="section"
      aria-label={label}
      // Focusable, so that the keyboard can move a wide table sideways.
      tabIndex={0}
      sx={[{ overflowX: 'auto' }, ...(Array.isArray(sx) ? sx : [sx])]}
    >
      <Box component="table" sx={sheetTable}>
        <thead>
          <tr>
            <th scope="col">
              <span style={visuallyHidden}>Row</span>
            </th>
            {head}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </Box>
    </Box>
  );
}
