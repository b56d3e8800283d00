import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import useMediaQuery from '@mui/material/useMediaQuery';
import { AudioLines, Download, ListFilter, Mic, SearchX, Star, Trash2, Users } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { listAudio } from '../../contract/addresses/audio.gen.ts';
import type { Audio } from '../../contract/audio.ts';
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
import { type AudioActions, useAudioActions } from './audio-actions.ts';
import { AudioCard, AudioRow } from './audio-row.tsx';
import { type AudioSort, type AudioView, filterOf, readSort } from './audio-view.ts';
import { RenameDialog } from './rename-dialog.tsx';

interface AudioListProps {
  view: AudioView;
  state: ListState;
  onChange: (by: Partial<ListState>, how?: { replace?: boolean }) => void;
  onRecord: () => void;
}

/** The rows of a view, and actions on the selected ones. */
export function AudioList({ view, state, onChange, onRecord }: AudioListProps) {
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down('sm'), { noSsr: true });
  const filter = filterOf(view, state);
  const sort = readSort(state.sort);
  const query = { ...filter, sort, page: state.page, pagesize: Math.min(100, state.pagesize) };
  const { data, isError, isPlaceholderData, refetch } = useCallQuery(
    listAudio,
    { query },
    { keepPrevious: true },
  );
  const rows = data?.Items ?? [];
  const total = data?.Size ?? 0;
  const selection = useSelection<number>(total, JSON.stringify(filter));
  const actions = useAudioActions(filter, selection.clear);
  const [edited, setEdited] = useState<Audio>();
  // The last page became empty, or the address asked for a page that doesn't exist.
  const isBeyond = data !== undefined && !isPlaceholderData && rows.length === 0 && state.page > 1;
  useEffect(() => {
    if (isBeyond) onChange({ page: state.page - 1 }, { replace: true });
  }, [isBeyond, state.page, onChange]);

  const bar = selection.isAny && (
    <SelectionBar
      label="Selected recordings"
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
        id="audio-rows"
        role="tabpanel"
        aria-label="Recordings"
        isOld={isPlaceholderData}
        sx={{ flex: 1, minHeight: 0, overflowY: 'auto' }}
      >
        {isError && !data && (
          <Box sx={{ p: 2.5 }}>
            <RetryNotice onRetry={() => void refetch()}>
              There was an error getting your recordings.
            </RetryNotice>
          </Box>
        )}
        {!data && !isError && <SkeletonRows rows={8} rowHeight={50} face={32} label="Loading recordings" />}
        {data && rows.length === 0 && !isBeyond && (
          <Nothing view={view} state={state} onChange={onChange} onRecord={onRecord} />
        )}
        {rows.length > 0 &&
          (isPhone ? (
            <Box component="ul" aria-label="Recordings" sx={{ listStyle: 'none', m: 0, p: 0 }}>
              {rows.map((audio) => (
                <AudioCard
                  key={audio.AudioID}
                  audio={audio}
                  selection={selection}
                  actions={actions}
                  onEdit={setEdited}
                />
              ))}
            </Box>
          ) : (
            <AudioTable
              rows={rows}
              selection={selection}
              sort={sort}
              onSort={(next) => onChange({ sort: next === 'name' ? '' : next })}
            >
              {rows.map((audio) => (
                <AudioRow
                  key={audio.AudioID}
                  audio={audio}
                  selection={selection}
                  actions={actions}
                  onEdit={setEdited}
                />
              ))}
            </AudioTable>
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
      <RenameDialog audio={edited} onClose={() => setEdited(undefined)} />
    </>
  );
}

function barActions(
  rows: readonly Audio[],
  selection: SelectionState<number>,
  actions: AudioActions,
): BarAction[] {
  const ticked = rows.filter(({ AudioID }) => selection.isSelected(AudioID));
  const isEvery = (has: (audio: Audio) => boolean) => ticked.length > 0 && ticked.every(has);
  const isStarred = isEvery(({ Favorite }) => Favorite);
  const isShared = isEvery(({ Shared }) => Shared);
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
    { label: 'Download', icon: Download, onPress: () => actions.downloadMany(chosen) },
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

interface AudioTableProps {
  rows: readonly Audio[];
  selection: SelectionState<number>;
  sort: AudioSort;
  onSort: (sort: AudioSort) => void;
  children: ReactNode;
}

function AudioTable({ rows, selection, sort, onSort, children }: AudioTableProps) {
  const ids = rows.map(({ AudioID }) => AudioID);
  const ticked = ids.filter(selection.isSelected);
  const isAll = ticked.length === ids.length;
  return (
    <Box
      component="table"
      aria-label="Recordings"
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
          <Box component="th" scope="col" sx={{ ...stickyHead, width: 44, px: '4px' }}>
            <span style={visuallyHidden}>Play</span>
          </Box>
          <SortHead sx={stickyHead} name={say('Name')} asc="name" desc="-name" sort={sort} onSort={onSort} />
          <Box
            component="th"
            scope="col"
            sx={{ ...stickyHead, width: 148, display: { xs: 'none', lg: 'table-cell' } }}
          >
            <span style={visuallyHidden}>Waveform</span>
          </Box>
          <SortHead
            sx={{ ...stickyHead, width: 72 }}
            name={say('Length')}
            asc="length"
            desc="-length"
            sort={sort}
            onSort={onSort}
          />
          <Box component="th" scope="col" sx={{ ...stickyHead, width: 146 }}>
            Type
          </Box>
          <Box
            component="th"
            scope="col"
            sx={{ ...stickyHead, width: 230, display: { xs: 'none', md: 'table-cell' } }}
          >
            Used
          </Box>
          <Box
            component="th"
            scope="col"
            sx={{ ...stickyHead, width: 108, display: { xs: 'none', laptop: 'table-cell' } }}
          >
            Added by
          </Box>
          <Box component="th" scope="col" sx={{ ...stickyHead, width: 52 }}>
            <span style={visuallyHidden}>More</span>
          </Box>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </Box>
  );
}

const emptyWords: Record<Exclude<AudioView, 'all'>, string> = {
  starred: 'Starred recordings show up here.',
  shared: 'Recordings shared with your team show up here.',
  'never-used': 'Every recording has been used in a broadcast.',
};

function Nothing({ view, state, onChange, onRecord }: AudioListProps) {
  if (state.q !== '' || state.filter !== '') {
    return (
      <EmptyState
        icon={state.q === '' ? ListFilter : SearchX}
        title="Nothing matches"
        action={<Button onClick={() => onChange({ q: '', filter: '' })}>Clear</Button>}
      />
    );
  }
  if (view !== 'all') return <EmptyState icon={AudioLines} title={emptyWords[view]} />;
  return (
    <EmptyState
      icon={AudioLines}
      title="No recordings yet"
      action={
        <Button startIcon={<Mic aria-hidden />} onClick={onRecord}>
          New recording
        </Button>
      }
    >
      Recordings you make or upload show up here.
    </EmptyState>
  );
}
