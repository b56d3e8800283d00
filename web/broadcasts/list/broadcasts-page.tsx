import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useCallback, useRef } from 'react';
import { getBroadcastsSummary, listLabels } from '../../../contract/addresses/broadcasts.gen.ts';
import type { Reply } from '../../../contract/call.ts';
import { SampleBroadcastButton } from '../../pieces/broadcasts/sample-broadcast.tsx';
import { useCallQuery } from '../../queries/calls.ts';
import { useCan } from '../../queries/current-user.ts';
import { countOf, formatCount } from '../../ui/format.ts';
import { useKeys } from '../../ui/keys.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { RouterButton } from '../../ui/router-button.tsx';
import { say } from '../../ui/say.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { TabWords } from '../../ui/tab-words.tsx';
import type { BroadcastsSearch, BroadcastTab } from '../broadcast-address.ts';
import { BroadcastsList } from './broadcasts-list.tsx';
import { RepeatingFailures } from './repeating-failures.tsx';

type Summary = Reply<typeof getBroadcastsSummary>;
export type ChangeSearch = (change: BroadcastsSearch, how?: { replace?: boolean }) => void;

/** Broadcasts that went out, are going out and will go out. */
export function BroadcastsPage({ search }: { search: BroadcastsSearch }) {
  const navigate = useNavigate();
  const mayCreate = useCan('createBroadcast');
  const maySample = useCan('seeSampleBroadcasts');
  const { data: summary } = useCallQuery(getBroadcastsSummary, {});
  const searchRef = useRef<HTMLInputElement>(null);
  // After any change of the filters, the list starts at its first page again.
  const onChange: ChangeSearch = useCallback(
    (change, { replace = false } = {}) =>
      void navigate({
        to: '/broadcasts',
        search: (before) => ({ ...before, page: undefined, ...change }),
        replace,
      }),
    [navigate],
  );
  const onSearch = useCallback((q: string) => onChange({ q: q || undefined }, { replace: true }), [onChange]);
  useKeys({ '/': () => searchRef.current?.focus() });
  const tab = search.tab ?? 'all';
  return (
    <>
      <PageHead
        title="Broadcasts"
        sentence={summary && summaryWords(summary)}
        actions={
          mayCreate && (
            <>
              {maySample && <SampleBroadcastButton />}
              <RouterButton
                to="/broadcasts/create"
                search={{}}
                variant="contained"
                color="primary"
                startIcon={<Plus aria-hidden />}
              >
                New broadcast
              </RouterButton>
            </>
          )
        }
      />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, display: 'grid', gap: 2 }}>
        <RepeatingFailures />
        <Box
          component="section"
          aria-label="Broadcasts"
          sx={{
            bgcolor: 'background.paper',
            border: '1px solid',
            borderColor: 'line.hair',
            borderRadius: '10px',
            minWidth: 0,
          }}
        >
          <Box
            sx={{
              display: 'flex',
              flexWrap: 'wrap',
              alignItems: 'center',
              borderBottom: '1px solid',
              borderColor: 'line.hair',
            }}
          >
            <Tabs
              value={tab}
              onChange={(_, next: BroadcastTab) =>
                onChange({ tab: next === 'all' ? undefined : next, label: undefined })
              }
              aria-label="Broadcasts"
              sx={{
                flex: '1 1 auto',
                minWidth: 0,
                maxWidth: '100%',
                minHeight: 48,
                px: '10px',
                '& .MuiTab-root': { minHeight: 48 },
              }}
            >
              {tabsInOrder.map((name) => (
                <Tab
                  key={name}
                  value={name}
                  aria-controls="broadcast-rows"
                  label={<TabWords name={tabNames[name]} count={summary && counts[name](summary)} />}
                />
              ))}
            </Tabs>
            <Box sx={{ display: 'flex', gap: 1, px: 1.5, py: 1, flex: { xs: '1 1 100%', laptop: 'none' } }}>
              {hasLabels(tab) && <LabelFilter search={search} onChange={onChange} />}
              <SearchField
                q={search.q ?? ''}
                placeholder="Search"
                label="Search by name or text"
                inputRef={searchRef}
                onSearch={onSearch}
                sx={{
                  width: { laptop: 200 },
                  flex: { xs: 1, laptop: 'none' },
                  '& .MuiOutlinedInput-root': { height: 32, minHeight: 32 },
                }}
              />
            </Box>
          </Box>
          <BroadcastsList search={search} onChange={onChange} />
        </Box>
      </Box>
    </>
  );
}

const tabNames: Record<BroadcastTab, string> = {
  all: say('All', 'broadcasts'),
  broadcasting: say('Broadcasting'),
  scheduled: say('Scheduled', 'broadcasts'),
  completed: say('Completed', 'broadcasts'),
  drafts: say('Drafts'),
  repeating: say('Repeating'),
  archived: say('Archived', 'broadcasts'),
};

const tabsInOrder = Object.keys(tabNames) as BroadcastTab[];

const counts: Record<BroadcastTab, (summary: Summary) => number> = {
  all: ({ All }) => All,
  broadcasting: ({ Broadcasting }) => Broadcasting,
  scheduled: ({ Scheduled }) => Scheduled,
  completed: ({ Completed }) => Completed,
  drafts: ({ Drafts }) => Drafts,
  repeating: ({ Repeating }) => Repeating,
  archived: ({ Archived }) => Archived,
};

function hasLabels(tab: BroadcastTab): boolean {
  return tab !== 'drafts' && tab !== 'repeating';
}

/** "1 is sending now. 3 scheduled, 2 drafts." */
function summaryWords({ Broadcasting, Scheduled, Drafts }: Summary): string {
  const going =
    Broadcasting === 0
      ? 'Nothing is sending right now'
      : Broadcasting === 1
        ? '1 is sending now'
        : `${formatCount(Broadcasting)} are sending now`;
  const others = [
    ...(Scheduled > 0 ? [`${formatCount(Scheduled)} scheduled`] : []),
    ...(Drafts > 0 ? [countOf(Drafts, 'draft', 'drafts')] : []),
  ];
  return others.length === 0 ? `${going}.` : `${going}. ${others.join(', ')}.`;
}

interface LabelFilterProps {
  search: BroadcastsSearch;
  onChange: ChangeSearch;
}

/** Hidden if there are no labels. */
function LabelFilter({ search, onChange }: LabelFilterProps) {
  const { data } = useCallQuery(listLabels, {});
  const labels = data?.Items ?? [];
  if (labels.length === 0) return null;
  const chosen = labels.find(({ LabelID }) => LabelID === search.label);
  return (
    <Select
      displayEmpty
      value={chosen?.LabelID ?? ''}
      onChange={(event) => onChange({ label: Number(event.target.value) || undefined })}
      renderValue={() => (chosen ? chosen.LabelName : 'All labels')}
      SelectDisplayProps={{ 'aria-label': 'Label' }}
      sx={{ height: 32, width: 150, minWidth: 0 }}
    >
      <MenuItem value="">All labels</MenuItem>
      {labels.map(({ LabelID, LabelName }) => (
        <MenuItem key={LabelID} value={LabelID}>
          <Chip variant="outlined" label={LabelName} />
        </MenuItem>
      ))}
    </Select>
  );
}
