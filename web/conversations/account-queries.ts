import type { AccountUser } from '../../contract/account-users.ts';
import { listAccountUsers } from '../../contract/addresses/accounts.gen.ts';
import { listTags } from '../../contract/addresses/conversations.gen.ts';
import type { Tag } from '../../contract/tags.ts';
import { useCallQuery } from '../queries/calls.ts';

interface AskedPeople {
  /** Sorted by name; undefined while loading. */
  people: readonly AccountUser[] | undefined;
  /** The error to show; undefined unless loading failed. */
  failure: string | undefined;
}

/** The organization's active users. They rarely change. */
export function useAccountPeople(isEnabled = true): AskedPeople {
  const query = { page: 'all', enabled: true } as const;
  const asked = useCallQuery(listAccountUsers, { query }, { enabled: isEnabled, staleTime: 300_000 });
  return {
    people: asked.isPending ? undefined : (asked.data?.Items ?? nobody),
    failure: asked.isError && !asked.data ? "There was an error getting your account's users." : undefined,
  };
}
const nobody: readonly AccountUser[] = [];

interface AskedTags {
  /** Sorted by name; undefined while loading. */
  tags: readonly Tag[] | undefined;
  /** The error to show; undefined unless loading failed. */
  failure: string | undefined;
}

/** The organization's tags. */
export function useTags(isEnabled = true): AskedTags {
  const asked = useCallQuery(listTags, {}, { enabled: isEnabled, staleTime: 300_000 });
  return {
    tags: asked.isPending ? undefined : (asked.data?.Items ?? noTags),
    failure:
      asked.isError && !asked.data ? 'There was an error getting the tags assigned to the user.' : undefined,
  };
}
const noTags: readonly Tag[] = [];
