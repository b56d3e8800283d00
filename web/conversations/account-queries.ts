import type { AccountUser } from '../../contract/accounts.ts';
import { listAccountUsers } from '../../contract/accounts.ts';
import { listTags, type Tag } from '../../contract/tags.ts';
import { useCallQuery } from '../queries/calls.ts';

interface AskedPeople {
  /** By name; undefined until they are there. */
  people: readonly AccountUser[] | undefined;
  /** Why there are none; undefined where nothing failed. */
  failure: string | undefined;
}

/** The active people of the organization. They change seldom. */
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
  /** By name; undefined until they are there. */
  tags: readonly Tag[] | undefined;
  /** Why there are none; undefined where nothing failed. */
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
