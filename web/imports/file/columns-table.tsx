import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { FileColumns } from '../../../contract/imports.ts';
import { CellMark, cellTint } from './cell-mark.tsx';
import { columnLabel, letterOf, type ShownTab, targetOf } from './file-columns.ts';
import type { PreviewCell, PreviewRow } from './preview-cells.ts';
import { SheetTable } from './sheet-table.tsx';

export interface ColumnsProps {
  tab: ShownTab;
  rows: readonly PreviewRow[];
  columns: FileColumns;
  /** Renders the select for a column's target. */
  select: (column: ShownTab['columns'][number]) => ReactNode;
}

const edge = {
  border: '1px solid',
  borderColor: 'line.hair',
  borderRadius: '10px',
  bgcolor: 'background.paper',
} as const;

/**
 * The file's first rows below the targets of its columns. The table head has two rows: letter and heading
 * above, target below.
 */
export function ColumnsTable({ tab, rows, columns, select }: ColumnsProps) {
  return (
    <SheetTable
      label="Columns of the file"
      sx={edge}
      head={tab.columns.map((column) => {
        const isSkipped = targetOf(columns, column.columnNumber).kind === 'skip';
        return (
          <Box
            component="th"
            scope="col"
            key={column.columnNumber}
            sx={{
              minWidth: isSkipped ? 92 : 112,
              maxWidth: isSkipped ? 112 : 220,
              px: '6px',
              pt: '9px',
              pb: '10px',
              verticalAlign: 'bottom',
              bgcolor: 'surface.sunken',
            }}
          >
            <Box sx={{ display: 'flex', alignItems: 'baseline', gap: '7px', px: '6px', mb: '8px' }}>
              <Box component="span" sx={{ typography: 'caption', color: 'ink.three' }}>
                {letterOf(column.columnNumber)}
              </Box>
              <Typography
                component="span"
                variant="body2"
                noWrap
                title={column.header}
                sx={{ fontWeight: 600, minWidth: 0, minHeight: 18 }}
              >
                {column.header.trim()}
              </Typography>
            </Box>
            {select(column)}
          </Box>
        );
      })}
    >
      {rows.map((row) => (
        <tr key={row.rowNumber}>
          <td>{row.rowNumber}</td>
          {row.cells.map((cell, index) => {
            const column = tab.columns[index];
            return (
              column && (
                <Cell
                  key={column.columnNumber}
                  cell={cell}
                  isSkipped={targetOf(columns, column.columnNumber).kind === 'skip'}
                />
              )
            );
          })}
        </tr>
      ))}
    </SheetTable>
  );
}

function Cell({ cell, isSkipped }: { cell: PreviewCell; isSkipped: boolean }) {
  return (
    <Box
      component="td"
      sx={{
        maxWidth: isSkipped ? 112 : 220,
        ...(isSkipped
          ? { '&&': { bgcolor: 'surface.sunken' }, color: 'ink.three' }
          : cellTint(cell.state === 'plain' ? undefined : cell.state)),
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: '8px', minWidth: 0 }}>
        <Box
          component="span"
          title={cell.text}
          sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
        >
          {cell.text}
        </Box>
        {cell.state !== 'plain' && !isSkipped && <CellMark remark={cell.state} note={cell.note} />}
      </Box>
    </Box>
  );
}

/** On a phone: one row per column of the file, with three of its cells and its target. */
export function ColumnsList({ tab, rows, select }: ColumnsProps) {
  return (
    <Box component="ul" aria-label="Columns of the file" sx={{ ...edge, listStyle: 'none', p: 0 }}>
      {tab.columns.map((column, index) => {
        const samples = rows
          .map(({ cells }) => cells[index])
          .filter((cell) => cell !== undefined)
          .filter(({ text }) => text !== '')
          .slice(0, 3);
        return (
          <Box
            component="li"
            key={column.columnNumber}
            sx={{
              display: 'grid',
              gridTemplateColumns: 'minmax(0, 1fr) 160px',
              gap: 1.5,
              alignItems: 'center',
              px: 2,
              py: 1.5,
              '& + li': { borderTop: '1px solid', borderColor: 'line.hair' },
            }}
          >
            <Box sx={{ minWidth: 0 }}>
              <Typography noWrap sx={{ fontWeight: 550 }}>
                <Box component="span" sx={{ typography: 'caption', color: 'ink.three', mr: '7px' }}>
                  {letterOf(column.columnNumber)}
                </Box>
                {columnLabel(column)}
              </Typography>
              {samples.map(({ text, state, note }, sample) => (
                <Box
                  // biome-ignore lint/suspicious/noArrayIndexKey: cells have no name of their own and stay in their order
                  key={sample}
                  sx={{
                    display: 'flex',
                    alignItems: 'center',
                    gap: '6px',
                    typography: 'body2',
                    color: state === 'wrong' ? 'error.main' : 'text.secondary',
                  }}
                >
                  <Typography variant="body2" component="span" noWrap>
                    {text}
                  </Typography>
                  {state !== 'plain' && <CellMark remark={state} note={note} />}
                </Box>
              ))}
            </Box>
            {select(column)}
          </Box>
        );
      })}
    </Box>
  );
}
