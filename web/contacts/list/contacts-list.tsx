import Box from '@mui/material/Box';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useNavigate } from '@tanstack/react-router';
import { MapPinOff, SearchCheck } from 'lucide-react';
import { lazy, Suspense, useContext, useRef } from 'react';
import type { List } from '../../../contract/lists.ts';
import type { SelectionOfIds } from '../../../contract/selection.ts';
import { isNotFound } from '../../api.ts';
import { useSelection } from '../../queries/selection.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { KeptRows } from '../../ui/kept-rows.tsx';
import { useKeys } from '../../ui/keys.tsx';
import { RouterButton } from '../../ui/router-button.tsx';
import { useCustomFields } from '../contact/contact-queries.ts';
import { OpenGroupDialog } from '../groups/group-menu.tsx';
import { GroupSelect } from '../groups/group-select.tsx';
import { useExportContacts } from './contacts-actions.ts';
import { useColumns } from './contacts-columns.ts';
import { ContactsEmpty } from './contacts-empty.tsx';
import { ContactsFooter } from './contacts-footer.tsx';
import type { ListHandle } from './contacts-grid.tsx';
import { useContactList, type useGroups } from './contacts-queries.ts';
import { ContactsRows } from './contacts-rows.tsx';
import { ContactsSkeleton } from './contacts-skeleton.tsx';
import { ContactsToolbar } from './contacts-toolbar.tsx';
import { pageSizeOf, selectionQueryOf, sortOf } from './contacts-view.ts';
import { SelectedContacts } from './selected-contacts.tsx';
import { WorkStrip } from './work-strip.tsx';

/** The table is by far the heaviest part of the page, and a phone never shows it. */
const ContactsGrid = lazy(async () => ({ default: (await import('./contacts-grid.tsx')).ContactsGrid }));

const everything: SelectionOfIds = { Type: 'SelectedAll', Items: [] };

interface ContactsListProps {
  listId: number;
  list: List | undefined;
  groups: ReturnType<typeof useGroups>;
  hasColumn: boolean;
  onAdd: () => void;
  onShowKeys: () => void;
}

/** One list: its tools, its rows, and actions on the ticked ones. */
export function ContactsList({ listId, list, groups, hasColumn, onAdd, onShowKeys }: ContactsListProps) {
  const navigate = useNavigate();
  const openGroupDialog = useContext(OpenGroupDialog);
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down('sm'), { noSsr: true });
  const contacts = useContactList(listId);
  const { state, change, rows, total, isMore } = contacts;
  const columns = useColumns();
  const fields = useCustomFields();
  const query = selectionQueryOf(state);
  const selection = useSelection<number>(total, JSON.stringify(query));
  const { exportAs } = useExportContacts({ listId, query });
  const searchRef = useRef<HTMLInputElement>(null);
  const rowsRef = useRef<ListHandle>(null);

  const onOpen = (personId: number) =>
    void navigate({ to: '/contacts/contact/$personId', params: { personId } });
  const move = (by: 1 | -1) => {
    const at = rows.findIndex(({ PersonID }) => PersonID === rowsRef.current?.focusedId());
    const next = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))];
    if (next) rowsRef.current?.focusRow(next.PersonID);
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    x: () => {
      const id = rowsRef.current?.focusedId();
      if (id !== undefined) selection.toggle(id);
    },
    n: onAdd,
    '/': () => searchRef.current?.focus(),
    '?': onShowKeys,
    Escape: selection.clear,
  });

  const bar = selection.isAny && (
    <SelectedContacts
      listId={listId}
      list={list}
      groups={groups}
      query={query}
      selection={selection}
      rows={rows}
      total={total}
      isMore={isMore}
      canSelectAll={!contacts.isSimilar}
      onExport={(format) => void exportAs(selection.selection, format)}
    />
  );
  if (isNotFound(contacts.error) && rows.length === 0) return <NoSuchGroup />;
  return (
    <Box
      component="section"
      aria-label={list?.ListName ?? 'Contacts'}
      sx={{ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column', bgcolor: 'background.paper' }}
    >
      <ContactsToolbar
        state={state}
        onChange={change}
        searchRef={searchRef}
        columns={columns}
        isPhone={isPhone}
        canExport={total > 0}
        onExport={(format) => void exportAs(everything, format)}
        groupSelect={hasColumn ? null : <GroupSelect groups={groups} list={list} />}
        bar={!isPhone && bar}
      />
      <WorkStrip />
      {contacts.isSimilar && rows.length > 0 && <SimilarBand q={state.q} />}
      {contacts.isPending ? (
        <ContactsSkeleton isPhone={isPhone} />
      ) : rows.length === 0 ? (
        <ContactsEmpty
          listId={listId}
          list={list}
          state={state}
          isError={contacts.error !== null}
          onRetry={() => void contacts.refetch()}
          onChange={change}
          onAdd={onAdd}
          onEditSegment={() => list && openGroupDialog({ kind: 'segment', list })}
        />
      ) : (
        <KeptRows
          isOld={contacts.isOld}
          sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column' }}
        >
          {isPhone ? (
            <ContactsRows ref={rowsRef} listId={listId} rows={rows} selection={selection} onOpen={onOpen} />
          ) : (
            <Suspense fallback={<ContactsSkeleton isPhone={false} />}>
              <ContactsGrid
                ref={rowsRef}
                listId={listId}
                rows={rows}
                selection={selection}
                onOpen={onOpen}
                total={total}
                page={state.page}
                pageSize={pageSizeOf(state.pagesize)}
                sort={sortOf(state.sort)}
                onSort={(sort) => change({ sort: sort === 'name' ? '' : sort })}
                shown={columns.shown}
                fields={fields}
              />
            </Suspense>
          )}
        </KeptRows>
      )}
      {rows.length > 0 && <ContactsFooter list={contacts} onChange={change} />}
      {isPhone && bar}
    </Box>
  );
}

function SimilarBand({ q }: { q: string }) {
  return (
    <Box
      role="status"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        minHeight: 40,
        px: 2,
        flex: 'none',
        bgcolor: 'surface.sunken',
        borderBottom: '1px solid',
        borderColor: 'line.hair',
        typography: 'body2',
        color: 'text.secondary',
      }}
    >
      <SearchCheck size={16} strokeWidth={1.75} aria-hidden style={{ flex: 'none' }} />
      No exact match for “{q}”. Showing similar results.
    </Box>
  );
}

function NoSuchGroup() {
  return (
    <Box sx={{ flex: 1, display: 'grid', placeItems: 'center', bgcolor: 'background.paper' }}>
      <EmptyState
        icon={MapPinOff}
        title="Group not found"
        action={
          <RouterButton to="/contacts" search={{}}>
            Go to Everyone
          </RouterButton>
        }
      >
        It may have been deleted. Its people are still in Everyone.
      </EmptyState>
    </Box>
  );
}
