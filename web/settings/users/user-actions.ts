import { useQueryClient } from '@tanstack/react-query';
import type { Member } from '../../../contract/account-users.ts';
import {
  getUsersSummary,
  listAccountUsers,
  resendInvitation,
  updateAccountUsers,
  withdrawInvitation,
} from '../../../contract/addresses/accounts.gen.ts';
import { resetSecondFactors } from '../../../contract/addresses/factors.gen.ts';
import type { SelectionOfIds } from '../../../contract/selection.ts';
import { shownMessage } from '../../api.ts';
import { useCall } from '../../queries/calls.ts';
import { fullName } from '../../queries/current-user.ts';
import { countOf } from '../../ui/format.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import type { userQuery } from './user-view.ts';

const failed = 'There was an error updating your users.';

/** The actions on users of the list. */
export function useUserActions(query: ReturnType<typeof userQuery>, onDone: () => void) {
  const client = useQueryClient();
  const change = useCall(updateAccountUsers);
  const resend = useCall(resendInvitation);
  const withdraw = useCall(withdrawInvitation);
  const reset = useCall(resetSecondFactors);
  const run = async (act: () => Promise<string>) => {
    try {
      showSnackbar(await act());
      onDone();
    } catch (error) {
      showSnackbar(shownMessage(error, failed));
    }
    for (const { path } of [listAccountUsers, getUsersSummary]) {
      void client.invalidateQueries({ queryKey: [path] });
    }
  };
  return {
    isBusy: change.isPending || resend.isPending || withdraw.isPending || reset.isPending,
    /** Activates or deactivates, and says who was left out. */
    activate: (Selection: SelectionOfIds, IsActive: boolean) =>
      run(async () => {
        const { Size, LeftOut } = await change.mutateAsync({
          query,
          body: { Selection, Update: { IsActive } },
        });
        const done = IsActive
          ? `${countOf(Size, 'user', 'users')} activated.`
          : `${countOf(Size, 'user', 'users')} deactivated.`;
        const [first] = LeftOut;
        if (!first) return done;
        const others = LeftOut.length === 1 ? '' : ` and ${countOf(LeftOut.length - 1, 'other', 'others')}`;
        return `${done} ${first.Name}${others} left out: ${first.Message}`;
      }),
    resend: (member: Member) =>
      run(async () => {
        await resend.mutateAsync({ params: { UserID: member.UserID } });
        return `Invitation sent to ${member.Email} again.`;
      }),
    withdraw: (member: Member) =>
      run(async () => {
        await withdraw.mutateAsync({ params: { UserID: member.UserID } });
        return `The invitation of ${fullName(member)} was withdrawn.`;
      }),
    resetFactors: (member: Member) =>
      run(async () => {
        await reset.mutateAsync({ params: { UserID: member.UserID } });
        return `${fullName(member)} has no second factor any more and is signed out everywhere.`;
      }),
  };
}
export type UserActions = ReturnType<typeof useUserActions>;
