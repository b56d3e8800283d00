import { useMemo } from 'react';
import { listTextNumbers } from '../../../contract/addresses/numbers.gen.ts';
import type { TextNumber } from '../../../contract/numbers.ts';
import { pageSizes } from '../../../contract/reference/paging.ts';
import { useCallQuery } from '../../queries/calls.ts';

const none: readonly TextNumber[] = [];

/** A number that broadcasts can go out from. */
export function isUsable({ CanText, CanCreateBroadcast, IsBlocked }: TextNumber): boolean {
  return CanText && CanCreateBroadcast && !IsBlocked;
}

/** The text numbers of the user, those that can send broadcasts, and the default one. */
export function useTextNumbers() {
  const query = useCallQuery(
    listTextNumbers,
    { query: { pagesize: pageSizes.textNumbersInNotifications } },
    { staleTime: 60_000 },
  );
  const all = query.data?.Items ?? none;
  return useMemo(() => {
    const usable = all.filter(isUsable);
    return {
      all,
      usable,
      usual: usable.find(({ IsDefault }) => IsDefault) ?? usable[0],
      isPending: query.isPending,
      error: query.error,
      reload: () => void query.refetch(),
    };
  }, [all, query.isPending, query.error, query.refetch]);
}
