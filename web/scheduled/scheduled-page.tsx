import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useNavigate } from '@tanstack/react-router';
import { CalendarClock, PhoneOff, SearchX, SquarePen } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { TextNumber } from '../../contract/numbers.ts';
import type { ScheduledConversation } from '../../contract/scheduled.ts';
import { inboxTitle, noTextNumbersTitle } from '../../contract/states/conversation-state.ts';
import { shownMessage } from '../api.ts';
import { textNumberName } from '../pieces/numbers/text-number-names.ts';
import { ContactUs } from '../pieces/support/contact-us.tsx';
import { useCan, useTimeZone } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { formatCount, zoneName } from '../ui/format.ts';
import { KeptRows } from '../ui/kept-rows.tsx';
import { useKeys } from '../ui/keys.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { Pager } from '../ui/pager.tsx';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { RouterButton } from '../ui/router-button.tsx';
import { RouterLink } from '../ui/router-link.tsx';
import { say } from '../ui/say.ts';
import { SearchField } from '../ui/search-field.tsx';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';
import { AskAbout } from './ask-about.tsx';
import { EditDialog } from './edit-dialog.tsx';
import type { ScheduledSearch } from './scheduled-address.ts';
import { PAGE_SIZE, useNumbers, useScheduled, useScheduledActions } from './scheduled-queries.ts';
import { type RowAction, ScheduledRow } from './scheduled-row.tsx';

type ChangeSearch = (change: ScheduledSearch, how?: { replace?: boolean }) => void;

const PAGE_WIDTH = 960;

/** Scheduled texts: the upcoming ones, and the results of earlier ones. */
export function ScheduledPage({ search }: { search: ScheduledSearch }) {
  const navigate = useNavigate();
  const zone = useTimeZone();
  const numbers = useNumbers();
  const canRead = useCan('readConversations');
  const canCompose = useCan('createConversation');
  const searchRef = useRef<HTMLInputElement>(null);
  // Any change returns to the first page.
  const onChange: ChangeSearch = useCallback(
    (change, { replace = false } = {}) =>
      void navigate({
        to: '/inbox/scheduled-conversations',
        search: (before) => ({ ...before, page: undefined, ...change }),
        replace,
      }),
    [navigate],
  );
  const onSearch = useCallback((q: string) => onChange({ q: q || undefined }, { replace: true }), [onChange]);
  useKeys({ '/': () => searchRef.current?.focus() });
  if (!canRead || numbers?.length === 0) return <NoNumbers />;
  const inbox = titleOfInbox(search, numbers ?? []);
  return (
    <>
      <PageHead
        title="Scheduled conversations"
        maxWidth={PAGE_WIDTH}
        tabTitle={`Scheduled conversations · ${inbox}`}
        crumb={
          <RouterLink
            to="/inbox"
            search={search.textNumberId ? { textNumberId: search.textNumberId } : {}}
            color="inherit"
          >
            {inbox}
          </RouterLink>
        }
        sentence={`Texts scheduled to go out automatically. Times are in ${zoneName(zone)}.`}
        actions={
          canCompose && (
            <RouterButton
              to="/inbox"
              search={{ compose: true }}
              variant="contained"
              color="primary"
              startIcon={<SquarePen aria-hidden />}
            >
              New conversation
            </RouterButton>
          )
        }
      />
      <Box
        sx={{
          px: { xs: 2, sm: 3, laptop: 4 },
          pb: 4,
          display: 'grid',
          gridTemplateColumns: 'minmax(0, 1fr)',
          gap: 2,
          maxWidth: PAGE_WIDTH,
        }}
      >
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          <SearchField
            q={search.q ?? ''}
            placeholder="Search by text, name or number"
            inputRef={searchRef}
            onSearch={onSearch}
            sx={{ flex: '1 1 240px' }}
          />
          <NumberFilter search={search} numbers={numbers ?? []} onChange={onChange} />
        </Box>
        <ScheduledList search={search} numbers={numbers ?? []} onChange={onChange} />
      </Box>
    </>
  );
}

/** The spec's "Inbox title rules": only the text number applies here. */
function titleOfInbox(search: ScheduledSearch, numbers: readonly TextNumber[]): string {
  const number = numbers.find(({ TextNumberID }) => TextNumberID === search.textNumberId);
  return inboxTitle({
    isDone: false,
    isAutoOptOuts: false,
    ...(number ? { textNumber: { ...number, Name: number.Name.trim() } } : {}),
  });
}

interface PartProps {
  search: ScheduledSearch;
  numbers: readonly TextNumber[];
  onChange: ChangeSearch;
}

function NumberFilter({ search, numbers, onChange }: PartProps) {
  if (numbers.length < 2) return null;
  const chosen = numbers.find(({ TextNumberID }) => TextNumberID === search.textNumberId);
  return (
    <Select
      displayEmpty
      value={chosen?.TextNumberID ?? ''}
      onChange={(event) => onChange({ textNumberId: Number(event.target.value) || undefined })}
      renderValue={() => (chosen ? textNumberName(chosen) : 'All numbers')}
      SelectDisplayProps={{ 'aria-label': 'Text number' }}
      sx={{ flex: { xs: '1 1 100%', sm: '0 1 220px' }, minWidth: 0 }}
    >
      <MenuItem value="">All numbers</MenuItem>
      {numbers.map((number) => (
        <MenuItem key={number.TextNumberID} value={number.TextNumberID}>
          {textNumberName(number)}
        </MenuItem>
      ))}
    </Select>
  );
}

const tabs = [
  ['upcoming', say('Upcoming')],
  ['ended', say('Ended')],
] as const;

function ScheduledList({ search, numbers, onChange }: PartProps) {
  const list = useScheduled(search);
  const { data, isPlaceholderData } = list;
  const { dialogs, onAct } = useRowDialogs(numbers, onChange);
  const shown = search.ended ? 'ended' : 'upcoming';
  useLastPage(search, isPlaceholderData ? undefined : data, onChange);
  return (
    <Card>
      <Tabs
        value={shown}
        onChange={(_, next) => onChange({ ended: next === 'ended' ? true : undefined })}
        aria-label="Scheduled conversations"
        sx={{ px: '10px', borderBottom: '1px solid', borderColor: 'line.hair' }}
      >
        {tabs.map(([value, label]) => (
          <Tab
            key={value}
            value={value}
            id={`scheduled-tab-${value}`}
            aria-controls="scheduled-list"
            label={
              value === shown && data && !isPlaceholderData && data.Size > 0
                ? `${label} ${formatCount(data.Size)}`
                : label
            }
          />
        ))}
      </Tabs>
      <KeptRows
        id="scheduled-list"
        role="tabpanel"
        aria-labelledby={`scheduled-tab-${shown}`}
        isOld={isPlaceholderData}
      >
        {list.isPending && (
          <SkeletonRows rows={4} rowHeight={104} isTwoLine label="Loading scheduled conversations" />
        )}
        {list.isError && !data && (
          <Box sx={{ p: 2.5 }}>
            <RetryNotice onRetry={() => void list.refetch()}>
              {shownMessage(list.error, 'There was an error getting your scheduled conversations.')}
            </RetryNotice>
          </Box>
        )}
        {data?.Items.length === 0 && <Nothing search={search} />}
        {data && data.Items.length > 0 && (
          <Box component="ul" aria-label="Texts" sx={{ listStyle: 'none', m: 0, p: 0 }}>
            {data.Items.map((one) => (
              <ScheduledRow key={one.ScheduledConversationID} one={one} numbers={numbers} onAct={onAct} />
            ))}
          </Box>
        )}
      </KeptRows>
      {data && (
        <Pager
          page={search.page ?? 1}
          pageSize={PAGE_SIZE}
          size={data.Size}
          onPage={(page) => onChange({ page })}
        />
      )}
      {dialogs}
    </Card>
  );
}

/** The last page became empty, or the address asked for a page that doesn't exist. */
function useLastPage(
  { page = 1 }: ScheduledSearch,
  data: { Items: unknown[]; Size: number } | undefined,
  onChange: ChangeSearch,
): void {
  const isBeyond = data !== undefined && data.Items.length === 0 && page > 1;
  const last = Math.max(1, Math.ceil((data?.Size ?? 0) / PAGE_SIZE));
  useEffect(() => {
    if (isBeyond) onChange({ page: last > 1 ? last : undefined }, { replace: true });
  }, [isBeyond, last, onChange]);
}

/** The dialog of a row's action. Rendered beside the list, so that it stays if its row disappears. */
function useRowDialogs(numbers: readonly TextNumber[], onChange: ChangeSearch) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<{ action: RowAction; one: ScheduledConversation }>();
  const close = () => setOpen(undefined);
  const actions = useScheduledActions(({ Contacts }) => {
    const [first, ...more] = Contacts;
    const conversationId = more.length === 0 ? first?.ConversationID : null;
    if (conversationId) void navigate({ to: '/inbox/$conversationId', params: { conversationId } });
    else onChange({ ended: true, q: undefined });
  });
  const act = async () => {
    if (!open) return;
    const isDone = await (open.action === 'send' ? actions.sendNow(open.one) : actions.cancel(open.one));
    if (isDone) close();
  };
  const dialogs =
    open &&
    (open.action === 'edit' ? (
      <EditDialog one={open.one} numbers={numbers} onClose={close} />
    ) : (
      <AskAbout
        about={open.action}
        one={open.one}
        isBusy={actions.isBusy}
        onDo={() => void act()}
        onClose={close}
      />
    ));
  return { dialogs, onAct: (action: RowAction, one: ScheduledConversation) => setOpen({ action, one }) };
}

function Nothing({ search }: Pick<PartProps, 'search'>) {
  const canCompose = useCan('createConversation');
  if (search.q) {
    return (
      <EmptyState icon={SearchX} title="Nothing found">
        No scheduled text or recipient matches “{search.q}”.
      </EmptyState>
    );
  }
  if (search.ended) {
    return (
      <EmptyState icon={CalendarClock} title="Nothing has ended yet">
        Texts that were sent, canceled or failed show up here.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={CalendarClock}
      title="Nothing is scheduled"
      action={
        canCompose && (
          <RouterButton to="/inbox" search={{ compose: true }}>
            Write a text
          </RouterButton>
        )
      }
    >
      Write a text and choose “Schedule for later”. You can change it here until it goes out.
    </EmptyState>
  );
}

function NoNumbers() {
  usePageTitle(say('Inbox'));
  return (
    <Box sx={{ flex: 1, display: 'grid', placeItems: 'center' }}>
      <EmptyState icon={PhoneOff} titleComponent="h1" title={noTextNumbersTitle}>
        Please contact an account administrator for access, or our support. <ContactUs />
      </EmptyState>
    </Box>
  );
}
