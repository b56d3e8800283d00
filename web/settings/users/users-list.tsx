import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import useMediaQuery from '@mui/material/useMediaQuery';
import { SearchX, UserCheck, UserX } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { Member } from '../../../contract/account-users.ts';
import { listAccountUsers } from '../../../contract/addresses/accounts.gen.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { fullName } from '../../queries/current-user.ts';
import type { ListState } from '../../queries/list-search.ts';
import { type SelectionState, useSelection } from '../../queries/selection.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { KeptRows } from '../../ui/kept-rows.tsx';
import { Pager } from '../../ui/pager.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { say } from '../../ui/say.ts';
import { type BarAction, SelectionBar } from '../../ui/selection-bar.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { SortHead, stickyHead } from '../../ui/sort-head.tsx';
import { visuallyHidden } from '../../ui/visually-hidden.ts';
import { useAllNumbers } from '../settings-queries.ts';
import { DeactivateDialog, type Leaving } from './deactivate-dialog.tsx';
import { useUserActions } from './user-actions.ts';
import { UserCard, UserRow } from './user-rows.tsx';
import { readUserSort, type UserSort, userQuery } from './user-view.ts';

interface UsersListProps {
  state: ListState;
  onChange: (by: Partial<ListState>, how?: { replace?: boolean }) => void;
  onEdit: (member: Member) => void;
}

/** The users of a view, and actions on the selected ones. */
export function UsersList({ state, onChange, onEdit }: UsersListProps) {
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down('sm'), { noSsr: true });
  const numbers = useAllNumbers();
  const filter = userQuery(state);
  const sortby = readUserSort(state.sort);
  const query = { ...filter, sortby, page: state.page, pagesize: Math.min(100, state.pagesize) };
  const { data, isError, isPlaceholderData, refetch } = useCallQuery(
    listAccountUsers,
    { query },
    { keepPrevious: true },
  );
  // This page is only for those who manage users, and they get the whole user.
  const rows = (data?.Items ?? []) as Member[];
  const total = data?.Size ?? 0;
  const selection = useSelection<number>(total, JSON.stringify(filter));
  const actions = useUserActions(filter, selection.clear);
  const [leaving, setLeaving] = useState<Leaving>();
  const [locked, setLocked] = useState<Member>();
  const isBeyond = data !== undefined && !isPlaceholderData && rows.length === 0 && state.page > 1;
  useEffect(() => {
    if (isBeyond) onChange({ page: state.page - 1 }, { replace: true });
  }, [isBeyond, state.page, onChange]);
  const each = {
    ...{ numbers, selection, actions, onEdit, onReset: setLocked },
    onDeactivate: (member: Member) =>
      setLeaving({
        selection: { Type: 'Selected', Items: [member.UserID] },
        count: 1,
        name: fullName(member),
      }),
  };
  const barActions: BarAction[] = [
    { label: 'Activate', icon: UserCheck, onPress: () => void actions.activate(selection.selection, true) },
    {
      label: 'Deactivate',
      icon: UserX,
      isDanger: true,
      isFirst: true,
      onPress: () => setLeaving({ selection: selection.selection, count: selection.count }),
    },
  ];
  const bar = selection.isAny && (
    <SelectionBar
      label="Selected users"
      selection={selection}
      total={total}
      isMore={false}
      canSelectAll
      isBusy={actions.isBusy}
      actions={barActions}
    />
  );
  return (
    <>
      {!isPhone && bar}
      <KeptRows id="user-rows" role="tabpanel" aria-label="Users" isOld={isPlaceholderData}>
        {isError && !data && (
          <Box sx={{ p: 2.5 }}>
            <RetryNotice onRetry={() => void refetch()}>
              There was an error getting your account's users.
            </RetryNotice>
          </Box>
        )}
        {!data && !isError && <SkeletonRows rows={5} rowHeight={56} isTwoLine label="Loading your users" />}
        {data && rows.length === 0 && !isBeyond && (
          <EmptyState
            icon={SearchX}
            title={state.q === '' ? 'Nobody here' : 'Nobody matches'}
            action={<Button onClick={() => onChange({ q: '', filter: '' })}>Show all users</Button>}
          />
        )}
        {rows.length > 0 &&
          (isPhone ? (
            <Box component="ul" aria-label="Users" sx={{ listStyle: 'none', m: 0, p: 0 }}>
              {rows.map((member) => (
                <UserCard key={member.UserID} member={member} {...each} />
              ))}
            </Box>
          ) : (
            <UsersTable
              rows={rows}
              selection={selection}
              sort={sortby}
              onSort={(next) => onChange({ sort: next === 'name' ? '' : next })}
            >
              {rows.map((member) => (
                <UserRow key={member.UserID} member={member} {...each} />
              ))}
            </UsersTable>
          ))}
      </KeptRows>
      {total > 0 && (
        <Pager
          page={state.page}
          pageSize={query.pagesize}
          size={total}
          onPage={(page) => onChange({ page })}
        />
      )}
      {isPhone && bar}
      {leaving && (
        <DeactivateDialog
          leaving={leaving}
          query={filter}
          isBusy={actions.isBusy}
          onDo={() => void actions.activate(leaving.selection, false).then(() => setLeaving(undefined))}
          onClose={() => setLeaving(undefined)}
        />
      )}
      {locked && (
        <AskDialog
          title={`Reset the second factor of ${fullName(locked)}?`}
          action="Reset second factor"
          keep="Keep it"
          isBusy={actions.isBusy}
          onDo={() => void actions.resetFactors(locked).then(() => setLocked(undefined))}
          onClose={() => setLocked(undefined)}
        >
          Do this if they lost their phone and their recovery codes. Their authenticator app, passkeys and
          recovery codes stop working, and they are signed out everywhere. Until they add a new one, their
          password alone signs them in: make sure that it’s really them who asks.
        </AskDialog>
      )}
    </>
  );
}

interface UsersTableProps {
  rows: readonly Member[];
  selection: SelectionState<number>;
  sort: UserSort;
  onSort: (sort: UserSort) => void;
  children: ReactNode;
}

function UsersTable({ rows, selection, sort, onSort, children }: UsersTableProps) {
  const ids = rows.map(({ UserID }) => UserID);
  const ticked = ids.filter(selection.isSelected);
  const isAll = ticked.length === ids.length;
  const head = (name: string, sx: object) => (
    <Box component="th" scope="col" sx={{ ...stickyHead, ...sx }}>
      {name}
    </Box>
  );
  return (
    <Box
      component="table"
      aria-label="Users"
      sx={{ width: '100%', borderCollapse: 'separate', borderSpacing: 0, tableLayout: 'fixed' }}
    >
      <thead>
        <tr>
          <Box
            component="th"
            scope="col"
            sx={{ ...stickyHead, width: 50, textAlign: 'center', p: 0, pl: '8px' }}
          >
            <Checkbox
              checked={isAll}
              indeterminate={!isAll && ticked.length > 0}
              onChange={() => (isAll ? selection.remove(ids) : selection.add(ids))}
              slotProps={{ input: { 'aria-label': 'Select all rows on this page' } }}
            />
          </Box>
          <SortHead sx={stickyHead} name={say('Name')} asc="name" desc="-name" sort={sort} onSort={onSort} />
          {head(say('Role'), { width: 136, display: { xs: 'none', md: 'table-cell' } })}
          {head(say('Status'), { width: 148 })}
          {head('Text numbers', { width: 200, display: { xs: 'none', laptop: 'table-cell' } })}
          <SortHead
            sx={{ ...stickyHead, width: 156, display: { xs: 'none', md: 'table-cell' } }}
            name="Last seen"
            asc="lastseen"
            desc="-lastseen"
            sort={sort}
            onSort={onSort}
          />
          <Box component="th" scope="col" sx={{ ...stickyHead, width: 60 }}>
            <span style={visuallyHidden}>Actions</span>
          </Box>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </Box>
  );
}
