import Box from '@mui/material/Box';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useEventCallback } from '@mui/material/utils';
import { useNavigate } from '@tanstack/react-router';
import { MessagesSquare, PhoneOff } from 'lucide-react';
import {
  type ComponentType,
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import type { Conversation } from '../../contract/conversations.ts';
import type { TextNumber } from '../../contract/numbers.ts';
import { noTextNumbersTitle } from '../../contract/states/conversation-state.ts';
import { useTextNumberAdvice } from '../pieces/numbers/texting-advice.tsx';
import { ContactUs } from '../pieces/support/contact-us.tsx';
import { useCan, useUser, useWhyNot } from '../queries/current-user.ts';
import type { Begun, NewConversation } from '../queries/new-conversation.ts';
import { isReachable } from '../realtime.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { removeFirstPaint } from '../ui/first-paint.ts';
import { KeysDialog } from '../ui/keys.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { RouterButton } from '../ui/router-button.tsx';
import { say } from '../ui/say.ts';
import { showSnackbar } from '../ui/snackbar.tsx';
import { untilOnline } from '../ui/until-online.ts';
import { type Targets, useConversationActions } from './actions/conversation-actions.tsx';
import { useMarkDone } from './actions/mark-done.ts';
import { useNextOpen } from './actions/next-open.ts';
import { TagsDialog } from './actions/tags-dialog.tsx';
import type { ContactDialog } from './contact/contact-known.tsx';
import { useContactShown } from './contact/contact-shown.ts';
import { ContactSkeleton } from './contact/contact-skeleton.tsx';
import { type InboxSearch, peopleOf, readInboxSearch } from './inbox-address.ts';
import { inboxKeys } from './inbox-keys.ts';
import { useConversationList, useDoneToday, useTextNumbers } from './inbox-queries.ts';
import { inboxTitle, searchOfView } from './inbox-view.ts';
import type { ConversationListHandle } from './list/conversation-list.tsx';
import { useListKeys } from './list/list-keys.ts';
import { type ChangeSearch, ListPane } from './list/list-pane.tsx';
import { useListSelection } from './list/list-selection.ts';
import { nameOf } from './names.ts';
import { useOpened, useReplyFocus } from './opened.ts';
import { ThreadMissing, ThreadPaneSkeleton } from './thread/thread-states.tsx';
import { useBegin } from './thread/use-begin.ts';
import { useViewConversation } from './thread/view-conversation.ts';

/** Loaded with the first conversation, or at the first sign of activity, because one is about to be opened. */
const loadThread = () => import('./thread/thread-pane.tsx');
const ContactSide = lazy(
  untilOnline(async () => ({ default: (await import('./contact/contact-side.tsx')).ContactSide })),
);
const ThreadPane = lazy(untilOnline(async () => ({ default: (await loadThread()).ThreadPane })));

const noRows: readonly Conversation[] = [];

interface ComposeProps {
  isOpen: boolean;
  numbers: readonly TextNumber[];
  textNumberId: number | undefined;
  to: string | undefined;
  people: readonly number[];
  edited: NewConversation | undefined;
  onBegin: (written: NewConversation, closed: AbortSignal) => Promise<Begun>;
  onClose: () => void;
  onSent: (conversationId: number) => void;
}

interface InboxPageProps {
  search: InboxSearch;
  conversationId: number | undefined;
  /** The compose dialog, which other pages use too. */
  compose: ComponentType<ComposeProps>;
  /** Loads its code. */
  loadCompose: () => Promise<unknown>;
  /** The dialog that edits or adds a contact. */
  contactDialog: ContactDialog;
}

/** List, thread and contact: three panes, two or one, depending on the width. */
export function InboxPage(props: InboxPageProps) {
  const { search, conversationId, compose: ComposeDialog, loadCompose, contactDialog } = props;
  const navigate = useNavigate();
  const { numbers, isLoaded, isError } = useTextNumbers();
  useEffect(() => {
    if (isError) showSnackbar('There was an error getting your text numbers.');
  }, [isError]);
  const hasNumbers = useCan('readConversations') && (!isLoaded || numbers.length > 0);
  const composeDenial = useWhyNot('createConversation');
  const conversations = useConversationList(search, hasNumbers);
  const { rows, total, query } = conversations;
  const isShown = !hasNumbers || !query.isPending;
  useLayoutEffect(() => {
    if (isShown) removeFirstPaint();
  }, [isShown]);
  const doneToday = useDoneToday(search, hasNumbers);
  const { selection, toggle } = useListSelection(search, total, rows);
  const opened = useOpened(conversationId, rows);
  const markDone = useMarkDone();
  const isOnePane = useMediaQuery((theme) => theme.breakpoints.down('tablet'), { noSsr: true });
  const isContactInline = useMediaQuery((theme) => theme.breakpoints.up('lg'), { noSsr: true });
  const contact = useContactShown(isContactInline);
  const [isKeysShown, setKeysShown] = useState(false);
  const [isTagsShown, setTagsShown] = useState(false);
  const isComposing = search.compose === true && composeDenial === undefined;
  useEffect(() => {
    if (search.compose && hasNumbers && composeDenial !== undefined) showSnackbar(composeDenial);
  }, [search.compose, hasNumbers, composeDenial]);
  const [wasComposed, setComposed] = useState(isComposing);
  if (isComposing && !wasComposed) setComposed(true);
  const listRef = useRef<ConversationListHandle>(null);
  const searchRef = useRef<HTMLInputElement>(null);
  const filterRef = useRef<HTMLButtonElement>(null);
  const threadRef = useRef<HTMLElement>(null);
  const reply = useReplyFocus(conversationId);
  const title = inboxTitle(search, numbers, conversations.broadcastName);
  usePageTitle(opened.conversation ? nameOf(opened.conversation) : title);
  useViewConversation(opened.conversation);
  usePreloaded(loadCompose);

  // Reads the latest address, not the rendered one, because a search may still be navigating.
  const onSearch: ChangeSearch = useCallback(
    (change, { replace = false } = {}) =>
      void navigate({ to: '.', search: (before) => change(readInboxSearch(before)), replace }),
    [navigate],
  );
  const setCompose = (compose: true | undefined) =>
    onSearch((before) => ({ ...before, compose, to: undefined, people: undefined }), {
      replace: compose === undefined,
    });
  const openConversation = (id: number) =>
    void navigate({
      to: '/inbox/$conversationId',
      params: { conversationId: id },
      search: { ...search, textMessageId: undefined, compose: undefined, to: undefined, people: undefined },
    });
  // Props keep their identity, so that a pane renders only when its data changes.
  const onBack = useEventCallback(
    () => void navigate({ to: '/inbox', search: { ...search, textMessageId: undefined } }),
  );
  const openNextAfter = useNextOpen({
    conversations,
    openId: conversationId,
    onOpen: (id) => {
      if (id === undefined) return onBack();
      openConversation(id);
      // The pressed button disappears with its thread, so focus moves to the row.
      if (!isOnePane && listRef.current?.focusedId() === undefined) listRef.current?.focusRow(id);
    },
  });
  const mark = async (conversation: Conversation, isDone: boolean) => {
    const openNext = isDone ? openNextAfter((id) => id === conversation.ConversationID) : undefined;
    if (await markDone(conversation, isDone)) await openNext?.();
  };
  const onMark = useEventCallback(() => {
    if (opened.conversation) void mark(opened.conversation, !opened.conversation.IsDone);
  });
  const onSentDone = useEventCallback((conversation: Conversation) => void mark(conversation, true));
  const begin = useBegin();
  const [edited, setEdited] = useState<NewConversation>();
  const onCompose = useEventCallback(() => {
    setEdited(undefined);
    setCompose(true);
  });
  const onEdit = useEventCallback((written: NewConversation) => {
    setEdited(written);
    setCompose(true);
  });
  const onShowKeys = useCallback(() => setKeysShown(true), []);
  const onHideKeys = useCallback(() => setKeysShown(false), []);
  const onManageTags = useCallback(() => setTagsShown(true), []);
  useRestoreSearch(search, conversations.query, onSearch);

  const actions = useConversationActions({
    search,
    numbers,
    onChanged: (kind, { isTicked }) => {
      // Tagged rows stay in the list, and the user may want to do more with them.
      if (kind !== 'tags' && isTicked) selection.clear();
    },
    openNextAfter,
    onMoved: (id) => {
      if (conversationId !== undefined) openConversation(id);
    },
    onManageTags,
  });
  const ticked = () => ({
    isTicked: true,
    selection: selection.selection,
    rows: rows.filter(({ ConversationID }) => selection.isSelected(ConversationID)),
    count: total === undefined && selection.selection.Type !== 'Selected' ? undefined : selection.count,
  });
  /**
   * The rows of the list. If all rows are loaded, only those, so that nothing that arrived a moment ago is
   * closed. And only while they are in it: whoever has asked something since stays open.
   */
  const everything = (): Targets => ({
    isTicked: false,
    isOfList: true,
    selection: conversations.hasMore
      ? { Type: 'SelectedAll', Items: [] }
      : { Type: 'Selected', Items: rows.map(({ ConversationID }) => ConversationID) },
    rows,
    count: total,
  });
  useListKeys({
    rows,
    under: doneToday?.Items ?? noRows,
    openId: conversationId,
    opened: opened.conversation,
    listRef,
    threadRef,
    selection,
    ticked,
    toggle,
    onSearch,
    onAct: actions.act,
    onReply: (id) => {
      reply.focus(id);
      if (id !== conversationId) openConversation(id);
    },
    others: {
      '/': () => {
        // The selection bar covers the search field.
        flushSync(selection.clear);
        searchRef.current?.focus();
      },
      f: () => filterRef.current?.click(),
      g: () => onSearch((before) => searchOfView('noanswer', before)),
      w: () => onSearch((before) => searchOfView('waiting', { ...before, sortby: undefined })),
      ...(composeDenial === undefined && { c: onCompose }),
      '?': onShowKeys,
    },
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
          doneToday={doneToday}
          openId={conversationId}
          selection={selection}
          isBusy={actions.isBusy}
          listRef={listRef}
          searchRef={searchRef}
          filterRef={filterRef}
          onSearch={onSearch}
          onToggle={toggle}
          onAct={(kind, anchor) => actions.act(kind, ticked(), anchor)}
          onMarkAllDone={(anchor) => actions.act('done', everything(), anchor)}
          onManageTags={onManageTags}
          onCompose={onCompose}
          isComposing={isComposing}
          onEdit={onEdit}
          onShowKeys={onShowKeys}
        />
      </Box>
      {(!isOnePane || isThreadShown) && (
        <Box
          ref={threadRef}
          component="section"
          aria-label="Conversation"
          sx={{ flex: 1, minWidth: 0, minHeight: 0, display: 'flex', flexDirection: 'column' }}
        >
          {opened.conversation ? (
            <Suspense fallback={<ThreadPaneSkeleton />}>
              <ThreadPane
                key={opened.conversation.ConversationID}
                conversation={opened.conversation}
                numbers={numbers}
                composerRef={reply.composerRef}
                foundId={search.textMessageId}
                isOnePane={isOnePane}
                isContactShown={contact.isShown}
                onBack={onBack}
                onMark={onMark}
                onSentDone={onSentDone}
                onToggleContact={contact.toggle}
              />
            </Suspense>
          ) : conversationId === undefined ? (
            <Box sx={{ flex: 1, display: 'grid', placeItems: 'center' }}>
              <EmptyState icon={MessagesSquare} title="Choose a conversation">
                Its texts show here. Press j and k to move through the list and Enter to open a conversation.
              </EmptyState>
            </Box>
          ) : opened.error ? (
            <ThreadMissing error={opened.error} onRetry={opened.retry} onBack={onBack} />
          ) : (
            <ThreadPaneSkeleton />
          )}
        </Box>
      )}
      {opened.conversation && (
        <Suspense fallback={isContactInline && contact.isShown ? <ContactSkeleton /> : null}>
          <ContactSide
            conversation={opened.conversation}
            numbers={numbers}
            dialog={contactDialog}
            isInline={isContactInline}
            isShown={contact.isShown}
            onToggle={contact.toggle}
          />
        </Suspense>
      )}
      {actions.menus}
      <Suspense>
        {wasComposed && (
          <ComposeDialog
            isOpen={isComposing}
            numbers={numbers}
            textNumberId={search.textNumberId}
            to={search.to}
            people={peopleOf(search)}
            edited={edited}
            onBegin={begin}
            onClose={() => {
              setEdited(undefined);
              setCompose(undefined);
            }}
            onSent={(id) => {
              setEdited(undefined);
              reply.focus(id);
              openConversation(id);
            }}
          />
        )}
      </Suspense>
      <TagsDialog
        isOpen={isTagsShown}
        onDeleted={(tagId) =>
          onSearch((before) => (before.tag === tagId ? { ...before, tag: undefined } : before), {
            replace: true,
          })
        }
        onClose={() => setTagsShown(false)}
      />
      <KeysDialog isOpen={isKeysShown} keys={inboxKeys} onClose={onHideKeys} />
    </Box>
  );
}

/**
 * Moving the pointer or pressing a key means that a conversation is about to be opened. The compose window comes after
 * it, to be there when there is no connection.
 */
function usePreloaded(loadCompose: () => Promise<unknown>): void {
  useEffect(() => {
    const moves = ['pointermove', 'pointerdown', 'keydown'] as const;
    // If this fails, it loads again when needed.
    const load = () =>
      void loadThread()
        .then(loadCompose)
        .catch(() => undefined);
    for (const move of moves) document.addEventListener(move, load, { once: true, passive: true });
    return () => {
      for (const move of moves) document.removeEventListener(move, load);
    };
  }, [loadCompose]);
}

/**
 * A list that fails to load or to refresh shows its last rows and a snackbar. With nothing to show, the list itself
 * shows the error, and the shell reports a lost connection, so no error appears twice.
 */
function useRestoreSearch(
  search: InboxSearch,
  query: ReturnType<typeof useConversationList>['query'],
  onSearch: ChangeSearch,
): void {
  const good = useRef<InboxSearch>(undefined);
  const { isSuccess, isPlaceholderData, isError } = query;
  const hasRows = query.data !== undefined;
  useEffect(() => {
    if (isSuccess && !isPlaceholderData) good.current = search;
  }, [isSuccess, isPlaceholderData, search]);
  useEffect(() => {
    if (!isError) return;
    const before = good.current;
    if (before && JSON.stringify(before) !== JSON.stringify(search)) {
      showSnackbar('There was an error getting your conversations.');
      onSearch(() => before, { replace: true });
    } else if (hasRows && isReachable()) {
      showSnackbar('There was an error receiving your new conversation.');
    }
  }, [isError, hasRows, search, onSearch]);
}

function NoNumbers() {
  usePageTitle(say('Inbox'));
  const advice = useTextNumberAdvice(noNumbers, 'texts');
  const isOwner = useUser()?.IsMasterUser ?? false;
  return (
    <Box sx={{ flex: 1, display: 'grid', placeItems: 'center' }}>
      <EmptyState
        icon={PhoneOff}
        titleComponent="h1"
        title={noTextNumbersTitle}
        action={isOwner && <RouterButton to="/home">See your first steps</RouterButton>}
      >
        {isOwner ? (
          <>
            Your organization has none yet. {advice?.sentence} {advice?.link}
          </>
        ) : (
          'Please contact an account administrator for access, or our support.'
        )}{' '}
        <ContactUs />
      </EmptyState>
    </Box>
  );
}
const noNumbers: readonly TextNumber[] = [];
