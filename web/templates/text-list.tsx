import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import useMediaQuery from '@mui/material/useMediaQuery';
import { BookText, Plus, SearchX, Star, Trash2, Users } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { listTemplates } from '../../contract/addresses/templates.gen.ts';
import type { Template } from '../../contract/templates.ts';
import { useCallQuery } from '../queries/calls.ts';
import type { ListState } from '../queries/list-search.ts';
import { type SelectionState, useSelection } from '../queries/selection.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { KeptRows } from '../ui/kept-rows.tsx';
import { Pager } from '../ui/pager.tsx';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { say } from '../ui/say.ts';
import { type BarAction, SelectionBar } from '../ui/selection-bar.tsx';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';
import { SortHead, stickyHead } from '../ui/sort-head.tsx';
import { visuallyHidden } from '../ui/visually-hidden.ts';
import { type TextActions, useTextActions } from './text-actions.ts';
import { TextCard, TextRow } from './text-row.tsx';
import { readTextSort, type TextSort, type TextView, textFilter } from './text-view.ts';

interface TextListProps {
  view: TextView;
  state: ListState;
  onChange: (by: Partial<ListState>, how?: { replace?: boolean }) => void;
  onEdit: (text: Template | 'new') => void;
  onQuickSend: (text: Template) => void;
}

/** The saved texts of a view, and actions on the selected ones. */
export function TextList({ view, state, onChange, onEdit, onQuickSend }: TextListProps) {
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down('sm'), { noSsr: true });
  const filter = textFilter(view, state);
  const sortby = readTextSort(state.sort);
  const query = { ...filter, sortby, page: state.page, pagesize: Math.min(100, state.pagesize) };
  const { data, isError, isPlaceholderData, refetch } = useCallQuery(
    listTemplates,
    { query },
    { keepPrevious: true },
  );
  const rows = data?.Items ?? [];
  const total = data?.Size ?? 0;
  const selection = useSelection<number>(total, JSON.stringify(filter));
  const actions = useTextActions(filter, selection.clear);
  // The last page became empty, or the address asked for a page that doesn't exist.
  const isBeyond = data !== undefined && !isPlaceholderData && rows.length === 0 && state.page > 1;
  useEffect(() => {
    if (isBeyond) onChange({ page: state.page - 1 }, { replace: true });
  }, [isBeyond, state.page, onChange]);
  const each = { selection, actions, onEdit, onQuickSend };
  const bar = selection.isAny && (
    <SelectionBar
      label="Selected texts"
      selection={selection}
      total={total}
      isMore={false}
      canSelectAll
      isBusy={actions.isBusy}
      actions={barActions(rows, selection, actions)}
    />
  );
  return (
    <>
      {!isPhone && bar}
      <KeptRows
        id="text-rows"
        role="tabpanel"
        aria-label="Saved texts"
        isOld={isPlaceholderData}
        sx={{ flex: 1, minHeight: 0, overflowY: 'auto' }}
      >
        {isError && !data && (
          <Box sx={{ p: 2.5 }}>
            <RetryNotice onRetry={() => void refetch()}>
              There was an error getting your saved texts.
            </RetryNotice>
          </Box>
        )}
        {!data && !isError && (
          <SkeletonRows rows={8} rowHeight={60} isTwoLine label="Loading your saved texts" />
        )}
        {data && rows.length === 0 && !isBeyond && (
          <Nothing
            view={view}
            isNarrowed={state.q !== '' || state.filter !== ''}
            onClear={() => onChange({ q: '', filter: '' })}
            onAdd={() => onEdit('new')}
          />
        )}
        {rows.length > 0 &&
          (isPhone ? (
            <Box component="ul" aria-label="Saved texts" sx={{ listStyle: 'none', m: 0, p: 0 }}>
              {rows.map((text) => (
                <TextCard key={text.TemplateID} text={text} {...each} />
              ))}
            </Box>
          ) : (
            <TextTable
              rows={rows}
              selection={selection}
              sort={sortby}
              onSort={(next) => onChange({ sort: next === 'name' ? '' : next })}
            >
              {rows.map((text) => (
                <TextRow key={text.TemplateID} text={text} {...each} />
              ))}
            </TextTable>
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
    </>
  );
}

function barActions(
  rows: readonly Template[],
  selection: SelectionState<number>,
  actions: TextActions,
): BarAction[] {
  const ticked = rows.filter(({ TemplateID }) => selection.isSelected(TemplateID));
  const isEvery = (has: (text: Template) => boolean) => ticked.length > 0 && ticked.every(has);
  const isStarred = isEvery(({ IsFavorite }) => IsFavorite);
  const isShared = isEvery(({ IsShared }) => IsShared);
  const { selection: chosen } = selection;
  const refusal = isEvery(({ ReadOnly }) => ReadOnly)
    ? 'These belong to someone else. You can use them but not change them.'
    : undefined;
  return [
    {
      label: isStarred ? 'Unstar' : 'Star',
      icon: Star,
      onPress: () => void actions.star(chosen, !isStarred),
    },
    {
      label: isShared ? 'Stop sharing' : 'Share',
      icon: Users,
      refusal,
      onPress: () => void actions.share(chosen, !isShared),
    },
    {
      label: 'Delete',
      icon: Trash2,
      isDanger: true,
      isFirst: true,
      refusal,
      onPress: () => void actions.delete(chosen),
    },
  ];
}

interface TextTableProps {
  rows: readonly Template[];
  selection: SelectionState<number>;
  sort: TextSort;
  onSort: (sort: TextSort) => void;
  children: ReactNode;
}

function TextTable({ rows, selection, sort, onSort, children }: TextTableProps) {
  const ids = rows.map(({ TemplateID }) => TemplateID);
  const ticked = ids.filter(selection.isSelected);
  const isAll = ticked.length === ids.length;
  return (
    <Box
      component="table"
      aria-label="Saved texts"
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
          <SortHead
            sx={{ ...stickyHead, width: 248, display: { xs: 'none', md: 'table-cell' } }}
            name={say('Used')}
            asc="used"
            desc="-used"
            sort={sort}
            onSort={onSort}
          />
          <Box
            component="th"
            scope="col"
            sx={{ ...stickyHead, width: 128, display: { xs: 'none', laptop: 'table-cell' } }}
          >
            Added by
          </Box>
          <Box component="th" scope="col" sx={{ ...stickyHead, width: 108 }}>
            <span style={visuallyHidden}>Actions</span>
          </Box>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </Box>
  );
}

const emptyWords: Record<TextView, { title: string; words?: string }> = {
  all: {
    title: 'No saved texts yet',
    words: 'Save texts you send often. Type / in a message to insert one, or send one with quick send.',
  },
  starred: { title: 'No starred texts yet', words: 'Star the texts you use most.' },
  shared: {
    title: 'No shared texts yet',
    words: 'Texts that everyone in your organization can use are listed here.',
  },
  'never-used': { title: 'Every saved text has been used' },
};

interface NothingProps {
  view: TextView;
  /** By a search or a label. */
  isNarrowed: boolean;
  onClear: () => void;
  onAdd: () => void;
}

function Nothing({ view, isNarrowed, onClear, onAdd }: NothingProps) {
  if (isNarrowed) {
    return (
      <EmptyState
        icon={SearchX}
        title="Nothing matches"
        action={<Button onClick={onClear}>Show all</Button>}
      />
    );
  }
  const { title, words } = emptyWords[view];
  return (
    <EmptyState
      icon={BookText}
      title={title}
      action={
        view === 'all' && (
          <Button startIcon={<Plus aria-hidden />} onClick={onAdd}>
            New text
          </Button>
        )
      }
    >
      {words}
    </EmptyState>
  );
}
