import type { DraftBroadcast } from '../../../../contract/drafts.ts';
import type { CallingWindow } from '../../../../contract/time/calling-window.ts';
import type { DraftPatch } from '../draft-keeper.ts';

/** The part of a draft that says when it may ring. */
export function windowOf(draft: DraftBroadcast): CallingWindow {
  const { CallingWindowDays, StartTimeOfDay, StopTimeOfDay, ContinueOnNextDay } = draft;
  return { CallingWindowDays, StartTimeOfDay, StopTimeOfDay, ContinueOnNextDay };
}

/** The dialogs let only names of days through. */
export function windowPatch(window: CallingWindow): DraftPatch {
  return { ...window, CallingWindowDays: [...window.CallingWindowDays] } as DraftPatch;
}
