import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import {
  beginSequence,
  calculateSequenceCredits,
  getSequence,
  listSequences,
  updateSequence,
} from '../../../contract/addresses/sequences.gen.ts';
import type { SequenceStart, WholeSequence } from '../../../contract/sequences.ts';
import { callApi, newIdempotencyKey } from '../../api.ts';
import { useTimeZone } from '../../queries/current-user.ts';
import { type EditedStep, editedSteps, stepAfter, writtenStep } from './drip-words.ts';

export interface DripDraft {
  name: string;
  textNumberId: number | null;
  steps: readonly EditedStep[];
  startsOn: SequenceStart;
  groupId: number | null;
  keywordId: number | null;
  includesMembers: boolean;
  skipsWeekends: boolean;
  stopsOnReply: boolean;
  shortenLinks: boolean;
}

/**
 * The changes; a function where the state may be newer by the time it is applied, such as after an upload.
 */
type Change = Partial<DripDraft> | ((before: DripDraft) => Partial<DripDraft>);

const saveAfterMs = 700;

/**
 * A campaign while it is being written. The first change creates its draft, and each later change is saved
 * after a moment, so that the campaign can be continued in this browser or another.
 */
export function useDrip(saved: WholeSequence | undefined) {
  const client = useQueryClient();
  const zone = useTimeZone();
  const [draft, setDraft] = useState<DripDraft>(() => ({
    name: saved?.Name ?? '',
    textNumberId: saved?.TextNumberID ?? null,
    startsOn: saved?.StartsOn ?? 'dates',
    groupId: saved?.GroupID ?? null,
    keywordId: saved?.KeywordID ?? null,
    includesMembers: saved?.IncludesMembers ?? false,
    skipsWeekends: saved?.SkipsWeekends ?? false,
    stopsOnReply: saved?.StopsOnReply ?? false,
    shortenLinks: saved?.ShortenLinks ?? false,
    steps:
      saved && saved.Steps.length > 0
        ? editedSteps(saved)
        : [stepAfter(undefined, 1, { now: Date.now(), zone })],
  }));
  const [sequence, setSequence] = useState(saved);
  const [savedAt, setSavedAt] = useState<number>();
  const [isFailed, setFailed] = useState(false);
  const latest = useRef(draft);
  latest.current = draft;
  const beginning = useRef<Promise<WholeSequence>>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isDirty = useRef(false);
  const hasShortLinks = useRef(draft.shortenLinks);

  /** Its draft, created only once even if several callers ask for it. */
  const ensure = useCallback(async (): Promise<WholeSequence> => {
    if (sequence !== undefined) return sequence;
    beginning.current ??= callApi(
      beginSequence,
      { body: {} },
      { missing: 'refuse', idempotencyKey: newIdempotencyKey() },
    ).then((made) => {
      setSequence(made);
      void client.invalidateQueries({ queryKey: [listSequences.path] });
      return made;
    });
    beginning.current.catch(() => {
      beginning.current = undefined;
    });
    return beginning.current;
  }, [sequence, client]);

  /** Saves what isn't saved yet. False if that failed. */
  const flush = useCallback(async (): Promise<boolean> => {
    clearTimeout(timer.current);
    if (!isDirty.current) return true;
    isDirty.current = false;
    try {
      const { SequenceID } = await ensure();
      const { steps, ...rest } = latest.current;
      const kept = await callApi(
        updateSequence,
        {
          params: { SequenceID },
          body: { ...rest, steps: steps.map(writtenStep) },
        },
        { missing: 'refuse' },
      );
      client.setQueryData([getSequence.path, { params: { SequenceID } }], kept);
      // Costs are calculated with the links as they are saved.
      if (kept.ShortenLinks !== hasShortLinks.current)
        void client.invalidateQueries({ queryKey: [calculateSequenceCredits.path] });
      hasShortLinks.current = kept.ShortenLinks;
      setSavedAt(Date.now());
      setFailed(false);
      return true;
    } catch {
      isDirty.current = true;
      setFailed(true);
      return false;
    }
  }, [ensure, client]);

  const change = useCallback(
    (by: Change) => {
      setDraft((before) => ({ ...before, ...(typeof by === 'function' ? by(before) : by) }));
      isDirty.current = true;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void flush(), saveAfterMs);
    },
    [flush],
  );

  // Changes typed at the last moment are saved when the page is left.
  const last = useRef(flush);
  last.current = flush;
  useEffect(() => () => void last.current(), []);

  return { draft, change, flush, ensure, sequence, savedAt, isFailed };
}
export type OpenDrip = ReturnType<typeof useDrip>;
