import Button from '@mui/material/Button';
import Tooltip from '@mui/material/Tooltip';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { resendTextMessage } from '../../../contract/addresses/conversations.gen.ts';
import type { TextMessage } from '../../../contract/conversations.ts';
import { messageTooLong } from '../../../contract/text/text-length.ts';
import { ApiError } from '../../api.ts';
import { characterLimit, isTooLong } from '../../pieces/texts/text-rules.ts';
import { useCall } from '../../queries/calls.ts';
import { useAccount, useCan } from '../../queries/current-user.ts';
import { addToThread } from '../../queries/thread.ts';
import { freshenConversations } from '../inbox-queries.ts';
import { smallAction } from './small-action.ts';
import { sendFailure } from './stores.ts';

interface SendAgainProps {
  conversationId: number;
  message: TextMessage;
  isSentAgain: boolean;
}

/** Below a failed text: sends it again as a new text, cut to the limit if it is longer. */
export function SendAgain({ conversationId, message, isSentAgain }: SendAgainProps) {
  const client = useQueryClient();
  const limit = characterLimit(useAccount());
  const canSend = useCan('replyInConversation');
  const resend = useCall(resendTextMessage);
  const [problem, setProblem] = useState('');
  // The server refused it as too long, because it counts the signature too.
  const [isRefusedAsLong, setRefusedAsLong] = useState(false);
  const isLong = isTooLong(message.Message, limit) || isRefusedAsLong;
  const again = async () => {
    setProblem('');
    try {
      const sent = await resend.mutateAsync({
        params: { TextMessageID: message.TextMessageID },
        body: { TruncateIfExceedsLimit: isLong },
      });
      addToThread(client, conversationId, sent);
      void freshenConversations(client, conversationId);
    } catch (error) {
      setRefusedAsLong(isTooLongRefusal(error, limit));
      setProblem(reasonOf(error));
    }
  };
  if (isSentAgain) return <span>· Sent again</span>;
  if (!canSend) return null;
  return (
    <>
      <Tooltip
        describeChild
        title={isLong ? `Muster cuts it off after ${limit} characters.` : 'Send it as a new text'}
      >
        <Button
          variant="text"
          size="small"
          color="primary"
          disabled={resend.isPending}
          onClick={() => void again()}
          sx={smallAction}
        >
          {isLong ? 'Send shortened' : 'Try again'}
        </Button>
      </Tooltip>
      {problem !== '' && <span role="alert">{problem}</span>}
    </>
  );
}

function isTooLongRefusal(error: unknown, limit: number): boolean {
  return error instanceof ApiError && error.body.Message === messageTooLong(limit);
}

/** A refusal carries its own reason. */
function reasonOf(error: unknown): string {
  const isRefusal = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return (
    (isRefusal && error.body.Message) || sendFailure(error) || 'There was an error sending your message.'
  );
}
