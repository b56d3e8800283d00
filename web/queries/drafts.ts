import { useSyncExternalStore } from 'react';
import type { MediaItem } from '../../contract/media.ts';
import { useUser } from './current-user.ts';

export interface Draft {
  text: string;
  pictures: MediaItem[];
  /** The latest text of the thread when it was begun: who has answered since was not read by its writer. */
  seenId?: number | undefined;
}

export const emptyDraft: Draft = { text: '', pictures: [] };

type Drafts = ReturnType<typeof createDrafts>;

/**
 * What somebody wrote and didn't send, by conversation. Kept in the browser under the user's own id: who signs in
 * after them doesn't see it, and their other windows have it too.
 */
export function createDrafts(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  storageKey: string,
) {
  let drafts = recall();
  const listeners = new Set<() => void>();

  function recall(): Readonly<Record<string, Draft>> {
    try {
      return JSON.parse(storage.getItem(storageKey) ?? '{}');
    } catch {
      return {};
    }
  }

  function publish(next: Readonly<Record<string, Draft>>): void {
    drafts = next;
    for (const listener of listeners) listener();
  }

  return {
    all: () => drafts,
    get: (conversationId: number): Draft => drafts[conversationId] ?? emptyDraft,
    set(conversationId: number, draft: Draft): void {
      const { [conversationId]: _before, ...others } = drafts;
      const isEmpty = draft.text === '' && draft.pictures.length === 0;
      const next = isEmpty ? others : { ...others, [conversationId]: draft };
      try {
        if (Object.keys(next).length === 0) storage.removeItem(storageKey);
        else storage.setItem(storageKey, JSON.stringify(next));
      } catch {
        // Storage is full or refused: the draft lives as long as the page.
      }
      publish(next);
    },
    /** Another window has written under this key; null stands for all of them. */
    hear(key: string | null): void {
      if (key === storageKey || key === null) publish(recall());
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** One of each a user: they outlive the screens, so that leaving a thread loses nothing. */
const stores = new Map<string, Drafts>();

function useStore(kind: 'drafts' | 'notes'): Drafts {
  const storageKey = `muster-${kind}-${useUser()?.UserID ?? 0}`;
  const known = stores.get(storageKey);
  if (known) return known;
  const made = createDrafts(localStorage, storageKey);
  window.addEventListener('storage', ({ key }) => made.hear(key));
  stores.set(storageKey, made);
  return made;
}

export function useDraftStore(): Drafts {
  return useStore('drafts');
}

/** Every draft by conversation, for the list's "Draft: …". */
export function useDrafts() {
  const store = useDraftStore();
  return useSyncExternalStore(store.subscribe, store.all);
}

type OneDraft = [Draft, (change: (before: Draft) => Draft) => void];

function useOne(store: Drafts, conversationId: number): OneDraft {
  const draft = useSyncExternalStore(store.subscribe, () => store.get(conversationId));
  // From the store and not from what was rendered: a picture may arrive after one has left.
  return [draft, (change) => store.set(conversationId, change(store.get(conversationId)))];
}

/** What is being written to them, kept as it is typed. */
export function useDraft(conversationId: number): OneDraft {
  return useOne(useDraftStore(), conversationId);
}

/** What is being written for the team. */
export function useNoteDraft(conversationId: number): OneDraft {
  return useOne(useStore('notes'), conversationId);
}
