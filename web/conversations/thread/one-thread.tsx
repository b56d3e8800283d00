import { useRef } from 'react';
import { getConversation } from '../../../contract/addresses/conversations.gen.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { useMarkDone } from '../actions/mark-done.ts';
import { useTextNumbers } from '../inbox-queries.ts';
import { ThreadPane } from './thread-pane.tsx';
import { ThreadMissing, ThreadPaneSkeleton } from './thread-states.tsx';
import { useViewConversation } from './view-conversation.ts';

interface OneThreadProps {
  conversationId: number;
  isOnePane: boolean;
  onBack: () => void;
  onContact: (conversationId: number) => void;
}

/** A thread outside the inbox, without the list and the contact. */
export function OneThread({ conversationId, isOnePane, onBack, onContact }: OneThreadProps) {
  const { numbers } = useTextNumbers();
  const query = useCallQuery(getConversation, { params: { ConversationID: conversationId } });
  const markDone = useMarkDone();
  const composerRef = useRef<HTMLTextAreaElement>(null);
  const conversation = query.data;
  useViewConversation(conversation);
  if (!conversation)
    return query.error ? (
      <ThreadMissing error={query.error} onRetry={() => void query.refetch()} onBack={onBack} />
    ) : (
      <ThreadPaneSkeleton />
    );
  return (
    <ThreadPane
      conversation={conversation}
      numbers={numbers}
      composerRef={composerRef}
      isOnePane={isOnePane}
      isContactShown={false}
      onBack={onBack}
      onSentDone={(sentTo) => void markDone(sentTo, true)}
      onMark={() => void markDone(conversation, !conversation.IsDone)}
      onToggleContact={() => onContact(conversationId)}
    />
  );
}
