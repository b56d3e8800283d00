import type { Picture } from './outbox.ts';

export interface Draft {
  text: string;
  pictures: Picture[];
}

export const emptyDraft: Draft = { text: '', pictures: [] };

export type Drafts = ReturnType<typeof createDrafts>;

/**
 * What somebody wrote and didn't send, by conversation. Kept for as long as the tab lives and under the
 * user's own id: who signs in after them in the same tab doesn't see it.
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

  return {
    all: () => drafts,
    get: (conversationId: number): Draft => drafts[conversationId] ?? emptyDraft,
    set(conversationId: number, draft: Draft): void {
      const { [conversationId]: _before, ...others } = drafts;
      const isEmpty = draft.text === '' && draft.pictures.length === 0;
      drafts = isEmpty ? others : { ...others, [conversationId]: draft };
      try {
        if (Object.keys(drafts).length === 0) storage.removeItem(storageKey);
        else storage.setItem(storageKey, JSON.stringify(drafts));
      } catch {
        // Storage is full or refused: the draft lives as long as the page.
      }
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
