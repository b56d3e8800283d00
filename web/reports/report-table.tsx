import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

interface ReportTableProps {
  label: string;
  /** The first is what a row is about, the others are figures. */
  columns: readonly string[];
  /** Number of columns, from the first on, that are words. */
  words?: number;
  rows: readonly { key: string | number; cells: readonly ReactNode[] }[];
  /** The last row, which adds up the others. */
  total?: readonly ReactNode[] | undefined;
}

/** Figures in a table that scrolls sideways where they don't fit. */
export function ReportTable({ label, columns, words = 1, rows, total }: ReportTableProps) {
  const figure = { textAlign: 'right', fontVariantNumeric: 'tabular-nums' } as const;
  const cell = { px: 2.5, height: 44, whiteSpace: 'nowrap' } as const;
  const line = { borderTop: '1px solid', borderColor: 'line.hair' } as const;
  const align = (index: number) => (index < words ? { textAlign: 'left' as const } : figure);
  return (
    // Reached by keyboard, so that it can be scrolled.
    <Box
      role="region"
      aria-label={label}
      tabIndex={0}
      sx={{ overflowX: 'auto', '&:focus-visible': { outlineOffset: '-2px' } }}
    >
      <Box
        component="table"
        aria-label={label}
        sx={{ width: '100%', borderCollapse: 'separate', borderSpacing: 0 }}
      >
        <thead>
          <tr>
            {columns.map((column, index) => (
              <Box
                key={column}
                component="th"
                scope="col"
                sx={{
                  ...cell,
                  ...align(index),
                  height: 38,
                  bgcolor: 'surface.sunken',
                  typography: 'caption',
                  fontWeight: 500,
                  color: 'ink.three',
                }}
              >
                {column}
              </Box>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((content, index) => (
                <Box key={columns[index]} component="td" sx={{ ...cell, ...line, ...align(index) }}>
                  {content}
                </Box>
              ))}
            </tr>
          ))}
          {total && (
            <tr>
              {total.map((content, index) => (
                <Box
                  key={columns[index]}
                  component="td"
                  sx={{ ...cell, ...line, ...align(index), fontWeight: 550, bgcolor: 'surface.sunken' }}
                >
                  {content}
                </Box>
              ))}
            </tr>
          )}
        </tbody>
      </Box>
    </Box>
  );
}
