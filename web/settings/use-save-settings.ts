import { useQueryClient } from '@tanstack/react-query';
import { getAccount, getUser, updateAccount, updateUser } from '../../contract/addresses/accounts.gen.ts';
import { useCall } from '../queries/calls.ts';

/** Saves settings of the user or the organization. The pages show what was saved before it resolves. */
export function useSaveSettings() {
  const client = useQueryClient();
  const user = useCall(updateUser);
  const account = useCall(updateAccount);
  const refresh = async () => {
    const paths = [getAccount.path, getUser.path];
    await Promise.all(paths.map((path) => client.invalidateQueries({ queryKey: [path] })));
  };
  return {
    refresh,
    saveUser: async (body: Parameters<typeof user.mutateAsync>[0]['body']) => {
      await user.mutateAsync({ body });
      await refresh();
    },
    saveAccount: async (body: Parameters<typeof account.mutateAsync>[0]['body']) => {
      await account.mutateAsync({ body });
      await refresh();
    },
  };
}
