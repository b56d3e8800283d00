import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import {
  getContact,
  getList,
  listContacts,
  listCustomFields,
  listDuplicates,
  listLists,
  listWork,
} from '../../../contract/addresses/contacts.gen.ts';
import { specialGroups } from '../../../contract/contacts.ts';
import type { List } from '../../../contract/lists.ts';
import { callQuery, useCallQuery } from '../../queries/calls.ts';
import type { ListState } from '../../queries/list-search.ts';
import { recallList, useList } from '../../queries/list-state.ts';
import { isGroup, pageSizeOf, selectionQueryOf, sortOf } from './contacts-view.ts';

/** Page size, sort and filter are remembered under this name, for all groups together. */
const REMEMBERED_AS = 'contacts';

/**
 * A page of a list. If the page before it was loaded, its Next value leads here, so that any page of a
 * million rows costs as much as the first; a page from an address or a bookmark is found by its number.
 */
export function useContactList(listId: number) {
  const [nexts] = useState(() => new Map<string, string>());
  const { state, change, data, isPlaceholderData, ...query } = useList(listContacts, {
    noun: { one: 'contact', many: 'contacts' },
    defaults: { pagesize: 25 },
    remember: REMEMBERED_AS,
    toInput: (asked) => inputOf(listId, asked, nexts.get(placeOf(asked))),
  });
  const reply = isPlaceholderData ? undefined : data;
  if (reply?.Next) nexts.set(placeOf({ ...state, page: state.page + 1 }), reply.Next);

  // The last page became empty (its rows were deleted), or the address has a page number beyond the last
  // page.
  const lastPage = Math.max(1, Math.ceil((reply?.Size ?? 0) / pageSizeOf(state.pagesize)));
  const isBeyond = reply !== undefined && reply.Items.length === 0 && state.page > 1;
  useEffect(() => {
    if (isBeyond) change({ page: Math.min(state.page - 1, lastPage) }, { replace: true });
  }, [isBeyond, state.page, lastPage, change]);

  return {
    state,
    change,
    rows: data?.Items ?? [],
    total: data?.Size ?? 0,
    isMore: data?.IsMore ?? false,
    isSimilar: data?.IsSimilar ?? false,
    hasNext: data?.Next !== null && data?.Next !== undefined,
    isPending: data === undefined && query.isPending,
    /** The rows shown belong to the previous search or page; the requested one is loading. */
    isOld: isPlaceholderData,
    error: query.error,
    refetch: query.refetch,
  };
}

function inputOf(listId: number, asked: ListState, next?: string) {
  return {
    params: { ListID: listId },
    query: {
      ...selectionQueryOf(asked),
      page: asked.page,
      pagesize: pageSizeOf(asked.pagesize),
      sortby: sortOf(asked.sort),
      ...(next === undefined ? {} : { next }),
    },
  };
}

/** The page's first query, so that a route can start it while the page's code is loading. */
export function contactsAtFirst(listId: number, search: Partial<ListState>) {
  const state = {
    page: 1,
    pagesize: 25,
    sort: '',
    filter: '',
    q: '',
    ...recallList(REMEMBERED_AS),
    ...search,
  };
  return callQuery(listContacts, inputOf(listId, state));
}

function placeOf({ q, filter, sort, pagesize, page }: ListState): string {
  return JSON.stringify([q, filter, sort, pagesize, page]);
}

const noLists: readonly List[] = [];

/** The special groups, the groups and the segments. */
export function useGroups() {
  const query = useCallQuery(listLists, {});
  const lists = query.data?.Items ?? noLists;
  return useMemo(
    () => ({
      lists,
      special: [specialGroups.everyone, specialGroups.unfiled, specialGroups.deleted].flatMap((id) =>
        lists.filter(({ ListID }) => ListID === id),
      ),
      own: lists.filter(({ ListID }) => ListID > 0),
      /** The groups that people can be added to. */
      targets: lists.filter(isGroup),
      isPending: query.isPending,
      isError: query.isError,
      reload: () => void query.refetch(),
    }),
    [lists, query.isPending, query.isError, query.refetch],
  );
}

/** Everything that a change of contacts or groups may have changed on the screen. */
export function freshenContacts(client: QueryClient): void {
  for (const call of [
    listContacts,
    listLists,
    getList,
    getContact,
    listDuplicates,
    listCustomFields,
    listWork,
  ])
    void client.invalidateQueries({ queryKey: [call.path] });
}
