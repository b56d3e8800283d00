import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { FileRow } from '../../../contract/imports.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { CellMark, cellTint, type Remark, remarks } from './cell-mark.tsx';
import { SheetTable } from './sheet-table.tsx';

const remarksOfKinds: Record<FileRow['Kind'], Remark | undefined> = {
  good: undefined,
  repaired: 'repaired',
  duplicate: 'duplicate',
  existing: 'existing',
  rejected: 'wrong',
};

/** A good row whose phone belongs to a contact counts as existing. */
function remarkOf({ Kind, PersonID }: FileRow): Remark | undefined {
  return remarksOfKinds[Kind === 'good' && PersonID !== null ? 'existing' : Kind];
}

interface Column {
  label: string;
  value: (row: FileRow) => string;
  isPhone?: true;
  /** Even where no row has it. */
  isAlways?: true;
}

const fixedColumns: readonly Column[] = [
  { label: 'First name', value: ({ FirstName }) => FirstName, isAlways: true },
  { label: 'Last name', value: ({ LastName }) => LastName, isAlways: true },
  {
    label: 'Primary phone',
    value: ({ PrimaryPhone }) => formatPhone(PrimaryPhone),
    isPhone: true,
    isAlways: true,
  },
  { label: 'Secondary phone', value: ({ SecondaryPhone }) => formatPhone(SecondaryPhone) },
  { label: 'Tertiary phone', value: ({ TertiaryPhone }) => formatPhone(TertiaryPhone) },
  { label: 'Groups', value: ({ Groups }) => Groups.join(', ') },
  { label: 'Notes', value: ({ Notes }) => Notes },
];

/** The fields that any of the rows has, in the order of a contact. */
function columnsOf(rows: readonly FileRow[]): Column[] {
  const fixed = fixedColumns.filter(
    ({ value, isAlways }) => isAlways || rows.some((row) => value(row) !== ''),
  );
  const fields = [...new Set(rows.flatMap(({ CustomData }) => Object.keys(CustomData)))];
  return [
    ...fixed,
    ...fields.map((name) => ({ label: name, value: (row: FileRow) => row.CustomData[name] ?? '' })),
  ];
}

/** Reason why a row is marked, in a sentence; empty where it isn't. */
function rowNote(row: FileRow): string {
  const remark = remarkOf(row);
  if (remark === undefined) return '';
  if (remark === 'duplicate' && row.FirstRow !== null) return `Already in row ${row.FirstRow}`;
  return row.Problem || remarks[remark].word;
}

interface RowsTableProps {
  rows: readonly FileRow[];
  label: string;
  /** Adds a column with the reason why a row is marked; otherwise only its icon shows it. */
  hasReasons?: boolean;
}

/** Rows as they were read. Wide ones scroll inside; on a phone each is two lines. */
export function RowsTable({ rows, label, hasReasons = false }: RowsTableProps) {
  const columns = columnsOf(rows);
  const isExplained = hasReasons && rows.some((row) => remarkOf(row) !== undefined);
  return (
    <>
      <SheetTable
        label={label}
        sx={{ display: { xs: 'none', sm: 'block' } }}
        head={
          <>
            {columns.map((column) => (
              <Box component="th" scope="col" key={column.label} sx={head}>
                {column.label}
              </Box>
            ))}
            {isExplained && (
              <Box component="th" scope="col" sx={head}>
                Why
              </Box>
            )}
          </>
        }
      >
        {rows.map((row) => (
          <tr key={row.RowNumber}>
            <td>{row.RowNumber}</td>
            {columns.map((column) =>
              column.isPhone ? (
                <PhoneCell key={column.label} row={row} />
              ) : (
                <Box component="td" key={column.label} sx={cell} title={column.value(row)}>
                  {column.value(row)}
                </Box>
              ),
            )}
            {isExplained && (
              <Box component="td" sx={{ ...cell, minWidth: 220, color: 'text.secondary' }}>
                {rowNote(row)}
              </Box>
            )}
          </tr>
        ))}
      </SheetTable>
      <RowsList rows={rows} label={label} />
    </>
  );
}

const head = {
  height: 38,
  px: '12px',
  typography: 'caption',
  '&&': { fontWeight: 500 },
  color: 'ink.three',
  bgcolor: 'surface.sunken',
  whiteSpace: 'nowrap',
} as const;
const cell = { maxWidth: 240, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;

function shownPhone(row: FileRow): string {
  return row.PrimaryPhone === '' ? 'No phone' : formatPhone(row.PrimaryPhone);
}

function PhoneCell({ row }: { row: FileRow }) {
  const remark = remarkOf(row);
  return (
    <Box component="td" sx={{ whiteSpace: 'nowrap', ...cellTint(remark) }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: '8px' }}>
        {shownPhone(row)}
        {remark && <CellMark remark={remark} note={rowNote(row)} />}
      </Box>
    </Box>
  );
}

function RowsList({ rows, label }: { rows: readonly FileRow[]; label: string }) {
  return (
    <Box component="ul" aria-label={label} sx={{ listStyle: 'none', p: 0, display: { sm: 'none' } }}>
      {rows.map((row) => {
        const remark = remarkOf(row);
        const name = `${row.FirstName} ${row.LastName}`.trim();
        return (
          <Box
            component="li"
            key={row.RowNumber}
            sx={{ px: 2, py: 1.25, '& + li': { borderTop: '1px solid', borderColor: 'line.hair' } }}
          >
            <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
              <Typography noWrap sx={{ flex: 1, fontWeight: 520 }}>
                {name || 'No name'}
              </Typography>
              <Box component="span" sx={{ typography: 'caption', color: 'text.secondary', flex: 'none' }}>
                Row {row.RowNumber}
              </Box>
            </Box>
            <Box
              sx={{
                display: 'flex',
                alignItems: 'center',
                gap: '8px',
                typography: 'body2',
                color: row.Kind === 'rejected' ? 'error.main' : 'text.secondary',
              }}
            >
              {shownPhone(row)}
              {remark && <CellMark remark={remark} note={rowNote(row)} />}
            </Box>
            {(row.Kind === 'rejected' || row.Kind === 'duplicate') && (
              <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                {rowNote(row)}
              </Typography>
            )}
          </Box>
        );
      })}
    </Box>
  );
}
