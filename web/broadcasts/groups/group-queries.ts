import { useQueryClient } from '@tanstack/react-query';
import {
  listGroupReplies,
  listReplyGroups,
  moveReplies,
} from '../../../contract/addresses/broadcasts.gen.ts';
import type { GroupedReply, GroupKey, ReplyGroup } from '../../../contract/reply-groups.ts';
import { shownMessage } from '../../api.ts';
import { useCall, useCallQuery } from '../../queries/calls.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';

/** Groups don't change while somebody is answering them: new replies are grouped only on request. */
const staleTime = Number.POSITIVE_INFINITY;

export function useReplyGroups(broadcastId: number) {
  return useCallQuery(listReplyGroups, { params: { BroadcastID: broadcastId } }, { staleTime });
}

export const PAGE_SIZE = 50;

export function useGroupReplies(broadcastId: number, group: GroupKey, page: number) {
  return useCallQuery(
    listGroupReplies,
    { params: { BroadcastID: broadcastId }, query: { group, page, pagesize: PAGE_SIZE } },
    { staleTime, keepPrevious: true },
  );
}

/** Groups the replies again, with those that came since. */
export function useGroupAgain() {
  const client = useQueryClient();
  return () =>
    Promise.all(
      [listReplyGroups, listGroupReplies].map(({ path }) => client.invalidateQueries({ queryKey: [path] })),
    );
}

/** Moves a reply to another group and offers Undo. */
export function useMoveReply(broadcastId: number) {
  const groupAgain = useGroupAgain();
  const { mutateAsync, isPending } = useCall(moveReplies);
  const move = async (replyId: number, key: GroupKey | null): Promise<boolean> => {
    try {
      await mutateAsync({
        params: { BroadcastID: broadcastId },
        body: { TextReplyIDs: [replyId], GroupKey: key },
      });
      await groupAgain();
      return true;
    } catch (error) {
      showSnackbar(shownMessage(error, 'There was an error moving the reply.'));
      return false;
    }
  };
  const moveTo = async (reply: GroupedReply, from: ReplyGroup, to: ReplyGroup | null) => {
    if (!(await move(reply.TextReplyID, to?.GroupKey ?? null))) return;
    showSnackbar({
      message: to === null ? 'The reply is back in its group.' : `Moved to “${to.Name}”.`,
      action: {
        label: 'Undo',
        onPress: () => void move(reply.TextReplyID, reply.IsMoved ? from.GroupKey : null),
      },
    });
  };
  return { moveTo, isMoving: isPending };
}
