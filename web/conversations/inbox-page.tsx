import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useNavigate } from '@tanstack/react-router';
import { MessagesSquare, PhoneOff } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { getConversation } from '../../contract/conversations.ts';
import { noTextNumbersTitle } from '../../contract/states/conversation-state.ts';
import { useCallQuery } from '../queries/calls.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { KeysDialog, useKeys } from '../ui/keys.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { showSnackbar } from '../ui/snackbar.tsx';
import { ContactPane } from './contact-pane.tsx';
import { useContactShown } from './contact-shown.ts';
import type { ConversationListHandle } from './conversation-list.tsx';
import { type InboxSearch, readInboxSearch } from './inbox-address.ts';
import { inboxKeys } from './inbox-keys.ts';
import { useConversationList, useTextNumbers } from './inbox-queries.ts';
import { inboxTitle } from './inbox-view.ts';
import { ListPane, useListSelection } from './list-pane.tsx';
import { useMarkDone } from './mark-done.ts';
import { nameOf } from './names.ts';
import { ThreadMissing, ThreadPane, ThreadSkeleton } from './thread-pane.tsx';
import { useViewConversation } from './view-conversation.ts';

/** Opened seldom, with an autocomplete and a telephone in it: its code is fetched when it is. */
const ComposeDialog = lazy(async () => ({ default: (await import('./compose-dialog.tsx')).ComposeDialog }));

interface InboxPageProps {
  search: InboxSearch;
  conversationId: number | undefined;
}

/** List, thread, contact: three panes, two, or one, by the room there is. */
export function InboxPage({ search, conversationId }: InboxPageProps) {
  const navigate = useNavigate();
  const { numbers, isLoaded, isError } = useTextNumbers();
  useEffect(() => {
    if (isError) showSnackbar('There was an error getting your text numbers.');
  }, [isError]);
  const hasNumbers = !isLoaded || numbers.length > 0;
  const conversations = useConversationList(search, hasNumbers);
  const { rows, total } = conversations;
  const selection = useListSelection(search, total, rows);
  const opened = useOpened(conversationId, rows);
  const markDone = useMarkDone();
  const isOnePane = useMediaQuery((theme) => theme.breakpoints.down('tablet'), { noSsr: true });
  const isContactInline = useMediaQuery((theme) => theme.breakpoints.up('lg'), { noSsr: true });
  const contact = useContactShown(isContactInline);
  const [isKeysShown, setKeysShown] = useState(false);
  const isComposing = search.compose === true;
  const [wasComposed, setComposed] = useState(isComposing);
  if (isComposing && !wasComposed) setComposed(true);
  const listRef = useRef<ConversationListHandle>(null);
  const searchRef = useRef<HTMLInputElement>(null);
  const reply = useReplyFocus(conversationId);
  const title = inboxTitle(search, numbers);
  usePageTitle(opened.conversation ? nameOf(opened.conversation) : title);
  useViewConversation(opened.conversation);

  // From the newest address, not from the one rendered: a search may still be on its way into it.
  const onSearch = useCallback(
    (change: (before: InboxSearch) => InboxSearch, { replace = false } = {}) =>
      void navigate({ to: '.', search: (before) => change(readInboxSearch(before)), replace }),
    [navigate],
  );
  const setCompose = (compose: true | undefined) =>
    onSearch((before) => ({ ...before, compose, to: undefined }), { replace: compose === undefined });
  const onBack = () => void navigate({ to: '/inbox', search });
  useRestoreSearch(search, conversations.list, onSearch);

  const aimedId = () => listRef.current?.focusedId() ?? conversationId;
  const move = (by: 1 | -1) => {
    const at = rows.findIndex(({ ConversationID }) => ConversationID === aimedId());
    const next = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))];
    if (next) listRef.current?.focusRow(next.ConversationID);
  };
  const markAimed = async () => {
    const id = aimedId();
    const at = rows.findIndex(({ ConversationID }) => ConversationID === id);
    const target = rows[at] ?? (id === conversationId ? opened.conversation : undefined);
    if (!target) return;
    const hadFocus = listRef.current?.focusedId() !== undefined;
    const next = rows[at + 1] ?? rows[at - 1];
    // The row leaves the list; the keys go on from its neighbour.
    if ((await markDone(target, !target.IsDone)) && hadFocus && next)
      listRef.current?.focusRow(next.ConversationID);
  };
  const replyToAimed = () => {
    const id = aimedId();
    if (id === undefined) return;
    reply.focus(id);
    if (id !== conversationId)
      void navigate({ to: '/inbox/$conversationId', params: { conversationId: id }, search });
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    e: () => void markAimed(),
    x: () => {
      const id = aimedId();
      if (id !== undefined) selection.toggle(id);
    },
    r: replyToAimed,
    '/': () => searchRef.current?.focus(),
    c: () => setCompose(true),
    '?': () => setKeysShown(true),
  });

  if (!hasNumbers) return <NoNumbers />;
  const isThreadShown = conversationId !== undefined;
  return (
    <Box sx={{ flex: 1, minHeight: 0, display: 'flex', bgcolor: 'background.paper', position: 'relative' }}>
      <Box
        component="section"
        aria-label="Conversations"
        sx={{
          display: isOnePane && isThreadShown ? 'none' : 'flex',
          flexDirection: 'column',
          width: isOnePane ? '100%' : { xs: 320, md: 344 },
          flex: 'none',
          minHeight: 0,
          borderRight: isOnePane ? 0 : '1px solid',
          borderColor: 'line.hair',
        }}
      >
        <ListPane
          search={search}
          numbers={numbers}
          conversations={conversations}
          openId={conversationId}
          selection={selection}
          listRef={listRef}
          searchRef={searchRef}
          onSearch={onSearch}
          onCompose={() => setCompose(true)}
          onShowKeys={() => setKeysShown(true)}
        />
      </Box>
      {(!isOnePane || isThreadShown) && (
        <Box
          component="section"
          aria-label="Conversation"
          sx={{ flex: 1, minWidth: 0, minHeight: 0, display: 'flex', flexDirection: 'column' }}
        >
          {opened.conversation ? (
            <ThreadPane
              key={opened.conversation.ConversationID}
              conversation={opened.conversation}
              numbers={numbers}
              composerRef={reply.composerRef}
              isOnePane={isOnePane}
              isContactShown={contact.isShown}
              onBack={onBack}
              onMark={() => {
                if (opened.conversation) void markDone(opened.conversation, !opened.conversation.IsDone);
              }}
              onToggleContact={contact.toggle}
            />
          ) : conversationId === undefined ? (
            <Box sx={{ flex: 1, display: 'grid', placeItems: 'center' }}>
              <EmptyState icon={MessagesSquare} title="Choose a conversation">
                Its texts show here. Press j and k to move through the list, Enter to open.
              </EmptyState>
            </Box>
          ) : opened.error ? (
            <ThreadMissing error={opened.error} onRetry={opened.retry} onBack={onBack} />
          ) : (
            <ThreadSkeleton />
          )}
        </Box>
      )}
      {opened.conversation && isContactInline && contact.isShown && (
        <Box
          component="aside"
          aria-label="Contact"
          sx={{
            width: 304,
            flex: 'none',
            display: 'flex',
            flexDirection: 'column',
            bgcolor: 'background.default',
            borderLeft: '1px solid',
            borderColor: 'line.hair',
          }}
        >
          <ContactPane conversation={opened.conversation} numbers={numbers} />
        </Box>
      )}
      {opened.conversation && !isContactInline && (
        <Drawer
          anchor="right"
          open={contact.isShown}
          onClose={contact.toggle}
          slotProps={{
            paper: {
              role: 'dialog',
              'aria-label': 'Contact',
              sx: { width: 320, maxWidth: '100%', bgcolor: 'background.default', display: 'flex' },
            },
          }}
        >
          <ContactPane conversation={opened.conversation} numbers={numbers} onClose={contact.toggle} />
        </Drawer>
      )}
      {wasComposed && (
        <Suspense>
          <ComposeDialog
            isOpen={isComposing}
            numbers={numbers}
            textNumberId={search.textNumberId}
            to={search.to}
            onClose={() => setCompose(undefined)}
            onSent={(id) =>
              void navigate({
                to: '/inbox/$conversationId',
                params: { conversationId: id },
                search: { ...search, compose: undefined, to: undefined },
              })
            }
          />
        </Suspense>
      )}
      <KeysDialog isOpen={isKeysShown} keys={inboxKeys} onClose={() => setKeysShown(false)} />
    </Box>
  );
}

/** The conversation in the address. Its row in the list shows at once while it is fetched. */
function useOpened(conversationId: number | undefined, rows: ReturnType<typeof useConversationList>['rows']) {
  const query = useCallQuery(
    getConversation,
    { params: { ConversationID: conversationId ?? 0 } },
    { enabled: conversationId !== undefined },
  );
  if (conversationId === undefined) return { conversation: undefined, error: undefined, retry: () => {} };
  const conversation = query.data ?? rows.find(({ ConversationID }) => ConversationID === conversationId);
  return { conversation, error: conversation ? undefined : query.error, retry: () => void query.refetch() };
}

/** Puts the focus into a thread's composer: at once, or when the thread that was asked for is there. */
function useReplyFocus(conversationId: number | undefined) {
  const composer = useRef<HTMLTextAreaElement>(null);
  const wantedId = useRef<number>(undefined);
  const openId = useRef(conversationId);
  openId.current = conversationId;
  const composerRef = useCallback((element: HTMLTextAreaElement | null) => {
    composer.current = element;
    if (!element) return;
    if (wantedId.current === openId.current) element.focus();
    wantedId.current = undefined;
  }, []);
  const focus = (id: number) => {
    if (id === openId.current && composer.current) composer.current.focus();
    else wantedId.current = id;
  };
  return { composerRef, focus };
}

/** A list that fails goes back to what it last showed, and says so. */
function useRestoreSearch(
  search: InboxSearch,
  list: ReturnType<typeof useConversationList>['list'],
  onSearch: (change: () => InboxSearch, how: { replace: boolean }) => void,
): void {
  const good = useRef<InboxSearch>(undefined);
  const { isSuccess, isPlaceholderData, isError } = list;
  useEffect(() => {
    if (isSuccess && !isPlaceholderData) good.current = search;
  }, [isSuccess, isPlaceholderData, search]);
  useEffect(() => {
    if (!isError) return;
    showSnackbar('There was an error getting your conversations.');
    const before = good.current;
    if (before && JSON.stringify(before) !== JSON.stringify(search))
      onSearch(() => before, { replace: true });
  }, [isError, search, onSearch]);
}

function NoNumbers() {
  usePageTitle('Inbox');
  return (
    <Box sx={{ flex: 1, display: 'grid', placeItems: 'center' }}>
      <EmptyState icon={PhoneOff} titleComponent="h1" title={noTextNumbersTitle}>
        Please contact an account administrator for access, or our support.
      </EmptyState>
    </Box>
  );
}
