// On its own: routes read addresses before any page is loaded, sign-in's too.

/** Which draft, and at which of its four steps. Without a draft: one that is yet to be begun. */
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

/** What hangs on a draft and isn't the wizard: pasting into it, a file for it. */
export interface DraftSearch {
  draft: number;
}

/** NaN for everything that is no id. */
export function readDraftSearch(search: Record<string, unknown>): DraftSearch {
  return { draft: readId(search.draft) ?? Number.NaN };
}
