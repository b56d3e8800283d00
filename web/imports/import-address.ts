// On its own: routes read addresses before any page is loaded, sign-in's too.

import type { fileRowKinds } from '../../contract/imports.ts';

export type FileRowKind = (typeof fileRowKinds)[number];

/** What the address says beside the file: which step a person went to while the file waits for them. */
export interface ImportSearch {
  step?: 'columns' | 'edit' | 'rows';
  kind?: FileRowKind;
}

const steps = ['columns', 'edit', 'rows'] as const;
const kinds: readonly FileRowKind[] = ['good', 'repaired', 'duplicate', 'existing', 'rejected'];

export function readImportSearch(search: Record<string, unknown>): ImportSearch {
  const step = steps.find((one) => one === search.step);
  const kind = kinds.find((one) => one === search.kind);
  return { ...(step ? { step } : {}), ...(kind ? { kind } : {}) };
}

/** Positive whole numbers only; NaN for everything else in the address. */
export function readFileId(text: string): number {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : Number.NaN;
}
