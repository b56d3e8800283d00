import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { Link, useNavigate } from '@tanstack/react-router';
import { Download, Layers, MessageCircleReply, MessagesSquare, SearchX } from 'lucide-react';
import { type ComponentType, useCallback, useEffect, useRef } from 'react';
import { downloadTextReplies } from '../../../contract/addresses/broadcasts.gen.ts';
import type { TextReply } from '../../../contract/broadcast-results.ts';
import { isNotFound, shownMessage } from '../../api.ts';
import { fullName } from '../../queries/current-user.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { downloadUrl } from '../../ui/download-url.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount } from '../../ui/format.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { RouterButton } from '../../ui/router-button.tsx';
import { say } from '../../ui/say.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import type { ResultsSearch } from '../broadcast-address.ts';
import { useBroadcast, useReplies } from '../broadcast-queries.ts';
import { NotFoundDialog } from '../list/not-found-dialog.tsx';
import { ListHead, ListPane, listRowLook, OpenPane } from '../reply-panes.tsx';
import { nameOfRecipient } from './result-row.tsx';

interface ThreadProps {
  conversationId: number;
  isOnePane: boolean;
  onBack: () => void;
}

interface RepliesPageProps {
  broadcastId: number;
  /** The conversation that is open. */
  conversationId: number | undefined;
  search: ResultsSearch;
  /** The inbox's own thread. */
  thread: ComponentType<ThreadProps>;
}

/** People's replies, latest first, and beside them the conversation of the open reply. */
export function RepliesPage({ broadcastId, conversationId, search, thread: Thread }: RepliesPageProps) {
  const navigate = useNavigate();
  const { data: broadcast, error } = useBroadcast(broadcastId);
  const isOnePane = useMediaQuery((theme) => theme.breakpoints.down('tablet'), { noSsr: true });
  usePageTitle(broadcast ? `Replies · ${broadcast.BroadcastName}` : say('Replies'));
  const onBack = () =>
    void navigate({ to: '/broadcast-details/$broadcastId/text-replies', params: { broadcastId }, search });
  if (isNotFound(error)) return <NotFoundDialog />;
  return (
    <Box sx={{ flex: 1, minHeight: 0, display: 'flex', bgcolor: 'background.paper' }}>
      {!(isOnePane && conversationId !== undefined) && (
        <ListPane label="Replies" isOnePane={isOnePane}>
          <RepliesHead
            broadcastId={broadcastId}
            name={broadcast?.BroadcastName ?? ''}
            conversationId={conversationId}
            search={search}
          />
          <RepliesList broadcastId={broadcastId} conversationId={conversationId} search={search} />
        </ListPane>
      )}
      {!(isOnePane && conversationId === undefined) && (
        <OpenPane label="Conversation">
          {conversationId === undefined ? (
            <Box sx={{ flex: 1, display: 'grid', placeItems: 'center' }}>
              <EmptyState icon={MessagesSquare} title="Choose a reply">
                The conversation opens here, and you can reply.
              </EmptyState>
            </Box>
          ) : (
            <Thread
              key={conversationId}
              conversationId={conversationId}
              isOnePane={isOnePane}
              onBack={onBack}
            />
          )}
        </OpenPane>
      )}
    </Box>
  );
}

interface HeadProps extends Omit<RepliesPageProps, 'thread'> {
  name: string;
}

function RepliesHead({ broadcastId, name, conversationId, search }: HeadProps) {
  const navigate = useNavigate();
  const onSearch = useCallback(
    (q: string) =>
      void navigate({
        to: '.',
        params: { broadcastId, ...(conversationId === undefined ? {} : { conversationId }) },
        search: (before: Record<string, unknown>) => ({ ...before, q: q || undefined }),
        replace: true,
      }),
    [navigate, broadcastId, conversationId],
  );
  return (
    <>
      <ListHead broadcastId={broadcastId} title="Replies" name={name}>
        <RouterButton
          to="/broadcast-details/$broadcastId/reply-groups"
          params={{ broadcastId }}
          size="small"
          startIcon={<Layers aria-hidden />}
          sx={{ height: 32 }}
        >
          Groups
        </RouterButton>
        <Button
          component="a"
          size="small"
          href={downloadUrl(downloadTextReplies, { params: { BroadcastID: broadcastId } })}
          download
          startIcon={<Download aria-hidden />}
          aria-label="Download replies as CSV"
          sx={{ height: 32 }}
        >
          CSV
        </Button>
      </ListHead>
      <SearchField
        q={search.q ?? ''}
        placeholder="Search replies"
        onSearch={onSearch}
        sx={{ px: 2, pb: 1.5 }}
      />
    </>
  );
}

function RepliesList({ broadcastId, conversationId, search }: Omit<RepliesPageProps, 'thread'>) {
  const replies = useReplies(broadcastId, search.q ?? '');
  const { rows, query, hasMore, isLoadingMore, hasMoreFailed, onLoadMore } = replies;
  if (query.isPending)
    return <SkeletonRows rows={8} rowHeight={70} face={36} isTwoLine label="Loading replies" />;
  if (query.isError && rows.length === 0)
    return (
      <Box sx={{ p: 2 }}>
        <RetryNotice onRetry={() => void query.refetch()}>
          {shownMessage(query.error, 'There was an error getting your text replies.')}
        </RetryNotice>
      </Box>
    );
  if (rows.length === 0)
    return search.q ? (
      <EmptyState icon={SearchX} title="Nothing found">
        No reply contains “{search.q}”.
      </EmptyState>
    ) : (
      <EmptyState icon={MessageCircleReply} title="No replies yet">
        Replies are listed here as they arrive.
      </EmptyState>
    );
  return (
    <Box sx={{ flex: 1, minHeight: 0, overflowY: 'auto', overscrollBehavior: 'contain' }}>
      <Box
        component="ul"
        aria-label={`Replies, ${formatCount(replies.extra ?? rows.length)}`}
        sx={{ listStyle: 'none', m: 0, p: 0, borderTop: '1px solid', borderColor: 'line.hair' }}
      >
        {rows.map((reply) => (
          <ReplyRow
            key={reply.TextReplyID}
            broadcastId={broadcastId}
            reply={reply}
            isOpen={reply.ConversationID !== null && reply.ConversationID === conversationId}
            search={search}
          />
        ))}
      </Box>
      {hasMore && (
        <More isLoading={isLoadingMore} hasFailed={hasMoreFailed} onLoad={() => void onLoadMore()} />
      )}
    </Box>
  );
}

interface ReplyRowProps {
  broadcastId: number;
  reply: TextReply;
  isOpen: boolean;
  search: ResultsSearch;
}

function ReplyRow({ broadcastId, reply, isOpen, search }: ReplyRowProps) {
  const { ConversationID, TextSurveyResponse, IsOptedOut, Message, CreateTimestamp } = reply;
  const row = (
    <>
      <Avatar name={fullName(reply)} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1 }}>
          <Typography noWrap sx={{ fontWeight: 520, flex: 1 }}>
            {nameOfRecipient(reply)}
          </Typography>
          <Typography variant="body2" component="span" sx={{ color: 'ink.three', flex: 'none' }}>
            <RelativeTime at={CreateTimestamp} style="short" />
          </Typography>
        </Box>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: '6px', minWidth: 0 }}>
          {TextSurveyResponse && <Chip label={TextSurveyResponse.Label} sx={{ flex: 'none' }} />}
          {IsOptedOut && <Chip label="Opted out" sx={{ flex: 'none', color: 'warning.main' }} />}
          <Typography noWrap sx={{ color: 'text.secondary' }}>
            {Message || 'Picture'}
          </Typography>
        </Box>
      </Box>
    </>
  );
  const look = listRowLook(isOpen, 70);
  return (
    <li>
      {ConversationID === null ? (
        <Box sx={look}>{row}</Box>
      ) : (
        <Box
          component={Link}
          to={`/broadcast-details/${broadcastId}/text-replies/${ConversationID}`}
          search={{ ...search } as never}
          aria-current={isOpen ? 'true' : undefined}
          sx={look}
        >
          {row}
        </Box>
      )}
    </li>
  );
}

/** Fetches the next page as soon as it scrolls into view. */
function More({
  isLoading,
  hasFailed,
  onLoad,
}: {
  isLoading: boolean;
  hasFailed: boolean;
  onLoad: () => void;
}) {
  const element = useRef<HTMLDivElement>(null);
  const load = useRef(onLoad);
  load.current = onLoad;
  useEffect(() => {
    if (!element.current || isLoading || hasFailed) return;
    const watch = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) load.current();
    });
    watch.observe(element.current);
    return () => watch.disconnect();
  }, [isLoading, hasFailed]);
  return (
    <Box ref={element} sx={{ p: 1.5, textAlign: 'center' }}>
      <Button size="small" variant="text" disabled={isLoading} onClick={onLoad}>
        {isLoading ? 'Loading' : hasFailed ? 'More replies couldn’t be loaded. Try again' : 'Show older'}
      </Button>
    </Box>
  );
}
