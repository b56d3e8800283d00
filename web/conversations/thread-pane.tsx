import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import { CloudAlert, MessageSquareX } from 'lucide-react';
import { type Ref, useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Conversation } from '../../contract/conversations.ts';
import type { TextNumber } from '../../contract/numbers.ts';
import { isNotFound } from '../api.ts';
import { useUser } from '../queries/current-user.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { Composer } from './composer.tsx';
import { type Draft, emptyDraft } from './drafts.ts';
import { arrivedEntries, threadItems } from './group-messages.ts';
import { useThread } from './inbox-queries.ts';
import { MessageList } from './message-list.tsx';
import { nameOf } from './names.ts';
import type { OutboxEntry, Picture } from './outbox.ts';
import { PictureDialog } from './picture.tsx';
import { useDraftStore, useOutbox } from './stores.ts';
import { ThreadHead, type ThreadHeadProps } from './thread-head.tsx';

interface ThreadPaneProps extends Omit<ThreadHeadProps, 'conversation'> {
  conversation: Conversation;
  numbers: readonly TextNumber[];
  composerRef: Ref<HTMLTextAreaElement>;
}

/** One conversation: head, texts, composer. Mounted anew for each one (`key`). */
export function ThreadPane({ conversation, numbers, composerRef, ...head }: ThreadPaneProps) {
  const { ConversationID } = conversation;
  const { thread, messages } = useThread(ConversationID);
  const userId = useUser()?.UserID ?? 0;
  const { outbox, entries } = useOutbox();
  const own = useMemo(
    () => entries.filter((entry) => entry.conversationId === ConversationID),
    [entries, ConversationID],
  );
  const items = useMemo(() => threadItems(messages, own, userId), [messages, own, userId]);
  useEffect(() => {
    for (const { key, state } of arrivedEntries(messages, own, userId))
      if (state === 'failed') outbox.remove(key);
  }, [messages, own, userId, outbox]);
  const [draft, changeDraft] = useDraft(ConversationID);
  const [picture, setPicture] = useState<Picture>();
  const { fetchNextPage } = thread;
  const onLoadOlder = useCallback(() => void fetchNextPage(), [fetchNextPage]);

  const send = ({ text, pictures }: Draft) => {
    const newestKnownId = Math.max(0, ...messages.map(({ TextMessageID }) => TextMessageID));
    void outbox.send({
      conversationId: ConversationID,
      text,
      pictures,
      at: new Date().toISOString(),
      newestKnownId,
    });
    changeDraft(() => emptyDraft);
  };
  const pendingActions = {
    tryAgain: (entry: OutboxEntry) => void outbox.tryAgain(entry.key),
    takeBack: (entry: OutboxEntry) => {
      changeDraft((before) => ({
        text: [entry.text, before.text].filter((part) => part !== '').join('\n'),
        pictures: [...entry.pictures, ...before.pictures],
      }));
      outbox.remove(entry.key);
    },
  };

  return (
    <>
      <ThreadHead conversation={conversation} {...head} />
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
          items={items}
          hasOlder={thread.hasNextPage}
          isLoadingOlder={thread.isFetchingNextPage}
          olderFailed={thread.isFetchNextPageError}
          onLoadOlder={onLoadOlder}
          onOpenPicture={setPicture}
          pendingActions={pendingActions}
        />
      )}
      {conversation.OptedOut ? (
        <Box
          sx={{
            px: { xs: '10px', tablet: 2.5 },
            pb: { xs: 'calc(10px + env(safe-area-inset-bottom))', tablet: 2 },
          }}
        >
          <Notice kind="warning" icon={MessageSquareX} title="This number has opted out of receiving texts.">
            They can text START to your number to get them again.
          </Notice>
        </Box>
      ) : (
        <Composer
          draft={draft}
          onChange={changeDraft}
          onSend={send}
          from={numbers.find(({ TextNumberID }) => TextNumberID === conversation.TextNumberID)}
          to={nameOf(conversation)}
          inputRef={composerRef}
          isOnePane={head.isOnePane}
        />
      )}
      <PictureDialog picture={picture} onClose={() => setPicture(undefined)} />
    </>
  );
}

/** What is written here, kept as it is typed; a picture that arrives after one has left is kept too. */
function useDraft(conversationId: number): [Draft, (change: (before: Draft) => Draft) => void] {
  const store = useDraftStore();
  const draft = useSyncExternalStore(store.subscribe, () => store.get(conversationId));
  return [draft, (change) => store.set(conversationId, change(store.get(conversationId)))];
}

/** While the texts are on their way: their shape, at the bottom, where they will be. */
export function ThreadSkeleton() {
  const widths = [220, 320, 180, 280, 240];
  return (
    <Box
      role="status"
      aria-label="Loading messages"
      sx={{
        flex: 1,
        minHeight: 0,
        display: 'flex',
        flexDirection: 'column',
        justifyContent: 'flex-end',
        gap: 1.5,
        p: 3,
        overflow: 'hidden',
      }}
    >
      {widths.map((width, index) => (
        <Skeleton
          key={width}
          variant="rounded"
          sx={{
            width,
            maxWidth: '78%',
            height: 38,
            borderRadius: '14px',
            alignSelf: index % 2 === 0 ? 'flex-start' : 'flex-end',
          }}
        />
      ))}
    </Box>
  );
}

/** A conversation that can't be shown. */
export function ThreadMissing({
  error,
  onRetry,
  onBack,
}: {
  error: unknown;
  onRetry: () => void;
  onBack: () => void;
}) {
  const isGone = isNotFound(error);
  return (
    <Box sx={{ flex: 1, display: 'grid', placeItems: 'center' }}>
      <EmptyState
        icon={isGone ? MessageSquareX : CloudAlert}
        titleComponent="h2"
        title={
          isGone ? 'This conversation is no longer here' : 'There was an error viewing your conversation.'
        }
        action={
          <Button onClick={isGone ? onBack : onRetry}>{isGone ? 'Back to the inbox' : 'Try again'}</Button>
        }
      >
        {isGone ? 'It may belong to a text number that you have no access to.' : undefined}
      </EmptyState>
    </Box>
  );
}
