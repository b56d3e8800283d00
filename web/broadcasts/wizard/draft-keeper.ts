import type { DraftBroadcast, DraftForm } from '../../../contract/drafts.ts';
import { errorCatalog } from '../../../contract/reference/error-catalog.ts';
import { ApiError, fieldMessages, newIdempotencyKey, shownMessage } from '../../api.ts';

export type DraftPatch = Partial<DraftForm>;

/** The state of saving, for the bar. */
export interface KeeperState {
  draftId: number | undefined;
  /** Changes not saved yet, shown over the server's data. */
  unsaved: Partial<DraftBroadcast>;
  isSaving: boolean;
  /** Time when something was last saved from here; undefined if nothing was. */
  savedAt: number | undefined;
  error: string | undefined;
}

interface Around {
  create: (body: DraftPatch, idempotencyKey: string) => Promise<DraftBroadcast>;
  update: (draftId: number, body: DraftPatch) => Promise<DraftBroadcast>;
  /** Called with every reply before its changes are removed from `unsaved`, so that nothing flickers. */
  onKept: (draft: DraftBroadcast) => void;
}

/** Changes are saved when typing has paused for this long. */
const RESTS_MS = 600;
/** A failed save is retried after these delays; the last one repeats. */
const TRIES_MS = [1_000, 2_000, 5_000, 10_000] as const;

let lastSerial = 0;

/**
 * Saves a draft automatically. Changes are collected while typing; one save runs at a time and sends
 * everything collected so far. Changes that could not be saved stay in `unsaved` and are retried
 * automatically; after a refusal it waits for the next change, since the same data would be refused again.
 * The first change creates the draft.
 */
export function createDraftKeeper(draftId: number | undefined, around: Around) {
  let state: KeeperState = { draftId, unsaved: {}, isSaving: false, savedAt: undefined, error: undefined };
  let gathered: DraftPatch = {};
  let gatheredShown: Partial<DraftBroadcast> = {};
  let sentShown: Partial<DraftBroadcast> = {};
  let running: Promise<boolean> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  // A draft whose creation got no reply may exist: the same key finds it.
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
    // Changes typed between the tries were not in the body that belongs to the key.
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

  /** Saves until nothing is left to save; false if that failed. */
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
    /** Identifies a keeper, even for drafts that have no id yet. */
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
    /** Saves everything now. True if everything is saved; then the page may be left. */
    flush: run,
    isKept: () => running === undefined && Object.keys(gathered).length === 0,
    /** Stops all retries: the draft was sent or discarded. */
    stop(): void {
      clearTimeout(timer);
      gathered = {};
      gatheredShown = {};
      publish({ error: undefined });
    },
  };
}

export type DraftKeeper = ReturnType<typeof createDraftKeeper>;

/**
 * The draft has the form's fields under the same names; it refers to pictures by id, while the page shows
 * whole pictures.
 */
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
