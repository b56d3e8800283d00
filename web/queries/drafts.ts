import { useSyncExternalStore } from 'react';
import type { MediaItem } from '../../contract/media.ts';
import { useUser } from './current-user.ts';

export interface Draft {
  text: string;
  pictures: MediaItem[];
  /** Goes out in the characters that were typed, not in plain ones. */
  keepsCharacters?: boolean | undefined;
  /** The latest text of the thread when the draft was started. The writer hasn't read newer ones. */
  seenId?: number | undefined;
}

export const emptyDraft: Draft = { text: '', pictures: [] };

type Drafts = ReturnType<typeof createDrafts>;

/**
 * Unsent texts by conversation. Stored in the browser under the user's ID, so that the next user doesn't see them and
 * the user's other windows do.
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
        // Without storage, the draft lasts as long as the page.
      }
      publish(next);
    },
    /** Another window wrote this key; null means all keys. */
    hear(key: string | null): void {
      if (key === storageKey || key === null) publish(recall());
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** One of each per user. They outlive the screens, so that leaving a thread loses nothing. */
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

/** All drafts by conversation, for "Draft: …" in the list. */
export function useDrafts() {
  const store = useDraftStore();
  return useSyncExternalStore(store.subscribe, store.all);
}

type OneDraft = [Draft, (change: (before: Draft) => Draft) => void];

function useOne(store: Drafts, conversationId: number): OneDraft {
  const draft = useSyncExternalStore(store.subscribe, () => store.get(conversationId));
  // Reads the store, not the rendered value, because a picture may arrive after the user has left.
  return [draft, (change) => store.set(conversationId, change(store.get(conversationId)))];
}

/** The text being written to the contact, saved while typing. */
export function useDraft(conversationId: number): OneDraft {
  return useOne(useDraftStore(), conversationId);
}

/** The note being written to the team. */
export function useNoteDraft(conversationId: number): OneDraft {
  return useOne(useStore('notes'), conversationId);
}
