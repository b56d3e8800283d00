import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  createBroadcast,
  createRepeating,
  getBroadcast,
  listBroadcasts,
} from '../../../../contract/addresses/broadcasts.gen.ts';
import { getPreflight, listDrafts } from '../../../../contract/addresses/drafts.gen.ts';
import type { DraftBroadcast, Preflight } from '../../../../contract/drafts.ts';
import { createBroadcastError, errorCatalog } from '../../../../contract/reference/error-catalog.ts';
import { ApiError, callApi, newIdempotencyKey } from '../../../api.ts';
import { useCall } from '../../../queries/calls.ts';
import type { CreditShortage, GroupExcess } from './not-enough-credits.tsx';
import { reachedCount } from './preflight-words.ts';

/** The problem that kept it from being sent. */
export type SendProblem =
  /** `isRefused`: certainly not sent. After a time-out nobody knows. */
  | { kind: 'message'; message: string; isRefused: boolean }
  | { kind: 'blocked-number'; message: string }
  | ({ kind: 'credits' } & CreditShortage)
  | ({ kind: 'group-size' } & GroupExcess);

interface SendOptions {
  draft: DraftBroadcast;
  /** Everything has to be saved before the server reads it. */
  flush: () => Promise<boolean>;
  onSent: (sent: { BroadcastID: number; isRepeating: boolean }) => void;
}

/** Sends the broadcast once, whatever the connection does, and only with the figures that the page showed. */
export function useSend({ draft, flush, onSent }: SendOptions) {
  const client = useQueryClient();
  const single = useCall(createBroadcast);
  const repeating = useCall(createRepeating);
  const [problem, setProblem] = useState<SendProblem>();
  const [isSent, setSent] = useState(false);
  const { DraftBroadcastID } = draft;
  const isRepeating = draft.startOption === 'REPEATING';

  const send = async (preflight: Preflight) => {
    const { Cost } = preflight;
    setProblem(undefined);
    if (!(await flush())) return;
    const body = { DraftBroadcastID, ExpectedCount: reachedCount(preflight), ExpectedCredits: Cost.Credits };
    const idempotencyKey = keyFor(DraftBroadcastID, JSON.stringify([isRepeating, body]));
    const isOver = (BroadcastID: number) => {
      forgetKey(DraftBroadcastID);
      setSent(true);
      for (const { path } of [listBroadcasts, listDrafts])
        void client.invalidateQueries({ queryKey: [path] });
      onSent({ BroadcastID, isRepeating });
    };
    try {
      isOver((await (isRepeating ? repeating : single).mutateAsync({ body, idempotencyKey })).BroadcastID);
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status < 500;
      // A refusal had no effect, so the next press is a new one; anything else may have arrived.
      if (isRefused) forgetKey(DraftBroadcastID);
      else if (!isRepeating && (await wasSent(DraftBroadcastID))) {
        isOver(DraftBroadcastID);
        return;
      }
      setProblem(problemOf(error, Cost));
      // The number of people or the price has changed, so the new figures are shown before Send is pressed
      // again.
      void client.invalidateQueries({ queryKey: [getPreflight.path, { DraftBroadcastID }] });
    }
  };
  return {
    send,
    isSending: single.isPending || repeating.isPending,
    isSent,
    problem,
    forgetProblem: () => setProblem(undefined),
  };
}

/** After a failure with an unknown result: a draft that was sent is a broadcast with the same id. */
function wasSent(BroadcastID: number): Promise<boolean> {
  return callApi(getBroadcast, { params: { BroadcastID } }, { missing: 'refuse' }).then(
    () => true,
    () => false,
  );
}

interface Extended {
  Name?: string;
  MinCallUnitsRequired?: number;
  AdditionalCallUnits?: number;
  UniqueCount?: number;
  MonthlyLevel?: number;
  ExceededBy?: number;
}

function problemOf(error: unknown, cost: Preflight['Cost']): SendProblem {
  if (!(error instanceof ApiError))
    return { kind: 'message', message: errorCatalog.network, isRefused: false };
  const { ErrorCode, ExtendedData } = error.body;
  const extended = (ExtendedData ?? {}) as Extended;
  if (ErrorCode === 4101) {
    const { UniqueCount = 0, MonthlyLevel = 0, ExceededBy = 0 } = extended;
    return { kind: 'group-size', reached: UniqueCount, allowed: MonthlyLevel, exceededBy: ExceededBy };
  }
  const name = extended.Name;
  const failed = createBroadcastError({
    status: error.status,
    body: error.body,
    ...(name === undefined ? {} : { name }),
  });
  if (failed.show === 'more-credits') {
    const { MinCallUnitsRequired = cost.Credits, AdditionalCallUnits = Math.max(0, -cost.After) } = extended;
    return { kind: 'credits', needed: MinCallUnitsRequired, missing: AdditionalCallUnits };
  }
  const isRefused = error.status < 500;
  return failed.show === 'blocked-number'
    ? { kind: 'blocked-number', message: failed.message }
    : { kind: 'message', message: failed.message, isRefused };
}

/** Kept across reloads: pressing Send again after a time-out must not send it a second time. */
const storedAt = (draftId: number) => `muster-send-${draftId}`;

function keyFor(draftId: number, body: string): string {
  const [keptBody, kept] = (sessionStorage.getItem(storedAt(draftId)) ?? '').split('\n');
  if (keptBody === body && kept) return kept;
  const key = newIdempotencyKey();
  sessionStorage.setItem(storedAt(draftId), `${body}\n${key}`);
  return key;
}

function forgetKey(draftId: number): void {
  sessionStorage.removeItem(storedAt(draftId));
}
