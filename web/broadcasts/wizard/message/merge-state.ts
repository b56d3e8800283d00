import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import {
  getContactSummary,
  getDraft,
  getPreflight,
  getTemplateMerge,
  listDraftContacts,
  listMergedMessages,
  mergeDraft,
} from '../../../../contract/addresses/drafts.gen.ts';
import { draftLimits } from '../../../../contract/draft-recipients.ts';
import type { DraftBroadcast } from '../../../../contract/drafts.ts';
import type { TemplateMerge } from '../../../../contract/template-merges.ts';
import { fieldMessages, shownMessage } from '../../../api.ts';
import { callKey, callQuery, useCall } from '../../../queries/calls.ts';
import { useDebounced } from '../../../ui/use-debounced.ts';

/** The socket reports when a slice is done; without a socket this polling shows it. */
const LOOKS_MS = 1_500;
/** A list that is merged at once is merged again when typing has paused for this long. */
const RESTS_MS = 1_200;

/** Shows the reply of a call, and refetches the data that depends on who gets what. */
export function keepMerge(client: QueryClient, merge: TemplateMerge): void {
  const { TemplateMergeID } = merge;
  client.setQueryData(callKey(getTemplateMerge, { params: { TemplateMergeID } }), merge);
  for (const call of [getDraft, getContactSummary, getPreflight, listDraftContacts])
    void client.invalidateQueries({
      queryKey: [call.path, { DraftBroadcastID: TemplateMergeID }],
    });
  void client.invalidateQueries({ queryKey: [listMergedMessages.path, { TemplateMergeID }] });
}

export interface Merging {
  /** The progress; undefined until the merge was started from here. */
  merge: TemplateMerge | undefined;
  isBeginning: boolean;
  problem: string;
  begin: () => void;
}

/**
 * The merge of a draft's text with its recipients. Requesting a merge that exists already costs nothing, so
 * it is requested whenever the result is needed. `flush` first: the server merges the text that it has.
 */
export function useMerge(draft: DraftBroadcast, flush: () => Promise<boolean>): Merging {
  const { DraftBroadcastID } = draft;
  const client = useQueryClient();
  const [problem, setProblem] = useState('');
  const [isBegun, setBegun] = useState(false);
  const { mutateAsync, isPending } = useCall(mergeDraft);
  const { data } = useQuery({
    ...callQuery(getTemplateMerge, { params: { TemplateMergeID: DraftBroadcastID } }),
    enabled: isBegun,
    refetchInterval: ({ state }) => (state.data?.Status === 'InProgress' ? LOOKS_MS : false),
  });
  const begin = useCallback(async () => {
    setProblem('');
    if (!(await flush())) return;
    try {
      keepMerge(client, await mutateAsync({ params: { DraftBroadcastID }, body: {} }));
      setBegun(true);
    } catch (error) {
      const field = Object.values(fieldMessages(error))[0];
      setProblem(field ?? shownMessage(error, 'There was an error personalizing your texts.'));
    }
  }, [client, flush, mutateAsync, DraftBroadcastID]);
  useWhenComplete(client, DraftBroadcastID, data?.Status);
  return { merge: isBegun ? data : undefined, isBeginning: isPending, problem, begin: () => void begin() };
}

/** Refetches the data that depends on the merge when its last slice is done. */
function useWhenComplete(client: QueryClient, DraftBroadcastID: number, status: string | undefined): void {
  const [before, setBefore] = useState(status);
  useEffect(() => {
    if (before === status) return;
    setBefore(status);
    if (before !== 'InProgress' || status !== 'Complete') return;
    for (const call of [getDraft, getContactSummary, getPreflight])
      void client.invalidateQueries({ queryKey: [call.path, { DraftBroadcastID }] });
  }, [client, DraftBroadcastID, before, status]);
}

/** Identifies the input of a merge: it changes with the text or the people. */
function mergedWhat(draft: DraftBroadcast): string {
  const { TextMessage, SecondText, KeepCharacters, IncludeSignature, Media, TotalTextNumberCount } = draft;
  const texts = [TextMessage, SecondText?.TextMessage];
  return JSON.stringify([texts, KeepCharacters, IncludeSignature, Media.length, TotalTextNumberCount]);
}

/**
 * Keeps the merge up to date with the text while somebody writes: automatically where it is done at once,
 * otherwise `isStale` says that it has to be requested.
 */
export function useMergeWhileWriting(draft: DraftBroadcast, flush: () => Promise<boolean>) {
  const merging = useMerge(draft, flush);
  const what = mergedWhat(draft);
  const rested = useDebounced(what, RESTS_MS);
  const [asked, setAsked] = useState('');
  const isSmall = draft.TotalTextNumberCount <= draftLimits.rowsAtOnce;
  const ask = () => {
    setAsked(what);
    merging.begin();
  };
  useEffect(() => {
    if (!isSmall || draft.IsAdding || rested !== what || asked === what) return;
    ask();
  });
  return { ...merging, begin: ask, isStale: asked !== what };
}
