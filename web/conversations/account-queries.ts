import type { AccountUser } from '../../contract/accounts.ts';
import { listAccountUsers } from '../../contract/accounts.ts';
import { listTags, type Tag } from '../../contract/tags.ts';
import { useCallQuery } from '../queries/calls.ts';

/** The active people of the organisation, by name. They change seldom. */
export function useAccountPeople(isEnabled = true): readonly AccountUser[] | undefined {
  const query = { page: 'all', enabled: true } as const;
  const asked = useCallQuery(listAccountUsers, { query }, { enabled: isEnabled, staleTime: 300_000 });
  return asked.isPending ? undefined : (asked.data?.Items ?? nobody);
}
const nobody: readonly AccountUser[] = [];

/** The organisation's tags, by name; undefined until they are there. */
export function useTags(isEnabled = true): readonly Tag[] | undefined {
  const asked = useCallQuery(listTags, {}, { enabled: isEnabled, staleTime: 300_000 });
  return asked.isPending ? undefined : (asked.data?.Items ?? noTags);
}
const noTags: readonly Tag[] = [];
