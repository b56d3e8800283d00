import type { DraftBroadcast, DraftForm } from '../../../contract/drafts.ts';
import { errorCatalog } from '../../../contract/reference/error-catalog.ts';
import { ApiError, fieldMessages, newIdempotencyKey, shownMessage } from '../../api.ts';

export type DraftPatch = Partial<DraftForm>;

/** What is known of the saving itself, for the bar. */
export interface KeeperState {
  draftId: number | undefined;
  /** Changed and not yet kept: shown over what the server has. */
  unsaved: Partial<DraftBroadcast>;
  isSaving: boolean;
  /** When something was last kept from here; undefined when nothing was. */
  savedAt: number | undefined;
  error: string | undefined;
}

interface Around {
  create: (body: DraftPatch, idempotencyKey: string) => Promise<DraftBroadcast>;
  update: (draftId: number, body: DraftPatch) => Promise<DraftBroadcast>;
  /** Called with every answer before `unsaved` lets go of what it holds, so that nothing flickers. */
  onKept: (draft: DraftBroadcast) => void;
}

/** Typing rests this long before it is kept. */
const RESTS_MS = 600;
/** A failed save is tried again after these; the last one goes on. */
const TRIES_MS = [1_000, 2_000, 5_000, 10_000] as const;

let lastSerial = 0;

/**
 * Keeps a draft as one goes. Changes gather while typing, one save runs at a time and takes all that has gathered.
 * What could not be kept stays in `unsaved` and is tried again by itself; a refusal waits for the next change, since the
 * same would be refused again. The first change makes the draft.
 */
export function createDraftKeeper(draftId: number | undefined, around: Around) {
  let state: KeeperState = { draftId, unsaved: {}, isSaving: false, savedAt: undefined, error: undefined };
  let gathered: DraftPatch = {};
  let gatheredShown: Partial<DraftBroadcast> = {};
  let sentShown: Partial<DraftBroadcast> = {};
  let running: Promise<boolean> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  // A draft whose making was not answered may exist: the same key finds it.
  let createKey = newIdempotencyKey();
  let createBody: DraftPatch | undefined;
  const listeners = new Set<() => void>();

  const publish = (by: Partial<KeeperState>) => {
    state = { ...state, ...by, unsaved: { ...sentShown, ...gatheredShown } };
    for (const listener of listeners) listener();
  };
  const saveIn = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void run(), ms);
  };

  const post = async (body: DraftPatch): Promise<DraftBroadcast> => {
    if (state.draftId !== undefined) return around.update(state.draftId, body);
    createBody ??= body;
    const made = await around.create(createBody, createKey);
    const isAll = createBody === body;
    createBody = undefined;
    around.onKept(made);
    publish({ draftId: made.DraftBroadcastID });
    // What was typed between the tries was not in the body that the key stands for.
    return isAll ? made : around.update(made.DraftBroadcastID, body);
  };

  const saveOnce = async (): Promise<boolean> => {
    const body = gathered;
    gathered = {};
    sentShown = gatheredShown;
    gatheredShown = {};
    publish({ isSaving: true });
    try {
      const draft = await post(body);
      around.onKept(draft);
      failures = 0;
      sentShown = {};
      publish({ isSaving: false, savedAt: Date.now(), error: undefined });
      return true;
    } catch (error) {
      gathered = { ...body, ...gathered };
      gatheredShown = { ...sentShown, ...gatheredShown };
      sentShown = {};
      if (isRefusal(error)) {
        createKey = newIdempotencyKey();
        createBody = undefined;
      } else saveIn(TRIES_MS[Math.min(failures++, TRIES_MS.length - 1)] ?? 0);
      publish({ isSaving: false, error: saveError(error, state.draftId) });
      return false;
    }
  };

  /** Saves until nothing is left to save; false when that failed. */
  const run = (): Promise<boolean> => {
    clearTimeout(timer);
    timer = undefined;
    running ??= (async () => {
      let isKept = true;
      while (isKept && Object.keys(gathered).length > 0) isKept = await saveOnce();
      return isKept;
    })().finally(() => {
      running = undefined;
    });
    return running;
  };

  return {
    /** Tells one keeper from another, also of drafts that have no id yet. */
    serial: ++lastSerial,
    state: () => state,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** `shown`: what the page shows meanwhile where it differs from what is sent, as with pictures. */
    save(patch: DraftPatch, shown: Partial<DraftBroadcast> = shownOf(patch)): void {
      gathered = { ...gathered, ...patch };
      gatheredShown = { ...gatheredShown, ...shown };
      publish({});
      saveIn(RESTS_MS);
    },
    /** Keeps everything now. True when all is kept; the page may be left then. */
    flush: run,
    isKept: () => running === undefined && Object.keys(gathered).length === 0,
    /** Nothing is tried any more: the draft was sent or thrown away. */
    stop(): void {
      clearTimeout(timer);
      gathered = {};
      gatheredShown = {};
      publish({ error: undefined });
    },
  };
}

export type DraftKeeper = ReturnType<typeof createDraftKeeper>;

/** The form's fields stand in the draft under the same names; pictures are named by id there and shown whole here. */
function shownOf({ Media, ...patch }: DraftPatch): Partial<DraftBroadcast> {
  return { ...patch, ...(Media?.length === 0 ? { Media: [] } : {}) } as Partial<DraftBroadcast>;
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== 429;
}

function saveError(error: unknown, draftId: number | undefined): string {
  if (error instanceof ApiError && error.status === 409)
    return error.body.Message ?? 'This broadcast was already sent.';
  const field = Object.values(fieldMessages(error))[0];
  const generic = draftId === undefined ? errorCatalog.startDraft : errorCatalog.updateDraft;
  return field ?? shownMessage(error, generic);
}
