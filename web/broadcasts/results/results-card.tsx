import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useNavigate } from '@tanstack/react-router';
import { Download, FolderPlus, Inbox, PhoneOutgoing, SearchX, Send, UserMinus } from 'lucide-react';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { downloadBroadcastDetails } from '../../../contract/addresses/broadcasts.gen.ts';
import type { WholeBroadcast } from '../../../contract/broadcasts.ts';
import { placesCalls } from '../../../contract/money/units.ts';
import { shownMessage } from '../../api.ts';
import { useCan } from '../../queries/current-user.ts';
import { type SelectionState, useSelection } from '../../queries/selection.ts';
import { downloadUrl } from '../../ui/download-url.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { countOf } from '../../ui/format.ts';
import { KeptRows } from '../../ui/kept-rows.tsx';
import { useNow } from '../../ui/now.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { type BarAction, SelectionBar } from '../../ui/selection-bar.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { TabWords } from '../../ui/tab-words.tsx';
import type { BroadcastActions } from '../broadcast-actions.ts';
import { isAnswerKey, type ResultsSearch } from '../broadcast-address.ts';
import { type DetailsFilter, useDetails } from '../broadcast-queries.ts';
import { whatCanBeDone } from '../what-can-be-done.ts';
import { GroupDialog } from './group-dialog.tsx';
import { type ResultTab, tabOfSegment, tabsOf } from './result-tabs.ts';
import { ResultsTable } from './results-table.tsx';
import { TabBand } from './tab-band.tsx';

interface ResultsCardProps {
  broadcast: WholeBroadcast;
  segment: string;
  search: ResultsSearch;
  actions: BroadcastActions;
}

/** Everybody, by what happened to their text or call. */
export function ResultsCard({ broadcast, segment, search, actions }: ResultsCardProps) {
  const { BroadcastID } = broadcast;
  const tabs = tabsOf(broadcast);
  const tab = tabOfSegment(tabs, segment);
  const filter = filterOf(tab, search);
  const details = useDetails(BroadcastID, filter);
  const total = details.extra ?? 0;
  const selection = useSelection<number>(total, JSON.stringify(filter));
  const [stickyRef, stickyTop] = useHeight();
  return (
    <Box
      component="section"
      aria-label="Recipients by result"
      sx={{
        bgcolor: 'background.paper',
        border: '1px solid',
        borderColor: 'line.hair',
        borderRadius: '10px 10px 0 0',
        borderBottom: 0,
        minHeight: 320,
        flex: 1,
      }}
    >
      <Box
        ref={stickyRef}
        sx={{
          position: 'sticky',
          top: 0,
          zIndex: 4,
          bgcolor: 'background.paper',
          borderRadius: '10px 10px 0 0',
        }}
      >
        <Toolbar broadcastId={BroadcastID} tabs={tabs} tab={tab} search={search} filter={filter} />
        <Selected
          broadcast={broadcast}
          filter={filter}
          selection={selection}
          total={total}
          actions={actions}
        />
      </Box>
      {tab && <TabBand broadcast={broadcast} tab={tab} search={search} actions={actions} />}
      <KeptRows
        id="result-rows"
        role="tabpanel"
        aria-label={tab?.name ?? 'Results'}
        isOld={details.query.isPlaceholderData}
      >
        {details.query.isPending ? (
          <SkeletonRows rows={8} rowHeight={44} face={26} label="Loading recipients" />
        ) : details.query.isError && details.rows.length === 0 ? (
          <Box sx={{ p: 2.5 }}>
            <RetryNotice onRetry={() => void details.query.refetch()}>
              {shownMessage(details.query.error, 'There was an error getting your recipients.')}
            </RetryNotice>
          </Box>
        ) : details.rows.length === 0 ? (
          <Nobody tab={tab} q={search.q} />
        ) : (
          <ResultsTable
            broadcastId={BroadcastID}
            channel={tab?.channel ?? 'texts'}
            details={details}
            total={total}
            selection={selection}
            stickyTop={stickyTop}
          />
        )}
      </KeptRows>
    </Box>
  );
}

function filterOf(tab: ResultTab | undefined, { q, answer }: ResultsSearch): DetailsFilter {
  return {
    ...(q ? { q } : {}),
    ...(tab?.category ? { textresultcategory: tab.category } : {}),
    ...(tab?.callCategory ? { callresultcategory: tab.callCategory } : {}),
    ...(tab?.isSurvey && tab.channel === 'texts'
      ? { textsurveyresponse: answer === 'Yes' || answer === 'No' ? answer : ('Any' as const) }
      : {}),
    ...(tab?.isSurvey && tab.channel === 'calls'
      ? { surveyresult: answer && isAnswerKey(answer) ? answer : ('Any' as const) }
      : {}),
  };
}

interface ToolbarProps {
  broadcastId: number;
  tabs: readonly ResultTab[];
  tab: ResultTab | undefined;
  search: ResultsSearch;
  filter: DetailsFilter;
}

function Toolbar({ broadcastId, tabs, tab, search, filter }: ToolbarProps) {
  const navigate = useNavigate();
  const go = useCallback(
    (sub: string, next: ResultsSearch, replace: boolean) =>
      void navigate({
        to: '/broadcast-details/$broadcastId/$sub',
        params: { broadcastId, sub },
        search: next,
        replace,
        resetScroll: false,
      }),
    [navigate, broadcastId],
  );
  const segment = tab?.segment ?? 'text-results';
  const answer = search.answer;
  const onSearch = useCallback(
    (q: string) => go(segment, { q: q || undefined, answer }, true),
    [go, segment, answer],
  );
  const hasBoth = tabs.some(({ channel }) => channel !== tab?.channel);
  const shown = tabs.filter(({ channel }) => channel === tab?.channel);
  return (
    // Side by side where all tabs have room, otherwise on two lines. Each part draws its own border; side by
    // side they look like one.
    <Box sx={{ display: 'flex', flexWrap: 'wrap' }}>
      {hasBoth && tab && (
        <Box
          sx={{
            flex: '1 0 100%',
            px: 1.5,
            py: 1,
            borderBottom: '1px solid',
            borderColor: 'line.hair',
            '& > *': { maxWidth: 240 },
          }}
        >
          <Segmented
            label="Calls or texts"
            value={tab.channel}
            parts={[
              { value: 'calls', words: 'Calls' },
              { value: 'texts', words: 'Texts' },
            ]}
            onChange={(channel) => {
              const first = tabs.find((each) => each.channel === channel);
              if (first) go(first.segment, { q: search.q }, false);
            }}
          />
        </Box>
      )}
      <Tabs
        value={segment}
        onChange={(_, next: string) => go(next, { q: search.q }, false)}
        aria-label="Results"
        scrollButtons="auto"
        sx={{
          flex: '1000 1 max-content',
          minWidth: 0,
          minHeight: 48,
          px: '10px',
          borderBottom: '1px solid',
          borderColor: 'line.hair',
          '& .MuiTabs-list': { gap: 0 },
          '& .MuiTab-root': { minHeight: 48, px: { md: '8px', xl: '9px' } },
        }}
      >
        {shown.map(({ name, segment: value, count }) => (
          <Tab
            key={value}
            value={value}
            aria-controls="result-rows"
            label={<TabWords showsNone name={name} count={count} />}
          />
        ))}
      </Tabs>
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 1,
          px: 1.5,
          py: 1,
          flex: { xs: '1 0 100%', md: '1 0 auto' },
          borderBottom: '1px solid',
          borderColor: 'line.hair',
        }}
      >
        <SearchField
          q={search.q ?? ''}
          placeholder="Search"
          label="Search by name or phone"
          onSearch={onSearch}
          sx={{
            width: { md: 168 },
            flex: { xs: 1, md: 'none' },
            '& .MuiOutlinedInput-root': { height: 32, minHeight: 32 },
          }}
        />
        <Button
          component="a"
          size="small"
          href={downloadUrl(downloadBroadcastDetails, {
            params: { BroadcastID: broadcastId },
            query: filter,
          })}
          download
          startIcon={<Download aria-hidden />}
          aria-label="Download this view as CSV"
          sx={{ height: 32 }}
        >
          CSV
        </Button>
      </Box>
    </Box>
  );
}

interface SelectedProps {
  broadcast: WholeBroadcast;
  filter: DetailsFilter;
  selection: SelectionState<number>;
  total: number;
  actions: BroadcastActions;
}

/** The actions on ticked people. */
function Selected({ broadcast, filter, selection, total, actions }: SelectedProps) {
  const now = useNow();
  const [isGrouping, setGrouping] = useState(false);
  const mayCreate = useCan('createBroadcast');
  const chosen = selection.selection;
  if (!selection.isAny) return null;
  const takeOut = async () => {
    if (await actions.takeOut(broadcast, filter, chosen)) selection.clear();
  };
  const bar: BarAction[] = [
    { label: 'Add to group', icon: FolderPlus, isFirst: true, onPress: () => setGrouping(true) },
    ...(mayCreate
      ? [
          {
            label: placesCalls(broadcast.BroadcastType) ? 'Call again' : 'Send again',
            icon: placesCalls(broadcast.BroadcastType) ? PhoneOutgoing : Send,
            isFirst: true,
            onPress: () => void actions.sendAgain(broadcast, filter, chosen),
          },
        ]
      : []),
    ...(broadcast.CanChange && whatCanBeDone(broadcast, now).takeOut
      ? [{ label: 'Remove', icon: UserMinus, isDanger: true, isFirst: true, onPress: () => void takeOut() }]
      : []),
  ];
  return (
    <>
      <SelectionBar
        label="Selected recipients"
        selection={selection}
        total={total}
        isMore={false}
        canSelectAll
        isBusy={actions.isBusy}
        actions={bar}
      />
      {isGrouping && (
        <GroupDialog
          count={selection.count}
          isBusy={actions.isBusy}
          onPut={async (groupName) => {
            const isDone = await actions.putIntoGroup(broadcast, filter, chosen, groupName);
            if (isDone) selection.clear();
            return isDone;
          }}
          onClose={() => setGrouping(false)}
        />
      )}
    </>
  );
}

const noCallWords: Record<string, string> = {
  'live-person': 'Calls that a person answered are listed here.',
  voicemail: 'Calls that reached voicemail are listed here.',
  'busy-no-answer': 'Busy phones, and those that nobody answered after the last retry, are listed here.',
  invalid: 'No invalid numbers.',
  'not-completed': 'No calls are waiting, failed or canceled.',
  transfers: 'Nobody was connected.',
  'survey-results': 'Nobody has pressed a key yet.',
};

const nobodyWords: Record<string, string> = {
  delivered: 'Texts that the carrier confirmed as delivered are listed here.',
  read: 'Texts that were read are listed here.',
  failed: 'No texts failed.',
  invalid: 'No invalid numbers.',
  'not-completed': 'No texts are in progress.',
  'opted-out': 'Nobody has opted out.',
  replied: 'Nobody has replied yet.',
  'not-replied': 'Everyone who got it has replied, or nobody has gotten it yet.',
  'text-survey-results': 'Nobody has replied Yes or No yet.',
};

function Nobody({ tab, q }: { tab: ResultTab | undefined; q: string | undefined }) {
  if (q)
    return (
      <EmptyState icon={SearchX} title="Nobody found">
        Nobody in this view has “{q}” in their name or phone.
      </EmptyState>
    );
  return (
    <EmptyState icon={Inbox} title={tab ? `${tab.name}: ${countOf(0, 'person', 'people')}` : 'Nobody'}>
      {(tab?.channel === 'calls'
        ? noCallWords[tab.segment]
        : nobodyWords[(tab?.segment ?? '').replace(/^text-(?=invalid|not-)/, '')]) ??
        'This broadcast has no recipients.'}
    </EmptyState>
  );
}

function useHeight() {
  const ref = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => setHeight(element.offsetHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, height] as const;
}
