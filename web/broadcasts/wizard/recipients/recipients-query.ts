import { useEffect, useState } from 'react';
import { listDraftContacts } from '../../../../contract/addresses/drafts.gen.ts';
import type { RecipientProblem } from '../../../../contract/draft-recipients.ts';
import { pageSizes } from '../../../../contract/reference/paging.ts';
import { useCallQuery } from '../../../queries/calls.ts';

/** Everybody, those who get it, those who don't, or those who don't for one reason. */
export type Shown = 'all' | 'good' | 'leftout' | RecipientProblem;

/** The part of the query that filters people; a selection of all means all of these. */
export function scopeOf(q: string, shown: Shown) {
  return { q, ...(shown === 'all' ? {} : { problem: shown }) };
}

/** A page of the recipients, found by where the page before it ended. */
export function useRecipients(draftId: number, q: string, shown: Shown) {
  const scope = JSON.stringify([draftId, q, shown]);
  // The start of each page, for going back; another search or filter starts at the first page.
  const [held, setHeld] = useState<{ scope: string; starts: readonly (string | undefined)[] }>({
    scope,
    starts: [undefined],
  });
  const starts = held.scope === scope ? held.starts : [undefined];
  const setStarts = (next: readonly (string | undefined)[]) => setHeld({ scope, starts: next });
  const next = starts.at(-1);
  const query = useCallQuery(
    listDraftContacts,
    {
      params: { DraftBroadcastID: draftId },
      query: {
        ...scopeOf(q, shown),
        pagesize: pageSizes.recipientsTable,
        ...(next === undefined ? {} : { next }),
      },
    },
    { keepPrevious: true },
  );
  const { data, isPlaceholderData } = query;
  // Rows were removed: there are fewer than there were before this page, so it starts over.
  const before = (starts.length - 1) * pageSizes.recipientsTable;
  const isBeyond =
    !isPlaceholderData && data !== undefined && !data.IsMore && before > 0 && data.Size <= before;
  useEffect(() => {
    if (isBeyond) setHeld((now) => ({ ...now, starts: [undefined] }));
  }, [isBeyond]);
  return {
    scope,
    rows: data?.Items,
    total: data?.Size ?? 0,
    isMore: data?.IsMore ?? false,
    page: starts.length,
    isOld: isPlaceholderData,
    error: query.error,
    reload: () => void query.refetch(),
    toPrevious: starts.length > 1 ? () => setStarts(starts.slice(0, -1)) : undefined,
    toNext:
      data?.Next && !isPlaceholderData ? () => setStarts([...starts, data.Next ?? undefined]) : undefined,
  };
}
