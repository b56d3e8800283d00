import {
  AlarmClock,
  Ban,
  Check,
  CheckCheck,
  CircleQuestionMark,
  Clock,
  Image,
  TriangleAlert,
} from 'lucide-react';
import { type FocusEvent, type MouseEvent, memo, type PointerEvent } from 'react';
import type { Conversation } from '../../../contract/conversations.ts';
import { type DeliveryKind, isTextStatusCode, textStatuses } from '../../../contract/delivery/text-status.ts';
import { isUnread } from '../../../contract/states/conversation-state.ts';
import { useTimeZone } from '../../queries/current-user.ts';
import { formatAbsolute, formatRelative } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { say } from '../../ui/say.ts';
import { formatUntil } from '../actions/snooze-choices.ts';
import type { FoundConversation } from '../inbox-queries.ts';
import { knownName, nameOf } from '../names.ts';
import type { OutboxEntry } from '../thread/outbox.ts';
import { foundPieces } from './found-words.ts';
import { RowAvatar } from './row-avatar.tsx';
import { RowMarks, RowTags } from './row-marks.tsx';

/** Event handlers for a row's link, shared by all rows. */
export interface RowHandlers {
  onClick: (event: MouseEvent<HTMLAnchorElement>) => void;
  onPointerEnter: (event: PointerEvent<HTMLAnchorElement>) => void;
  onPointerLeave: () => void;
  onFocus: (event: FocusEvent<HTMLAnchorElement>) => void;
}

interface ConversationRowProps {
  conversation: FoundConversation;
  href: string;
  q: string | undefined;
  draft: string | undefined;
  /** A text that the server doesn't have yet. */
  unsent?: OutboxEntry | undefined;
  isOpen: boolean;
  isTicked: boolean;
  handlers: RowHandlers;
  /** With `isRange`, selects everything from the last selected row. Omitted where rows can't be selected. */
  onToggle?: (conversationId: number, isRange: boolean) => void;
}

/**
 * A row of the list. All of it links to the thread, and the avatar doubles as the checkbox. Uses plain elements: see
 * RowList.
 */
export const ConversationRow = memo(function ConversationRow(props: ConversationRowProps) {
  const { conversation, href, q, draft, unsent, isOpen, isTicked, handlers, onToggle } = props;
  const { ConversationID, IsDone, Tags } = conversation;
  const unread = isUnread(conversation);
  const name = nameOf(conversation);
  const Box = onToggle ? 'label' : 'div';
  const states = [IsDone && 'is-done', unread && 'is-unread', isOpen && 'is-open', isTicked && 'is-ticked'];
  return (
    <div className={['row', ...states.filter(Boolean)].join(' ')}>
      <a
        href={href}
        data-conversation={ConversationID}
        {...(isOpen ? { 'aria-current': 'true' } : {})}
        {...handlers}
      >
        <span className="line">
          <span className="name">{name}</span>
          <RowTags tags={Tags} />
          <RowTime conversation={conversation} />
        </span>
        <span className="line">
          <span className="words">
            <Snippet conversation={conversation} q={q} draft={isOpen ? undefined : draft} unsent={unsent} />
          </span>
          <RowMarks
            conversationId={ConversationID}
            assignedTo={conversation.AssignedTo?.Name}
            assigneePicture={conversation.AssignedTo?.PictureUrl}
            unreadCount={unread ? conversation.UnreadCount : 0}
          />
        </span>
      </a>
      <Box className={onToggle ? 'box' : 'box is-fixed'}>
        <span className="row-avatar">
          <RowAvatar name={knownName(conversation)} />
          {IsDone && (
            <span className="done-mark">
              <Check size={9} strokeWidth={4} role="img" aria-label={say('Done', 'conversation')} />
            </span>
          )}
        </span>
        {onToggle && <RowBox id={ConversationID} name={name} isTicked={isTicked} onToggle={onToggle} />}
      </Box>
    </div>
  );
});

interface RowBoxProps {
  id: number;
  name: string;
  isTicked: boolean;
  onToggle: NonNullable<ConversationRowProps['onToggle']>;
}

function RowBox({ id, name, isTicked, onToggle }: RowBoxProps) {
  return (
    <>
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        checked={isTicked}
        onChange={({ nativeEvent }) =>
          onToggle(id, (nativeEvent as Event & { shiftKey?: boolean }).shiftKey === true)
        }
      />
      <Check className="tick" size={12} strokeWidth={3.2} aria-hidden />
    </>
  );
}

/** The time of the last text, or the end of the snooze. */
function RowTime({ conversation }: { conversation: FoundConversation }) {
  const now = useNow();
  const zone = useTimeZone();
  const { SnoozedUntil, Found, LastMessage } = conversation;
  const at = SnoozedUntil ?? (Found ?? LastMessage)?.CreateTimestamp;
  if (!at) return null;
  return (
    <time className="time" dateTime={at} title={formatAbsolute(at, zone)}>
      {SnoozedUntil && <AlarmClock size={12} strokeWidth={2} role="img" aria-label="Snoozed until" />}
      {SnoozedUntil ? formatUntil(at, now, zone) : formatRelative(at, now, zone, 'short')}
    </time>
  );
}

interface SnippetProps {
  conversation: FoundConversation;
  q: string | undefined;
  draft: string | undefined;
  unsent: OutboxEntry | undefined;
}

/** The last text on one line, or the found one, after its delivery status if we sent it. */
function Snippet({ conversation, q, draft, unsent }: SnippetProps) {
  const { Found, LastMessage } = conversation;
  if (unsent) return <Unsent entry={unsent} />;
  if (draft && !q) {
    return (
      <>
        <span className="draft">Draft: </span>
        {draft}
      </>
    );
  }
  const message = (q ? Found : undefined) ?? LastMessage;
  if (!message) return 'No messages yet';
  return (
    <>
      {!message.IsInbound && <RowStatus status={message.Status} />}
      {message.HasMedia && <Image size={13} strokeWidth={2} role="img" aria-label="With a picture" />}
      {q ? <Words text={message.Message} q={q} /> : message.Message.trim() || (message.HasMedia && 'Picture')}
    </>
  );
}

function Unsent({ entry: { state, text } }: { entry: OutboxEntry }) {
  const isWaiting = state === 'waiting';
  const Glyph = isWaiting ? Clock : TriangleAlert;
  return (
    <>
      <span className={isWaiting ? 'draft' : 'status-bad'}>
        <Glyph size={13} strokeWidth={2} aria-hidden />
        {isWaiting ? 'Not sent yet' : 'Not sent'} ·{' '}
      </span>
      {text || 'Picture'}
    </>
  );
}

const glyphs = {
  waiting: Clock,
  'with-carrier': Check,
  good: CheckCheck,
  bad: TriangleAlert,
  unknown: CircleQuestionMark,
} as const satisfies Record<DeliveryKind, unknown>;

/** StatusMark for rows: good statuses show an icon, bad ones an icon and a word. */
function RowStatus({ status }: { status: NonNullable<Conversation['LastMessage']>['Status'] }) {
  if (!isTextStatusCode(status)) return null;
  const { label, tooltip, kind } = textStatuses[status];
  const Glyph = status === 'opted_out' ? Ban : glyphs[kind];
  const isBad = kind === 'bad';
  return (
    <span className={status === 'opted_out' ? 'opted-out' : `status-${kind}`} title={tooltip}>
      {isBad ? (
        <Glyph size={13} strokeWidth={2} aria-hidden />
      ) : (
        <Glyph size={13} strokeWidth={2} role="img" aria-label={label} />
      )}
      {isBad && `${label} · `}
    </span>
  );
}

/** A text with the search words highlighted. */
function Words({ text, q }: { text: string; q: string }) {
  let at = 0;
  return foundPieces(text, q).map((piece) => {
    at += piece.text.length;
    return piece.isFound ? <mark key={at}>{piece.text}</mark> : <span key={at}>{piece.text}</span>;
  });
}
