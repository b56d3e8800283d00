import { useCallback, useState } from 'react';
import { z } from 'zod';
import type { Edits } from './file/edit-rows.ts';

const text = z.string().optional();
const keptEdits = z.array(
  z.tuple([
    z.number().int(),
    z.object({
      values: z.object({
        FirstName: text,
        LastName: text,
        PrimaryPhone: text,
        SecondaryPhone: text,
        TertiaryPhone: text,
        Notes: text,
      }),
      isRemoved: z.boolean(),
    }),
  ]),
);

const storageKey = (fileId: number) => `muster-import-edits-${fileId}`;

function readEdits(fileId: number): Edits {
  try {
    const kept = keptEdits.safeParse(JSON.parse(localStorage.getItem(storageKey(fileId)) ?? ''));
    // Undefined values in a row are treated as missing.
    if (kept.success) return new Map(kept.data as [number, { values: object; isRemoved: boolean }][]);
  } catch {
    // Nothing is stored, or it can't be read.
  }
  return new Map();
}

export function forgetEdits(fileId: number): void {
  localStorage.removeItem(storageKey(fileId));
}

/**
 * The edits of a file's rows, kept in this browser until they are saved, so that going back loses nothing.
 */
export function useKeptEdits(fileId: number) {
  const [edits, setEdits] = useState<Edits>(() => readEdits(fileId));
  const change = useCallback(
    (by: (before: Edits) => Edits) =>
      setEdits((before) => {
        const after = by(before);
        try {
          if (after.size === 0) forgetEdits(fileId);
          else localStorage.setItem(storageKey(fileId), JSON.stringify([...after]));
        } catch {
          // Storage is full or refused: the edits hold until the page is left.
        }
        return after;
      }),
    [fileId],
  );
  return { edits, change };
}
