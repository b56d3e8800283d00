// A separate file, because routes read addresses before any page is loaded, even for sign-in.

/** The draft, and the step of the four. Without a draft: a broadcast that has yet to be begun. */
export interface CreateSearch {
  draft?: number;
  step?: 1 | 2 | 3 | 4;
}

const steps = [1, 2, 3, 4] as const;

/** Positive whole numbers only. */
function readId(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

export function readCreateSearch(search: Record<string, unknown>): CreateSearch {
  const draft = readId(search.draft);
  const step = steps.find((one) => one === search.step);
  return {
    ...(draft === undefined ? {} : { draft }),
    ...(step === undefined ? {} : { step }),
  };
}

/**
 * Pages that belong to a draft but aren't in the wizard: pasting contacts into it, importing a file for it.
 */
export interface DraftSearch {
  draft: number;
}

/** NaN for everything that isn't an id. */
export function readDraftSearch(search: Record<string, unknown>): DraftSearch {
  return { draft: readId(search.draft) ?? Number.NaN };
}
