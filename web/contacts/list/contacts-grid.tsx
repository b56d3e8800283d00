import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import Tooltip from '@mui/material/Tooltip';
import useMediaQuery from '@mui/material/useMediaQuery';
import {
  DataGrid,
  GRID_CHECKBOX_SELECTION_COL_DEF,
  type GridColDef,
  type GridRenderCellParams,
  gridFocusCellSelector,
  useGridApiRef,
} from '@mui/x-data-grid';
import { createLink } from '@tanstack/react-router';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type Ref, useImperativeHandle, useMemo } from 'react';
import type { Contact, CustomField } from '../../../contract/contacts.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { fullName } from '../../queries/current-user.ts';
import type { SelectionState } from '../../queries/selection.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { useNow } from '../../ui/now.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { say } from '../../ui/say.ts';
import { nameOfContact } from '../contact/contact-name.ts';
import { TextingState } from '../contact/texting-state.tsx';
import { GroupChip } from '../groups/group-chip.tsx';
import { columnNames, columnOfField } from './contacts-columns.ts';
import type { ContactSort } from './contacts-view.ts';
import { applyGridModel, gridModelOf } from './grid-selection.ts';

/** The functions that the keyboard shortcuts need from a list, whether it is a table or rows. */
export interface ListHandle {
  focusRow: (personId: number) => void;
  /** The row that has the focus. */
  focusedId: () => number | undefined;
}

export interface ContactRowsProps {
  ref: Ref<ListHandle>;
  listId: number;
  rows: readonly Contact[];
  selection: SelectionState<number>;
  onOpen: (personId: number) => void;
}

interface ContactsGridProps extends ContactRowsProps {
  total: number;
  page: number;
  pageSize: number;
  sort: ContactSort;
  onSort: (sort: ContactSort) => void;
  shown: readonly string[];
  fields: readonly CustomField[];
}

type Cell = GridRenderCellParams<Contact>;

const NameLink = createLink(
  styled('a')({
    display: 'flex',
    alignItems: 'center',
    gap: 9,
    minWidth: 0,
    height: '100%',
    color: 'inherit',
    textDecoration: 'none',
    '&:focus-visible': { outlineOffset: -2, borderRadius: 4 },
  }),
);

/** Sorting by name and by date added; the first press of a column head uses the first of each pair. */
const sorts: Record<string, { asc: ContactSort; desc: ContactSort }> = {
  name: { asc: 'name', desc: '-name' },
  added: { asc: 'oldest', desc: 'newest' },
};

/** The table: one page of rows, which the server sorted and found. */
export function ContactsGrid(props: ContactsGridProps) {
  const { ref, listId, rows, total, page, pageSize, selection, sort, onSort, shown, fields, onOpen } = props;
  const apiRef = useGridApiRef();
  useImperativeHandle(ref, () => ({
    focusRow: (personId) => {
      const rowIndex = rows.findIndex(({ PersonID }) => PersonID === personId);
      if (rowIndex < 0) return;
      apiRef.current?.scrollToIndexes({ rowIndex });
      apiRef.current?.setCellFocus(personId, 'name');
    },
    focusedId: () => {
      const cell = apiRef.current && gridFocusCellSelector(apiRef);
      return cell ? Number(cell.id) : undefined;
    },
  }));
  const columns = useColumnsOf({ listId, shown, fields });
  const model = useMemo(() => gridModelOf(selection.selection), [selection.selection]);
  const sorted = Object.entries(sorts).find(([, by]) => by.asc === sort || by.desc === sort);
  return (
    <DataGrid
      apiRef={apiRef}
      aria-label="Contacts"
      rows={rows}
      columns={columns}
      getRowId={({ PersonID }) => PersonID}
      rowHeight={44}
      columnHeaderHeight={38}
      hideFooter
      disableColumnMenu
      disableColumnResize
      disableColumnFilter
      disableColumnSelector
      disableRowSelectionOnClick
      checkboxSelection
      keepNonExistentRowsSelected
      // The head's box ticks the page; everything is ticked by "Select all" in the bar, which says how many that is.
      disableRowSelectionExcludeModel
      rowSelectionModel={model}
      onRowSelectionModelChange={(after) => applyGridModel(selection, after)}
      paginationMode="server"
      rowCount={total}
      paginationModel={{ page: page - 1, pageSize }}
      pageSizeOptions={[pageSize]}
      sortingMode="server"
      sortingOrder={['asc', 'desc']}
      sortModel={sorted ? [{ field: sorted[0], sort: sorted[1].asc === sort ? 'asc' : 'desc' }] : []}
      onSortModelChange={([by]) => {
        const names = by && sorts[by.field];
        if (names) onSort(names[by.sort === 'desc' ? 'desc' : 'asc']);
      }}
      onRowClick={({ id }, event) => {
        const isLink = event.target instanceof Element && event.target.closest('a') !== null;
        // Somebody who selects a number to copy it doesn't want to open the row.
        if (!isLink && String(window.getSelection()) === '') onOpen(Number(id));
      }}
      onCellKeyDown={({ id, field }, event) => {
        const isOwn =
          event.target instanceof HTMLAnchorElement || field === GRID_CHECKBOX_SELECTION_COL_DEF.field;
        if (event.key === 'Enter' && !isOwn) onOpen(Number(id));
      }}
      slots={{ columnSortedAscendingIcon: Ascending, columnSortedDescendingIcon: Descending }}
      localeText={{
        checkboxSelectionSelectAllRows: 'Select all rows on this page',
        checkboxSelectionUnselectAllRows: 'Clear the selection on this page',
        // Set here because the grid's own words are English in every language.
        checkboxSelectionHeaderName: say('Selection'),
        checkboxSelectionSelectRow: 'Select row',
        checkboxSelectionUnselectRow: 'Unselect row',
        columnHeaderSortIconLabel: say('Sort'),
      }}
      sx={gridLook}
    />
  );
}

function Ascending() {
  return <ArrowUp size={14} strokeWidth={2} aria-hidden />;
}
function Descending() {
  return <ArrowDown size={14} strokeWidth={2} aria-hidden />;
}

interface ColumnsGiven {
  listId: number;
  shown: readonly string[];
  fields: readonly CustomField[];
}

/**
 * Notes are hidden below 1320 px and the last text below 1024 px, whatever was chosen; otherwise names would
 * be cut off.
 */
function useColumnsOf({ listId, shown, fields }: ColumnsGiven): GridColDef<Contact>[] {
  const hasNotes = useMediaQuery('(min-width: 1320px)', { noSsr: true });
  const hasLastText = useMediaQuery((theme) => theme.breakpoints.up('laptop'), { noSsr: true });
  return useMemo(() => {
    const all = [
      ...ownColumns(listId),
      ...fields.map(
        (field): GridColDef<Contact> => ({
          field: columnOfField(field),
          headerName: field.Name,
          width: 140,
          valueGetter: (_, { CustomData }) => CustomData[field.Name] ?? '',
        }),
      ),
    ];
    const isShown = ({ field }: GridColDef) =>
      field === 'name' ||
      (shown.includes(field) && (field !== 'notes' || hasNotes) && (field !== 'lasttext' || hasLastText));
    const columns = all
      .filter(isShown)
      .map((column): GridColDef<Contact> => ({ sortable: false, ...column }));
    // Without the groups the last column takes up the rest of the width.
    const last = columns.at(-1);
    if (last && !columns.some(({ field }) => field === 'groups')) {
      last.flex = last.flex ?? 100;
      last.maxWidth = Number.POSITIVE_INFINITY;
    }
    return [{ ...GRID_CHECKBOX_SELECTION_COL_DEF, width: 50, minWidth: 50 }, ...columns];
  }, [listId, shown, fields, hasNotes, hasLastText]);
}

/** The full width where there is room; it shrinks before the table scrolls sideways. */
function between(minWidth: number, width: number): Pick<GridColDef, 'flex' | 'minWidth' | 'maxWidth'> {
  return { flex: width, minWidth, maxWidth: width };
}

function ownColumns(listId: number): GridColDef<Contact>[] {
  const phoneColumn = (
    field: keyof typeof columnNames,
    pick: (row: Contact) => string,
  ): GridColDef<Contact> => ({
    field,
    headerName: columnNames[field],
    ...between(128, 134),
    valueGetter: (_, row) => (pick(row) === '' ? '' : formatPhone(pick(row))),
  });
  return [
    {
      field: 'name',
      headerName: say('Name'),
      ...between(168, 190),
      sortable: true,
      hideable: false,
      valueGetter: (_, row) => nameOfContact(row),
      renderCell: ({ row, tabIndex }: Cell) => <Name contact={row} tabIndex={tabIndex} />,
    },
    phoneColumn('phone', (row) => row.PrimaryPhone),
    {
      field: 'texting',
      headerName: columnNames.texting,
      ...between(150, 176),
      renderCell: ({ row }: Cell) => <TextingState contact={row} />,
    },
    {
      field: 'groups',
      headerName: columnNames.groups,
      minWidth: 130,
      flex: 150,
      renderCell: ({ row }: Cell) => <Groups lists={row.Lists} listId={listId} />,
    },
    {
      field: 'lasttext',
      headerName: columnNames.lasttext,
      ...between(92, 108),
      renderCell: ({ row }: Cell) =>
        row.LastTextTimestamp === null ? null : <Since at={row.LastTextTimestamp} />,
    },
    {
      field: 'notes',
      headerName: columnNames.notes,
      ...between(96, 156),
      valueGetter: (_, row) => row.Notes,
      renderCell: ({ row }: Cell) => (
        <Box component="span" title={row.Notes} sx={oneLine}>
          {row.Notes}
        </Box>
      ),
    },
    phoneColumn('phone2', (row) => row.SecondaryPhone),
    phoneColumn('phone3', (row) => row.TertiaryPhone),
    {
      field: 'added',
      headerName: columnNames.added,
      width: 120,
      sortable: true,
      sortingOrder: ['desc', 'asc'],
      renderCell: ({ row }: Cell) => <Since at={row.CreateTimestamp} />,
    },
  ];
}

const oneLine = { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;

function Name({ contact, tabIndex }: { contact: Contact; tabIndex: 0 | -1 }) {
  return (
    <NameLink to="/contacts/contact/$personId" params={{ personId: contact.PersonID }} tabIndex={tabIndex}>
      <Avatar name={fullName(contact)} size={26} />
      <Box component="span" sx={{ ...oneLine, fontWeight: 520, color: 'text.primary' }}>
        {nameOfContact(contact)}
      </Box>
    </NameLink>
  );
}

const WEEK_MS = 7 * 24 * 60 * 60_000;

/** "2 min ago", "Tuesday", and beyond a week "Mar 2": whole months are too wide for the column. */
function Since({ at }: { at: string }) {
  const isLate = useNow() - Date.parse(at) > WEEK_MS;
  return <RelativeTime at={at} style={isLate ? 'short' : 'long'} />;
}

/** One group and the number of others; the open group is left out, because it is known. */
function Groups({ lists, listId }: { lists: Contact['Lists']; listId: number }) {
  const others = lists.filter(({ ListID }) => ListID !== listId);
  const [first, ...rest] = others.length > 0 ? others : lists;
  if (!first) return null;
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: '6px', minWidth: 0 }}>
      <GroupChip name={first.ListName} color={first.Color} />
      {rest.length > 0 && (
        <Tooltip describeChild title={rest.map(({ ListName }) => ListName).join(', ')}>
          <Box component="span" sx={{ typography: 'caption', flex: 'none', color: 'text.secondary' }}>
            +{rest.length}
          </Box>
        </Tooltip>
      )}
    </Box>
  );
}

const gridLook = {
  flex: 1,
  minHeight: 0,
  border: 0,
  borderRadius: 0,
  typography: 'body1',
  color: 'text.secondary',
  '--DataGrid-t-color-border-base': 'var(--mui-palette-line-hair)',
  '--DataGrid-rowBorderColor': 'var(--mui-palette-line-hair)',
  '--unstable_DataGrid-radius': '0px',
  '& .MuiDataGrid-topContainer, & .MuiDataGrid-columnHeader, & .MuiDataGrid-columnHeaders .MuiDataGrid-filler, & .MuiDataGrid-scrollbarFiller--header':
    { bgcolor: 'surface.sunken' },
  '& .MuiDataGrid-columnSeparator': { display: 'none' },
  '& .MuiDataGrid-columnHeader': { px: '10px', '&:focus, &:focus-within': { outlineOffset: '-2px' } },
  '& .MuiDataGrid-columnHeaderTitle': { typography: 'caption', fontWeight: 500, color: 'ink.three' },
  '& .MuiDataGrid-columnHeader--sorted .MuiDataGrid-columnHeaderTitle': { color: 'text.primary' },
  '& .MuiDataGrid-columnHeader--sorted .MuiDataGrid-iconButtonContainer': {
    color: 'text.primary',
    ml: '2px',
  },
  '& .MuiDataGrid-columnHeader .MuiDataGrid-sortButton': {
    width: 24,
    height: 24,
    color: 'inherit',
    bgcolor: 'transparent',
    '&:hover': { bgcolor: 'surface.press' },
  },
  '& .MuiDataGrid-cell': {
    display: 'flex',
    alignItems: 'center',
    px: '10px',
    overflow: 'hidden',
    '&:focus, &:focus-within': { outlineColor: 'var(--mui-palette-primary-main)', outlineOffset: '-2px' },
  },
  '& .MuiDataGrid-cellCheckbox, & .MuiDataGrid-columnHeaderCheckbox': {
    justifyContent: 'center',
    p: 0,
    '&:focus, &:focus-within': { outline: 'none' },
  },
  '& .MuiDataGrid-row': { cursor: 'pointer' },
  '& .MuiDataGrid-row:hover': { bgcolor: 'surface.sunken' },
  '& .MuiDataGrid-row.Mui-selected, & .MuiDataGrid-row.Mui-selected:hover': { bgcolor: 'surface.selected' },
} as const;
