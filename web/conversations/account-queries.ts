import type { AccountUser } from '../../contract/accounts.ts';
import { listAccountUsers } from '../../contract/accounts.ts';
import { listTags, type Tag } from '../../contract/tags.ts';
import { useCallQuery } from '../queries/calls.ts';

/** The active people of the organisation, by name. They change seldom. */
export function useAccountPeople(isEnabled = true): readonly AccountUser[] {
  const query = { page: 'all', enabled: true } as const;
  return (
    useCallQuery(listAccountUsers, { query }, { enabled: isEnabled, staleTime: 300_000 }).data?.Items ??
    nobody
  );
}
const nobody: readonly AccountUser[] = [];

/** The organisation's tags, by name. */
export function useTags(isEnabled = true): readonly Tag[] {
  return useCallQuery(listTags, {}, { enabled: isEnabled, staleTime: 300_000 }).data?.Items ?? noTags;
}
const noTags: readonly Tag[] = [];
