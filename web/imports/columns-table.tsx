import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { FileColumns } from '../../contract/imports.ts';
import { visuallyHidden } from '../ui/visually-hidden.ts';
import { CellMark, remarks } from './cell-mark.tsx';
import { ColumnSelect } from './column-select.tsx';
import { columnLabel, letterOf, type ShownTab, type Target, targetOf } from './file-columns.ts';
import type { PreviewCell, PreviewRow } from './preview-cells.ts';

export interface ColumnsProps {
  tab: ShownTab;
  rows: readonly PreviewRow[];
  columns: FileColumns;
  fieldNames: readonly string[];
  onChoose: (columnNumber: number, target: Target) => void;
}

export const sheetTable = {
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

/** The file's first rows under what its columns are: two storeys of head, letter and heading over the target. */
export function ColumnsTable({ tab, rows, columns, fieldNames, onChoose }: ColumnsProps) {
  return (
    <Box
      component="section"
      aria-label="Columns of the file"
      // Focusable, so that the keyboard can move a wide file sideways.
      tabIndex={0}
      sx={{
        overflowX: 'auto',
        border: '1px solid',
        borderColor: 'line.hair',
        borderRadius: '10px',
        bgcolor: 'background.paper',
      }}
    >
      <Box component="table" sx={sheetTable}>
        <thead>
          <tr>
            <Box component="th" scope="col">
              <span style={visuallyHidden}>Row</span>
            </Box>
            {tab.columns.map((column) => {
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
                  <ColumnSelect
                    column={column}
                    columns={columns}
                    fieldNames={fieldNames}
                    onChoose={(target) => onChoose(column.columnNumber, target)}
                  />
                </Box>
              );
            })}
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </Box>
    </Box>
  );
}

function Cell({ cell, isSkipped }: { cell: PreviewCell; isSkipped: boolean }) {
  const look = cell.state === 'plain' ? undefined : remarks[cell.state];
  const isTinted = look !== undefined && look.tint !== 'transparent';
  return (
    <Box
      component="td"
      sx={{
        maxWidth: isSkipped ? 112 : 220,
        ...(isSkipped
          ? { '&&': { bgcolor: 'surface.sunken' }, color: 'ink.three' }
          : isTinted
            ? { '&&': { bgcolor: look.tint }, color: look.colour }
            : {}),
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

/** On a phone: a column of the file a row, with three of its cells and its target. */
export function ColumnsList({ tab, rows, columns, fieldNames, onChoose }: ColumnsProps) {
  return (
    <Box
      component="ul"
      aria-label="Columns of the file"
      sx={{
        listStyle: 'none',
        p: 0,
        border: '1px solid',
        borderColor: 'line.hair',
        borderRadius: '10px',
        bgcolor: 'background.paper',
      }}
    >
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
            <ColumnSelect
              column={column}
              columns={columns}
              fieldNames={fieldNames}
              onChoose={(target) => onChoose(column.columnNumber, target)}
            />
          </Box>
        );
      })}
    </Box>
  );
}
