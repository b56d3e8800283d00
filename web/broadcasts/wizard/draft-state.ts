import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import { createDraft, getDraft, updateDraft } from '../../../contract/addresses/drafts.gen.ts';
import type { DraftBroadcast } from '../../../contract/drafts.ts';
import { defaults } from '../../../contract/reference/limits.ts';
import { defaultCallingWindow } from '../../../contract/time/calling-window.ts';
import { callApi } from '../../api.ts';
import { callKey, useCallQuery } from '../../queries/calls.ts';
import { createDraftKeeper, type DraftKeeper, type DraftPatch } from './draft-keeper.ts';

/** The props of every step of the wizard. */
export interface StepProps {
  draft: DraftBroadcast;
  /**
   * Saves it soon; changes are shown at once. `shown`: where the draft shows more than the form sends
   * (Media).
   */
  save: (patch: DraftPatch, shown?: Partial<DraftBroadcast>) => void;
  /** Saves everything now; false if that failed. Needed before a call that reads the draft on the server. */
  flush: () => Promise<boolean>;
}

/** A broadcast before anything is typed. It has no row in the database yet. */
export const newDraft: DraftBroadcast = {
  DraftBroadcastID: 0,
  BroadcastName: '',
  BroadcastType: 'GroupSMS',
  IsTextSurvey: false,
  TextNumberID: null,
  TextMessage: '',
  Media: [],
  IncludeSignature: false,
  KeepCharacters: false,
  ShortenLinks: false,
  LinkBase: '',
  SecondText: null,
  TextSurveyAutoReplies: [],
  TemplateID: null,
  startOption: 'START_IMMEDIATELY',
  StartDate: null,
  RepeatingBroadcastSchedule: null,
  PerMinute: null,
  CallerID: '',
  CallThrottle: defaults.user.CallThrottle,
  Retries: defaults.user.Retries,
  CheckCallingWindow: false,
  CallingWindowDays: [...defaultCallingWindow.CallingWindowDays],
  StartTimeOfDay: defaultCallingWindow.StartTimeOfDay,
  StopTimeOfDay: defaultCallingWindow.StopTimeOfDay,
  ContinueOnNextDay: defaultCallingWindow.ContinueOnNextDay,
  Audio: null,
  AudioVM: null,
  RecordLater: false,
  RecordLaterVM: false,
  voiceOption: 'create message',
  voiceType: 'create message',
  IsTransfer: false,
  TransferNumber: null,
  TransferLines: null,
  CountryID: 1,
  MaxMessageLength: defaults.user.MaxMessageLength,
  Step: 1,
  RecipientsConfirmed: false,
  CustomData: [],
  TextNumberCount: 0,
  TotalTextNumberCount: 0,
  VoiceNumberCount: 0,
  TotalVoiceNumberCount: 0,
  MinCallUnitsRequired: 0,
  TextNumberCredits: 0,
  PotentialUniqueCount: 0,
  StartDateAllocatedTextCredits: 0,
  RosterChangedSinceLastMerge: false,
  UniqueCountThresholdExceeded: false,
  IsAdding: false,
  Starts: null,
  Ends: null,
  UpdateTimestamp: new Date(0).toISOString(),
};

/**
 * Shows the reply of a call at once. A fetch that began before the call would show old data, so it is
 * canceled, but without restoring the data from before it, which would lose a letter typed meanwhile.
 */
function keepDraft(client: QueryClient, draft: DraftBroadcast): void {
  const queryKey = callKey(getDraft, { params: { DraftBroadcastID: draft.DraftBroadcastID } });
  void client.cancelQueries({ queryKey, exact: true }, { revert: false, silent: true });
  client.setQueryData(queryKey, draft);
}

function newKeeper(client: QueryClient, draftId: number | undefined): DraftKeeper {
  return createDraftKeeper(draftId, {
    create: (body, idempotencyKey) => callApi(createDraft, { body }, { idempotencyKey, missing: 'refuse' }),
    update: (DraftBroadcastID, body) =>
      callApi(updateDraft, { params: { DraftBroadcastID }, body }, { missing: 'refuse' }),
    onKept: (draft) => keepDraft(client, draft),
  });
}

/**
 * The keeper of the draft in the address. A draft that was just created here gets its address a moment later;
 * the keeper is the same before and after, so that nothing is lost or rerendered while somebody types.
 */
function useKeeper(addressId: number | undefined): DraftKeeper {
  const client = useQueryClient();
  const [held, setHeld] = useState(() => ({ keeper: newKeeper(client, addressId), addressId }));
  if (held.addressId === addressId) return held.keeper;
  const isJustMade = held.addressId === undefined && held.keeper.state().draftId === addressId;
  const next = { keeper: isJustMade ? held.keeper : newKeeper(client, addressId), addressId };
  setHeld(next);
  return next.keeper;
}

/** A draft and its saving. Without an id: one that the first change will create. */
export function useDraft(addressId: number | undefined) {
  const client = useQueryClient();
  const keeper = useKeeper(addressId);
  const state = useSyncExternalStore(keeper.subscribe, keeper.state);
  const query = useCallQuery(
    getDraft,
    { params: { DraftBroadcastID: state.draftId ?? 0 } },
    { enabled: state.draftId !== undefined },
  );
  const known = state.draftId === undefined ? newDraft : query.data;
  const draft: DraftBroadcast | undefined = known && { ...known, ...state.unsaved };
  return {
    draft,
    /** One for each draft that was opened, even before it has an id. */
    serial: keeper.serial,
    draftId: state.draftId,
    save: keeper.save,
    flush: keeper.flush,
    isKept: keeper.isKept,
    /** The current value, not the one at render: a flush may have created the draft. */
    currentId: () => keeper.state().draftId,
    /** The same for all of it: whoever waited for something, such as a message being read aloud, may have saved since. */
    current: (): DraftBroadcast | undefined => {
      const { draftId, unsaved } = keeper.state();
      const kept =
        draftId === undefined
          ? newDraft
          : client.getQueryData<DraftBroadcast>(callKey(getDraft, { params: { DraftBroadcastID: draftId } }));
      return kept && { ...kept, ...unsaved };
    },
    stop: keeper.stop,
    isSaving: state.isSaving,
    savedAt: state.savedAt ?? (known === newDraft || !known ? undefined : Date.parse(known.UpdateTimestamp)),
    /** Reason why it could not be saved. */
    error: state.error,
    /** Reason why it could not be loaded. */
    loadError: query.error,
    reload: () => void query.refetch(),
  };
}
export type OpenDraft = ReturnType<typeof useDraft>;
