import type { QueryClient } from '@tanstack/react-query';
import {
  getBroadcast,
  getBroadcastsSummary,
  listBroadcastDetails,
  listBroadcasts,
  listRepeating,
  listTextReplies,
} from '../../contract/addresses/broadcasts.gen.ts';
import { listDrafts } from '../../contract/addresses/drafts.gen.ts';
import { listTextNumbers } from '../../contract/addresses/numbers.gen.ts';
import type { BroadcastDetail, TextReply } from '../../contract/broadcast-results.ts';
import type { CallInput } from '../../contract/call.ts';
import { callApi } from '../api.ts';
import { textNumberLine } from '../pieces/numbers/text-number-names.ts';
import { callKey, useCallQuery } from '../queries/calls.ts';
import type { LongSource } from '../queries/long-list.ts';
import { useLongList } from '../queries/use-long-list.ts';

type DetailsQuery = NonNullable<CallInput<typeof listBroadcastDetails>['query']>;

/** The query of a tab, a search and an answer; it also defines what a selection in them includes. */
export type DetailsFilter = Pick<
  DetailsQuery,
  'q' | 'textresultcategory' | 'textsurveyresponse' | 'callresultcategory' | 'surveyresult'
>;

const sourceOfDetails =
  (broadcastId: number, filter: DetailsFilter) =>
  (signal?: AbortSignal): LongSource<BroadcastDetail, number> => ({
    idOf: ({ RecipientID }) => RecipientID,
    placeOf: ({ RecipientID }) => RecipientID,
    fetch: async (next, pagesize) => {
      const { Items, Next, Size } = await callApi(
        listBroadcastDetails,
        {
          params: { BroadcastID: broadcastId },
          query: { ...filter, pagesize, ...(next === undefined ? {} : { next }) },
        },
        { missing: 'refuse', ...(signal ? { signal } : {}) },
      );
      return { rows: Items, next: Next, extra: Size };
    },
  });

/** The rows of a tab, as far as the user has scrolled. */
export function useDetails(broadcastId: number, filter: DetailsFilter) {
  const key = callKey(listBroadcastDetails, { params: { BroadcastID: broadcastId }, query: filter });
  return useLongList([...key, 'rows'] as const, sourceOfDetails(broadcastId, filter), true);
}

const sourceOfReplies =
  (broadcastId: number, q: string) =>
  (signal?: AbortSignal): LongSource<TextReply, number> => ({
    idOf: ({ TextReplyID }) => TextReplyID,
    placeOf: ({ TextReplyID }) => TextReplyID,
    fetch: async (next, pagesize) => {
      const { Items, Next, Size } = await callApi(
        listTextReplies,
        {
          params: { BroadcastID: broadcastId },
          query: { q, pagesize, ...(next === undefined ? {} : { next }) },
        },
        { missing: 'refuse', ...(signal ? { signal } : {}) },
      );
      return { rows: Items, next: Next, extra: Size };
    },
  });

export function useReplies(broadcastId: number, q: string) {
  const key = callKey(listTextReplies, { params: { BroadcastID: broadcastId }, query: { q } });
  return useLongList([...key, 'rows'] as const, sourceOfReplies(broadcastId, q), true);
}

export function useBroadcast(broadcastId: number) {
  return useCallQuery(getBroadcast, { params: { BroadcastID: broadcastId } });
}

/** "Main office, (423) 555-0100"; undefined while it isn't known, or for those who may not use the number. */
export function useNumberLine(textNumberId: number | null | undefined): string | undefined {
  const { data } = useCallQuery(listTextNumbers, { query: { pagesize: 1000 } }, { staleTime: 300_000 });
  const number = data?.Items.find(({ TextNumberID }) => TextNumberID === textNumberId);
  return number && textNumberLine(number);
}

/** Everything that a change of broadcasts may have changed on the screen. */
export function freshenBroadcasts(client: QueryClient): void {
  for (const call of [
    listBroadcasts,
    getBroadcastsSummary,
    getBroadcast,
    listBroadcastDetails,
    listDrafts,
    listRepeating,
  ])
    void client.invalidateQueries({ queryKey: [call.path] });
}
