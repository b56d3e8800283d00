import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useForkRef } from '@mui/material/utils';
import { ArrowRightLeft, Ban, MessageSquareX, UsersRound } from 'lucide-react';
import { type ReactNode, type Ref, useCallback, useEffect, useRef, useState } from 'react';
import type { Conversation, TextMessage } from '../../../contract/conversations.ts';
import type { TextNumber } from '../../../contract/numbers.ts';
import { cannotSendMessage } from '../../../contract/states/account-status.ts';
import { numberState } from '../../pieces/numbers/number-state.ts';
import { textNumberName } from '../../pieces/numbers/text-number-names.ts';
import { useAccount, useWhyNot } from '../../queries/current-user.ts';
import { presenceLine, usePresent } from '../../queries/presence.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { snackbarAtTop } from '../../ui/foot-height.ts';
import { Notice } from '../../ui/notice.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { Composer } from './composer.tsx';
import { NoteComposer } from './note-composer.tsx';
import { OptInDialog } from './opt-in-dialog.tsx';
import { useSubmitText } from './submit-text.ts';
import { WaitingTexts } from './waiting-texts.tsx';
import type { Writing } from './writing.ts';

interface ThreadFootProps {
  conversation: Conversation;
  numbers: readonly TextNumber[];
  writing: Writing;
  composerRef: Ref<HTMLTextAreaElement>;
  isOnePane: boolean;
  /** No room for labels beside the buttons. */
  isNarrow: boolean;
  isNote: boolean;
  onNote: (isNote: boolean) => void;
  onSent: () => void;
  onSentDone: (conversation: Conversation) => void;
}

/**
 * Below the texts: who else is here, whether someone has already replied, and the composer or the reason for its
 * absence.
 */
export function ThreadFoot(props: ThreadFootProps) {
  const { conversation, numbers, writing, isOnePane, isNarrow, isNote, onNote } = props;
  const { ConversationID, TextNumberID, IsRetired } = conversation;
  const field = useRef<HTMLTextAreaElement>(null);
  const inputRef = useForkRef(field, props.composerRef);
  const anywayRef = useRef<HTMLButtonElement>(null);
  const number = numbers.find((one) => one.TextNumberID === TextNumberID);
  const denial = useWhyNot('replyInConversation');
  const writeNote = useCallback(() => onNote(true), [onNote]);
  // Switching to the other field focuses it.
  const was = useRef(isNote);
  useEffect(() => {
    if (was.current !== isNote) field.current?.focus();
    was.current = isNote;
  }, [isNote]);

  const submitting = useSubmitText({
    conversation,
    writing,
    anywayRef,
    onSent: () => {
      props.onSent();
      field.current?.focus();
    },
    onSentDone: () => props.onSentDone(conversation),
  });

  return (
    // Beside the list, the snackbar covers the list. On a narrow screen it would cover this and the newest text.
    <Box ref={isOnePane ? snackbarAtTop : undefined} sx={{ flex: 'none' }}>
      <PresenceLine conversationId={ConversationID} />
      <WaitingTexts conversation={conversation} />
      {isNote ? (
        <NoteComposer
          conversationId={ConversationID}
          inputRef={inputRef}
          isNarrow={isNarrow}
          onWriteText={() => onNote(false)}
        />
      ) : IsRetired ? (
        <RetiredNotice conversation={conversation} numbers={numbers} />
      ) : conversation.OptedOut ? (
        <OptedOutNotice conversation={conversation} onWriteNote={writeNote} />
      ) : denial !== undefined ? (
        <NoTextsNotice denial={denial} onWriteNote={writeNote} />
      ) : number && !number.CanText ? (
        <MuteNotice number={number} />
      ) : (
        <>
          {writing.answer && (
            <AnswerNotice
              answer={writing.answer}
              anywayRef={anywayRef}
              onAnyway={() => void submitting.submit({ anyway: true })}
              onAccept={() => {
                writing.acceptAnswer();
                field.current?.focus();
              }}
            />
          )}
          <Composer
            conversation={conversation}
            writing={writing}
            submitting={submitting}
            from={number}
            inputRef={inputRef}
            isNarrow={isNarrow}
            onWriteNote={writeNote}
          />
        </>
      )}
    </Box>
  );
}

/** The account or the user may not text. */
function NoTextsNotice({ denial, onWriteNote }: { denial: string; onWriteNote: () => void }) {
  const account = useAccount();
  return (
    <Padded>
      <Notice kind="warning" icon={Ban} title={(account && cannotSendMessage(account, Date.now())) ?? denial}>
        Incoming texts still arrive here.
        <Box sx={{ mt: 1 }}>
          <Button size="small" variant="text" onClick={onWriteNote}>
            Write a note
          </Button>
        </Box>
      </Notice>
    </Padded>
  );
}

/** The number can't send texts. */
function MuteNotice({ number }: { number: TextNumber }) {
  const account = useAccount();
  const { sentence } = account ? numberState(number, account, Date.now()) : {};
  return (
    <Padded>
      <Notice kind="warning" icon={Ban} title={`${textNumberName(number)} can’t send texts.`}>
        {sentence} Move the conversation to another text number, or ask an account administrator.{' '}
        <RouterLink to="/settings/text">See your text numbers</RouterLink>
      </Notice>
    </Padded>
  );
}

function Padded({ children }: { children: ReactNode }) {
  return (
    <Box
      sx={{
        px: { xs: '10px', tablet: 2.5 },
        pb: { xs: 'calc(10px + env(safe-area-inset-bottom))', tablet: 2 },
      }}
    >
      {children}
    </Box>
  );
}

/** Says who else is viewing this conversation or typing. */
function PresenceLine({ conversationId }: { conversationId: number }) {
  const people = usePresent(conversationId);
  const line = presenceLine(people);
  const shown = people.find(({ isTyping }) => isTyping) ?? people[0];
  if (!shown) return null;
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        px: { xs: '14px', tablet: 3 },
        pb: 1,
        typography: 'caption',
        color: 'text.secondary',
      }}
    >
      <Avatar name={shown.Name} size={18} />
      {line}
    </Box>
  );
}

interface AnswerNoticeProps {
  answer: TextMessage;
  anywayRef: Ref<HTMLButtonElement>;
  onAnyway: () => void;
  onAccept: () => void;
}

/** A coworker replied while the user was writing. */
function AnswerNotice({ answer, anywayRef, onAnyway, onAccept }: AnswerNoticeProps) {
  return (
    <Box sx={{ px: { xs: '10px', tablet: '20px' }, pb: 1 }}>
      <Notice
        kind="warning"
        icon={UsersRound}
        title={`${answer.SentBy?.Name ?? 'Someone else'} has already replied.`}
      >
        Read their reply before you send yours.
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 1 }}>
          <Button size="small" ref={anywayRef} onClick={onAnyway}>
            Send anyway
          </Button>
          <Button size="small" variant="text" onClick={onAccept}>
            Keep writing
          </Button>
        </Box>
      </Notice>
    </Box>
  );
}

function OptedOutNotice({
  conversation,
  onWriteNote,
}: {
  conversation: Conversation;
  onWriteNote: () => void;
}) {
  const [isAsking, setAsking] = useState(false);
  return (
    <Padded>
      <Notice kind="warning" icon={MessageSquareX} title="This number has opted out of receiving texts.">
        They can text START to your number to get texts again.
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 1 }}>
          <Button size="small" onClick={() => setAsking(true)}>
            Opt in
          </Button>
          <Button size="small" variant="text" onClick={onWriteNote}>
            Write a note
          </Button>
        </Box>
      </Notice>
      <OptInDialog conversation={conversation} isOpen={isAsking} onClose={() => setAsking(false)} />
    </Padded>
  );
}

/** The conversation was moved; texts go to the one that continues it. */
function RetiredNotice({
  conversation: { ContinuedInID },
  numbers,
}: {
  conversation: Conversation;
  numbers: readonly TextNumber[];
}) {
  return (
    <Padded>
      <Notice
        icon={ArrowRightLeft}
        title={
          numbers.length > 1
            ? 'This conversation continues on another text number.'
            : 'This conversation has ended.'
        }
      >
        {ContinuedInID === null ? (
          'You can still read it here.'
        ) : (
          <RouterLink to="/inbox/$conversationId" params={{ conversationId: ContinuedInID }} search>
            Open it there
          </RouterLink>
        )}
      </Notice>
    </Padded>
  );
}
