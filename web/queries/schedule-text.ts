import { useQueryClient } from '@tanstack/react-query';
import { listScheduledConversations, scheduleConversation } from '../../contract/addresses/scheduled.gen.ts';
import type { CallInput } from '../../contract/call.ts';
import { formatAbsolute } from '../ui/format.ts';
import { showSnackbar } from '../ui/snackbar.tsx';
import { useAttempt } from './attempt.ts';
import { useCall } from './calls.ts';
import { useTimeZone } from './current-user.ts';

/** Schedules a text and says when it goes out. Throws the refusal. */
export function useScheduleText() {
  const client = useQueryClient();
  const zone = useTimeZone();
  const attempt = useAttempt();
  const call = useCall(scheduleConversation);
  const schedule = async (body: CallInput<typeof scheduleConversation>['body']) => {
    await attempt(body, (idempotencyKey) => call.mutateAsync({ body, idempotencyKey }));
    // The socket reports the same; this covers a lost connection.
    void client.invalidateQueries({ queryKey: [listScheduledConversations.path] });
    const at = formatAbsolute(body.StartDate, zone);
    const isEmpty = body.TextMessage === '' && (body.Media ?? []).length === 0;
    showSnackbar(
      isEmpty
        ? `Scheduled without a text. Write it before ${at}, or nothing is sent.`
        : `It will be sent ${at}.`,
    );
  };
  return { schedule, isPending: call.isPending };
}
