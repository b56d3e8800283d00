import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { getEmergency, previewEmergency, startEmergency } from '../../contract/addresses/emergencies.gen.ts';
import type { Emergency, EmergencyChannel } from '../../contract/emergencies.ts';
import { ApiError, callApi, fieldMessages, newIdempotencyKey, shownMessage } from '../api.ts';
import { useCall, useCallQuery } from '../queries/calls.ts';
import { useUser } from '../queries/current-user.ts';
import { showSnackbar } from '../ui/snackbar.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { joinedWords } from './emergency-words.ts';

/** The choices so far. */
export interface Chosen {
  /** Null for custom words, undefined before anything was chosen. */
  messageId: number | null | undefined;
  /** Undefined while the prepared words are unchanged. */
  text: string | undefined;
  /** Undefined until a group was selected or deselected: the first prepared one is preselected. */
  listIds: readonly number[] | undefined;
  isDrill: boolean;
  channel: EmergencyChannel;
  ignoresHours: boolean;
}

const nothing: Chosen = {
  messageId: undefined,
  text: undefined,
  listIds: undefined,
  isDrill: false,
  channel: 'TextAndCall',
  ignoresHours: false,
};

/**
 * The key is made when the screen opens and kept across reloads until something was started with it: whatever
 * the connection does, confirming sends one broadcast. The confirmed choices are kept beside it.
 */
const KEPT = 'muster-emergency';
interface Kept {
  key: string;
  /** The choices that were confirmed without a reply yet. */
  confirmed?: Chosen;
}

function readKept(): Kept {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? '') as Kept;
    if (typeof kept.key === 'string') return kept;
  } catch {
    // Nothing is stored, or storage is off: then the key lasts as long as the page.
  }
  return { key: newIdempotencyKey() };
}

function keep(kept: Kept | undefined): void {
  try {
    if (kept === undefined) sessionStorage.removeItem(KEPT);
    else sessionStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // Private windows may refuse it.
  }
}

const PREVIEW_DELAY_MS = 250;

export function useEmergency() {
  const navigate = useNavigate();
  const me = useUser()?.UserID;
  const [kept] = useState(readKept);
  const [chosen, setChosen] = useState<Chosen>(kept.confirmed ?? nothing);
  const [refused, setProblem] = useState<string>();
  const [isUnheard, setUnheard] = useState(kept.confirmed !== undefined);
  const { data, isError, refetch } = useCallQuery(getEmergency, { query: { Key: kept.key } });
  useEffect(() => keep(kept), [kept]);

  // The reply to the confirmation was lost, but it went out: after a reload, this is where it leads.
  const started = data?.StartedBroadcastID ?? null;
  // Shown only once the result is known: until the server has replied, it may have gone out.
  const problem =
    isUnheard && data && started === null
      ? 'The connection dropped before we heard back. Nothing was sent. Confirm again.'
      : refused;
  const leaveFor = (broadcastId: number) => {
    keep(undefined);
    void navigate({
      to: '/broadcast-details/$broadcastId',
      params: { broadcastId },
      search: {},
      replace: true,
    });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: leaves once it is known
  useEffect(() => {
    if (started === null) return;
    // Confirmed again with other choices: those weren't sent.
    if (refused !== undefined) showSnackbar(refused);
    leaveFor(started);
  }, [started]);

  const body = bodyOf(chosen, data);
  // An emergency that a colleague starts changes the recipients of this one.
  const running = (data?.Running ?? []).map(({ BroadcastID }) => BroadcastID).join();
  const preview = usePreview(body, { isAsked: isReady(chosen, body), running });
  const { mutateAsync, isPending } = useCall(startEmergency);
  const confirm = async (): Promise<void> => {
    if (isPending || !preview.data || preview.data.Refusal !== null) return;
    setProblem(undefined);
    setUnheard(false);
    keep({ key: kept.key, confirmed: chosen });
    const { Reached, Cost } = preview.data;
    try {
      const request = {
        body: { ...body, Key: kept.key, ExpectedCount: Reached, ExpectedCredits: Cost.Credits },
      };
      const reply = await untilHeard(() => mutateAsync(request));
      if (reply.IsJoined) showSnackbar(joinedWords(reply.StartedBy, me));
      leaveFor(reply.BroadcastID);
    } catch (error) {
      if (isRefused(error)) keep(kept);
      setProblem(problemWords(error));
      void preview.refetch();
      void refetch();
    }
  };
  return {
    data,
    isError,
    retry: () => void refetch(),
    chosen,
    change: (changed: Partial<Chosen>) => {
      setProblem(undefined);
      setUnheard(false);
      setChosen((before) => ({ ...before, ...changed }));
    },
    listIds: body.Lists.map(({ ListID }) => ListID),
    preview,
    problem,
    isSending: isPending || started !== null,
    confirm: () => void confirm(),
  };
}

/** A lost connection is tried again at once: the key makes sure that it goes out once. */
async function untilHeard<Reply>(ask: () => Promise<Reply>): Promise<Reply> {
  for (const waitMs of retryMs) {
    try {
      return await ask();
    } catch (error) {
      if (isRefused(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
  return ask();
}
const retryMs = [500, 1_000, 2_000];

function bodyOf(chosen: Chosen, data: Emergency | undefined) {
  const offered = data?.Lists ?? [];
  const first = data === undefined || data.SelectedListID === null ? [] : [data.SelectedListID];
  // A group that is no longer prepared can't be sent to.
  const listIds = (chosen.listIds ?? first).filter((id) => offered.some(({ ListID }) => ListID === id));
  return {
    EmergencyMessageID: chosen.messageId ?? null,
    TextMessage: chosen.text?.trim() ?? '',
    Lists: chosen.isDrill ? [] : listIds.map((ListID) => ({ ListID })),
    IsDrill: chosen.isDrill,
    Channel: chosen.channel,
    IgnoreHours: chosen.ignoresHours,
  };
}

type Body = ReturnType<typeof bodyOf>;

function isReady({ messageId, text }: Chosen, { TextMessage, Lists, IsDrill }: Body): boolean {
  const hasWords = messageId === null ? TextMessage !== '' : messageId !== undefined && text?.trim() !== '';
  return hasWords && (IsDrill || Lists.length > 0);
}

/** The recipients and the cost, fetched again after every choice. */
function usePreview(body: Body, { isAsked, running }: { isAsked: boolean; running: string }) {
  const asked = useDebounced(JSON.stringify(body), PREVIEW_DELAY_MS);
  const isCurrent = asked === JSON.stringify(body);
  const query = useQuery({
    queryKey: [previewEmergency.path, asked, running],
    queryFn: ({ signal }) =>
      callApi(previewEmergency, { body: JSON.parse(asked) as Body }, { signal, missing: 'refuse' }),
    enabled: isAsked && isCurrent,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    retry: (failures, error) => !isRefused(error) && failures < 5,
  });
  return {
    /** Undefined while the figures shown belong to another choice. */
    data: isAsked && isCurrent && !query.isPlaceholderData ? query.data : undefined,
    isAsked,
    problem: isAsked && query.isError ? problemWords(query.error) : undefined,
    refetch: query.refetch,
  };
}

function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status !== 502 && error.status !== 503;
}

/** Errors that belong to a field have their own message. */
function problemWords(error: unknown): string {
  if (!isRefused(error)) {
    return 'There is no connection. Nothing is sent twice: confirm again when you’re back online.';
  }
  return Object.values(fieldMessages(error))[0] ?? shownMessage(error, 'There was an error sending this.');
}
