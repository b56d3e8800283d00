import { useQueryClient } from '@tanstack/react-query';
import {
  listGroupReplies,
  listReplyGroups,
  moveReplies,
} from '../../../contract/addresses/broadcasts.gen.ts';
import type { GroupedReply, GroupKey, NamedGroup, ReplyGroup } from '../../../contract/reply-groups.ts';
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

/** Moves replies to another group and offers Undo. */
export function useMoveReplies(broadcastId: number) {
  const groupAgain = useGroupAgain();
  const { mutateAsync, isPending } = useCall(moveReplies);
  const move = async (replies: readonly GroupedReply[], key: GroupKey | null): Promise<void> => {
    if (replies.length === 0) return;
    await mutateAsync({
      params: { BroadcastID: broadcastId },
      body: { TextReplyIDs: replies.map(({ TextReplyID }) => TextReplyID), GroupKey: key },
    });
  };
  const failed = (error: unknown, count: number) =>
    showSnackbar(
      shownMessage(
        error,
        count === 1 ? 'There was an error moving the reply.' : 'There was an error moving the replies.',
      ),
    );
  /** Those that had been moved by hand go back to the group they came from, the others to where they were grouped. */
  const undo = async (replies: readonly GroupedReply[], from: ReplyGroup): Promise<void> => {
    try {
      await move(
        replies.filter(({ IsMoved }) => IsMoved),
        from.GroupKey,
      );
      await move(
        replies.filter(({ IsMoved }) => !IsMoved),
        null,
      );
    } catch (error) {
      failed(error, replies.length);
    }
    await groupAgain();
  };
  /** Resolves to whether they were moved. */
  const moveTo = async (
    replies: readonly GroupedReply[],
    from: ReplyGroup,
    to: NamedGroup | null,
  ): Promise<boolean> => {
    try {
      await move(replies, to?.GroupKey ?? null);
    } catch (error) {
      failed(error, replies.length);
      return false;
    }
    const back =
      replies.length === 1 ? 'The reply is back in its group.' : 'The replies are back in their groups.';
    showSnackbar({
      message: to === null ? back : `Moved to “${to.Name}”.`,
      action: { label: 'Undo', onPress: () => void undo(replies, from) },
    });
    await groupAgain();
    return true;
  };
  return { moveTo, isMoving: isPending };
}
