import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import {
  ageExcept,
  firstPage,
  freshenPage,
  type LongList,
  type LongSource,
  nextPage,
  pagesInSight,
  rowsOf,
} from './long-list.ts';

interface Sight {
  first: number;
  last: number;
}

/** The visible range of each list, by key. Stale data is fetched again there and on the first page. */
const sights = new Map<string, Sight>();
/** One change of a list at a time, so that loading more and refreshing don't overwrite each other. */
const turns = new Map<string, Promise<unknown>>();

function inTurn<Result>(key: string, act: () => Promise<Result>): Promise<Result> {
  const turn = (turns.get(key) ?? Promise.resolve()).then(act, act);
  const done = turn
    .catch(() => undefined)
    .then(() => {
      if (turns.get(key) === done) turns.delete(key);
    });
  turns.set(key, done);
  return turn;
}

type Source<Row, Extra> = (signal?: AbortSignal) => LongSource<Row, Extra>;

/** A query that holds the loaded part of the list. Invalidating it fetches the first and the visible pages again. */
export function longListQuery<Row, Extra>(
  client: QueryClient,
  queryKey: readonly unknown[],
  source: Source<Row, Extra>,
) {
  const key = JSON.stringify(queryKey);
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) =>
      inTurn(key, async () => {
        const known = client.getQueryData<LongList<Row, Extra>>(queryKey);
        return known ? freshen(known, sights.get(key), source(signal)) : firstPage(source(signal));
      }),
    // A hundred thousand rows are too many to compare; freshenPage keeps the identity of unchanged ones.
    structuralSharing: false,
  });
}

async function freshen<Row, Extra>(
  known: LongList<Row, Extra>,
  sight: Sight | undefined,
  source: LongSource<Row, Extra>,
): Promise<LongList<Row, Extra>> {
  const aged = ageExcept(await freshenPage(known, 0, source), (page) => page.after === undefined);
  return sight ? freshenOld(aged, sight, source) : aged;
}

/** Fetches the stale pages in view again. */
async function freshenOld<Row, Extra>(
  list: LongList<Row, Extra>,
  sight: Sight,
  source: LongSource<Row, Extra>,
): Promise<LongList<Row, Extra>> {
  let fresh = list;
  for (const index of pagesInSight(list.pages, sight)) {
    if (fresh.pages[index]?.isOld) fresh = await freshenPage(fresh, index, source);
  }
  return fresh;
}

/** Keeps the previous rows while another list loads. */
export function useLongList<Row, Extra>(
  queryKey: readonly unknown[],
  source: Source<Row, Extra>,
  isEnabled: boolean,
) {
  const client = useQueryClient();
  const key = JSON.stringify(queryKey);
  const newest = useRef({ queryKey, source });
  newest.current = { queryKey, source };
  const query = useQuery({
    ...longListQuery(client, queryKey, source),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  });
  const { data, isPlaceholderData } = query;
  const [more, setMore] = useState({ key: '', isLoading: false, hasFailed: false });

  const change = useCallback(
    async (
      by: (list: LongList<Row, Extra>, source: LongSource<Row, Extra>) => Promise<LongList<Row, Extra>>,
    ) => {
      const { queryKey: ownKey, source: own } = newest.current;
      return inTurn(JSON.stringify(ownKey), async () => {
        const list = client.getQueryData<LongList<Row, Extra>>(ownKey);
        if (!list) return [];
        const changed = await by(list, own());
        // Pages that weren't fetched keep their age.
        const updatedAt = client.getQueryState(ownKey)?.dataUpdatedAt ?? 0;
        if (changed !== list) client.setQueryData(ownKey, changed, { updatedAt });
        return rowsOf(changed.pages);
      });
    },
    [client],
  );

  /** Resolves to all rows loaded so far; undefined if no more could be loaded. */
  const onLoadMore = useCallback(async () => {
    setMore({ key, isLoading: true, hasFailed: false });
    try {
      const loaded = await change(nextPage);
      setMore({ key, isLoading: false, hasFailed: false });
      return loaded;
    } catch {
      setMore({ key, isLoading: false, hasFailed: true });
      return undefined;
    }
  }, [change, key]);

  const onSight = useCallback(
    (sight: Sight) => {
      sights.set(key, sight);
      const pages = client.getQueryData<LongList<Row, Extra>>(newest.current.queryKey)?.pages ?? [];
      const isAnyOld = pagesInSight(pages, sight).some((index) => pages[index]?.isOld);
      // It failed and stays stale; the next event or scroll tries again.
      if (isAnyOld) change((list, own) => freshenOld(list, sight, own)).catch(() => undefined);
    },
    [change, client, key],
  );
  useEffect(() => () => void sights.delete(key), [key]);

  return {
    query,
    rows: useMemo(() => rowsOf(data?.pages ?? []), [data]),
    extra: data?.extra,
    hasMore: !isPlaceholderData && data !== undefined && data.next !== null,
    isLoadingMore: more.key === key && more.isLoading,
    hasMoreFailed: more.key === key && more.hasFailed,
    onLoadMore,
    onSight,
  };
}
