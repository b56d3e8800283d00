import { useQueryClient } from '@tanstack/react-query';
import { listTextNumbers } from '../../contract/addresses/numbers.gen.ts';
import {
  cancelScheduledConversation,
  listScheduledConversations,
  sendScheduledConversation,
} from '../../contract/addresses/scheduled.gen.ts';
import type { TextNumber } from '../../contract/numbers.ts';
import { pageSizes } from '../../contract/reference/paging.ts';
import type { ScheduledConversation } from '../../contract/scheduled.ts';
import { ApiError, shownMessage } from '../api.ts';
import { useCall, useCallQuery } from '../queries/calls.ts';
import { showSnackbar } from '../ui/snackbar.tsx';
import type { ScheduledSearch } from './scheduled-address.ts';
import { sentWords } from './scheduled-words.ts';

export const PAGE_SIZE = 25;

/** Upcoming ones, the next first; ended ones, the latest first. */
export function useScheduled({ ended, textNumberId, q, page = 1 }: ScheduledSearch) {
  const query = {
    page,
    pagesize: PAGE_SIZE,
    sortby: ended ? '-startdate' : 'startdate',
    ...(ended ? { ended } : {}),
    ...(textNumberId ? { textNumberId } : {}),
    ...(q ? { q } : {}),
  } as const;
  return useCallQuery(listScheduledConversations, { query }, { keepPrevious: true });
}

/** The text numbers the user may use; undefined while loading. */
export function useNumbers(): readonly TextNumber[] | undefined {
  const query = { pagesize: pageSizes.textNumbersInNotifications };
  return useCallQuery(listTextNumbers, { query }, { staleTime: 300_000 }).data?.Items;
}

/** Updates this list immediately; other people's lists hear it from the socket. */
export function useFreshenScheduled(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: [listScheduledConversations.path] });
}

/** Actions on a scheduled text. Each resolves to whether it succeeded. */
export function useScheduledActions(onShow: (sent: ScheduledConversation) => void) {
  const freshen = useFreshenScheduled();
  const send = useCall(sendScheduledConversation);
  const cancel = useCall(cancelScheduledConversation);

  const make = async (change: () => Promise<void>, failed: string): Promise<boolean> => {
    try {
      await change();
      return true;
    } catch (error) {
      showSnackbar(shownMessage(error, failed));
      // Someone else sent, canceled or deleted it meanwhile, so the dialog closes.
      return error instanceof ApiError && (error.status === 404 || error.status === 409);
    } finally {
      freshen();
    }
  };
  const paramsOf = ({ ScheduledConversationID }: ScheduledConversation) => ({
    params: { ScheduledConversationID },
  });
  return {
    isBusy: send.isPending || cancel.isPending,
    sendNow: (one: ScheduledConversation) =>
      make(async () => {
        const sent = await send.mutateAsync(paramsOf(one));
        const action = { label: 'Show', onPress: () => onShow(sent) };
        showSnackbar({ message: sentWords(sent.Contacts), action });
      }, 'There was an error sending your scheduled conversation.'),
    cancel: (one: ScheduledConversation) =>
      make(async () => {
        await cancel.mutateAsync(paramsOf(one));
        showSnackbar('The text was canceled.');
      }, 'There was an error canceling your scheduled conversation.'),
  };
}
