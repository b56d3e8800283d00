import { useCallback, useState } from 'react';
import { z } from 'zod';
import { duplicateChoices, type FileTab, type FileUpload, fileColumns } from '../../contract/imports.ts';
import { guessedColumns } from './file/file-columns.ts';

/** An existing group, or one to be created when the import begins. */
const chosenGroup = z.object({ ListID: z.number().int().nullable(), ListName: z.string() });
export type ChosenGroup = z.output<typeof chosenGroup>;

const importDraft = z.object({
  TabNumber: z.number().int(),
  HasHeader: z.boolean(),
  Columns: fileColumns,
  Duplicates: z.enum(duplicateChoices),
  Group: chosenGroup.nullable(),
  Consent: z.boolean(),
});
export type ImportDraft = z.output<typeof importDraft>;

const storageKey = (fileId: number) => `muster-import-${fileId}`;

/** The choices for a file so far: made here, on the server, or guessed. */
function firstDraft(file: FileUpload): ImportDraft {
  const tab = likeliestTab(file.FileStructure.Tabs);
  const guess = {
    TabNumber: tab?.TabNumber ?? 1,
    HasHeader: tab?.HasHeader ?? true,
    Columns: tab ? guessedColumns(tab) : fileColumns.parse({}),
    Duplicates: 'update' as const,
  };
  return { ...guess, ...file.Choice, Group: null, Consent: file.UserIndicatedConsentDeclared };
}

/** The first sheet with phones in it; otherwise the first that isn't empty. */
function likeliestTab(tabs: readonly FileTab[]): FileTab | undefined {
  return tabs.find(({ Phone1 }) => Phone1 !== null) ?? tabs.find(({ Rows }) => Rows.length > 0) ?? tabs[0];
}

function readDraft(file: FileUpload): ImportDraft {
  try {
    const kept = importDraft.safeParse(JSON.parse(localStorage.getItem(storageKey(file.FileID)) ?? ''));
    if (kept.success) return kept.data;
  } catch {
    // Nothing is stored, or it can't be read.
  }
  return firstDraft(file);
}

/** Forgets the choices, once the file is imported or gone. */
export function forgetDraft(fileId: number): void {
  localStorage.removeItem(storageKey(fileId));
}

/** The choices for a file, kept in this browser until it is imported, so that leaving loses nothing. */
export function useImportDraft(file: FileUpload) {
  const [draft, setDraft] = useState(() => readDraft(file));
  const { FileID } = file;
  const change = useCallback(
    (by: Partial<ImportDraft>) =>
      setDraft((before) => {
        const after = { ...before, ...by };
        try {
          localStorage.setItem(storageKey(FileID), JSON.stringify(after));
        } catch {
          // Storage is full or refused: the choices hold until the page is left.
        }
        return after;
      }),
    [FileID],
  );
  return { draft, change };
}
