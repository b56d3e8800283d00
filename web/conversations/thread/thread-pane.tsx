import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useEventCallback } from '@mui/material/utils';
import { CloudAlert } from 'lucide-react';
import { lazy, memo, type Ref, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Conversation } from '../../../contract/conversations.ts';
import type { MediaItem } from '../../../contract/media.ts';
import type { TextNumber } from '../../../contract/numbers.ts';
import { useUser } from '../../queries/current-user.ts';
import { hasWritten, useSayViewing } from '../../queries/presence.ts';
import { useNotes, useThread } from '../../queries/thread.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useKeys } from '../../ui/keys.tsx';
import { untilOnline } from '../../ui/until-online.ts';
import { arrivedEntries, threadItems } from './group-messages.ts';
import { MessageList, type More } from './message-list.tsx';
import type { OutboxEntry } from './outbox.ts';
import { PictureDialog } from './picture.tsx';
import { useOutbox } from './stores.ts';
import { ThreadFacts } from './thread-facts.tsx';
import { ThreadFoot } from './thread-foot.tsx';
import { type HeadProps, ThreadHead, type ThreadHeadProps } from './thread-head.tsx';
import { ThreadSkeleton } from './thread-states.tsx';
import type { OpenTool } from './thread-tools.tsx';
import { useWriting } from './writing.ts';

/** Menus, pickers and dialogs: their code loads when one opens. */
const ThreadTools = lazy(
  untilOnline(async () => ({ default: (await import('./thread-tools.tsx')).ThreadTools })),
);

interface ThreadPaneProps extends Omit<ThreadHeadProps, 'conversation'> {
  conversation: Conversation;
  numbers: readonly TextNumber[];
  composerRef: Ref<HTMLTextAreaElement>;
  /** Ctrl+Enter: the text is sent and the conversation is done. */
  onSentDone: (conversation: Conversation) => void;
  /** The search hit that the thread opens around. */
  foundId?: number | undefined;
}

/** One conversation: head, texts and composer. Mounted again for each one (`key`). */
export const ThreadPane = memo(function ThreadPane({
  conversation,
  numbers,
  composerRef,
  onSentDone,
  foundId,
  ...head
}: ThreadPaneProps) {
  const { ConversationID } = conversation;
  const userId = useUser()?.UserID ?? 0;
  // Beside the list on a tablet, it is as narrow as on a phone.
  const isNarrow = useMediaQuery((theme) => theme.breakpoints.down('md'), { noSsr: true });
  // Once the user jumps to the latest, the search hit is one text of many.
  const [leftId, setLeftId] = useState<number>();
  const around = foundId === leftId ? undefined : foundId;
  const { thread, messages } = useThread(ConversationID, around);
  const notes = useNotes(ConversationID, thread.hasNextPage ? messages.at(-1)?.CreateTimestamp : undefined);
  const { outbox, entries } = useOutbox();
  const own = useMemo(
    () => entries.filter((entry) => entry.conversationId === ConversationID),
    [entries, ConversationID],
  );
  const { hasNextPage: hasOlder, hasPreviousPage: hasLater } = thread;
  const items = useMemo(
    () => threadItems(messages, own, userId, { notes, hasOlder, hasLater }),
    [messages, own, userId, notes, hasOlder, hasLater],
  );
  useEffect(() => {
    for (const { key, state } of arrivedEntries(messages, own, userId))
      if (state === 'failed' || state === 'waiting') outbox.remove(key);
  }, [messages, own, userId, outbox]);
  useSayViewing(ConversationID);
  useEndOfTyping(ConversationID, messages[0]);

  const writing = useWriting({ conversation, messages, hasLater, outbox });
  const [picture, setPicture] = useState<MediaItem>();
  const closePicture = useCallback(() => setPicture(undefined), []);
  const [tool, setTool] = useState<OpenTool>();
  const [areToolsKnown, setToolsKnown] = useState(false);
  if (tool && !areToolsKnown) setToolsKnown(true);
  const [isNote, setNote] = useState(false);
  useKeys({ n: () => setNote(true) });
  const { fetchNextPage, fetchPreviousPage } = thread;
  const older = useMore(hasOlder, thread.isFetchingNextPage, thread.isFetchNextPageError, fetchNextPage);
  const later = useMore(
    hasLater,
    thread.isFetchingPreviousPage,
    thread.isFetchPreviousPageError,
    fetchPreviousPage,
  );
  const showLatest = useCallback(() => setLeftId(foundId), [foundId]);

  const onTool = useCallback<HeadProps['onTool']>((opened, anchor) => setTool({ tool: opened, anchor }), []);
  const takeBack = useEventCallback((entry: OutboxEntry) => {
    void writing.takeBack(entry);
    setNote(false);
  });
  const pendingActions = useMemo(
    () => ({ tryAgain: (entry: OutboxEntry) => void outbox.tryAgain(entry.key), takeBack }),
    [outbox, takeBack],
  );

  return (
    <>
      <ThreadHead conversation={conversation} {...head} isNarrow={isNarrow} onTool={onTool} />
      {areToolsKnown && (
        <Suspense>
          <ThreadTools
            conversation={conversation}
            numbers={numbers}
            isOnePane={head.isOnePane}
            isNarrow={isNarrow}
            open={tool}
            onOpen={setTool}
            onWriteNote={() => setNote(true)}
            onToggleContact={head.onToggleContact}
            onBack={head.onBack}
          />
        </Suspense>
      )}
      <ThreadFacts conversation={conversation} />
      {thread.isPending ? (
        <ThreadSkeleton />
      ) : thread.isError && messages.length === 0 ? (
        <Box sx={{ flex: 1, display: 'grid', placeItems: 'center' }}>
          <EmptyState
            icon={CloudAlert}
            title="There was an error getting your messages."
            action={<Button onClick={() => void thread.refetch()}>Try again</Button>}
          />
        </Box>
      ) : (
        <MessageList
          // Mounts again around another text.
          key={around ?? 0}
          conversationId={ConversationID}
          items={items}
          older={older}
          later={later}
          foundId={around}
          onShowLatest={showLatest}
          onOpenPicture={setPicture}
          pendingActions={pendingActions}
        />
      )}
      <ThreadFoot
        conversation={conversation}
        numbers={numbers}
        writing={writing}
        composerRef={composerRef}
        isOnePane={head.isOnePane}
        isNarrow={isNarrow}
        isNote={isNote}
        onNote={setNote}
        onSent={showLatest}
        onSentDone={onSentDone}
      />
      <PictureDialog picture={picture} onClose={closePicture} />
    </>
  );
});

function useMore(has: boolean, isLoading: boolean, hasFailed: boolean, fetch: () => Promise<unknown>): More {
  return useMemo(
    () => ({ has, isLoading, hasFailed, load: () => void fetch() }),
    [has, isLoading, hasFailed, fetch],
  );
}

/** People who just sent a text aren't typing, whatever the socket said last. */
function useEndOfTyping(
  conversationId: number,
  newest: { TextMessageID: number; SentBy: { UserID: number } | null } | undefined,
): void {
  const known = useRef<number>(undefined);
  useEffect(() => {
    if (!newest) return;
    if (known.current !== undefined && newest.TextMessageID !== known.current && newest.SentBy)
      hasWritten(conversationId, newest.SentBy.UserID);
    known.current = newest.TextMessageID;
  }, [conversationId, newest]);
}
