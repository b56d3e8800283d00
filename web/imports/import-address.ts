// A separate file, because routes read addresses before any page is loaded, even for sign-in.

import type { fileRowKinds } from '../../contract/imports.ts';

export type FileRowKind = (typeof fileRowKinds)[number];

/**
 * The state in the address besides the file: the step that a person went to while the file waits for them.
 */
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
