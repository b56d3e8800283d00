import { useNavigate } from '@tanstack/react-router';
import { createContext, useContext } from 'react';
import type { ImportSearch } from './import-address.ts';

/** The broadcast that gets its recipients from here. Without one, the rows become contacts. */
export interface ImportTarget {
  draftId: number;
}

export const ImportTargetContext = createContext<ImportTarget | undefined>(undefined);

/** The target of the import, and the links that depend on it. */
export function useImportTarget() {
  const target = useContext(ImportTargetContext);
  const navigate = useNavigate();
  const draft = target?.draftId;
  return {
    draftId: draft,
    /** Back to the page that the user came from. */
    leave: () =>
      draft === undefined
        ? navigate({ to: '/contacts' })
        : navigate({ to: '/broadcasts/create', search: { draft, step: 2 } }),
    /** To the choosing of a file. */
    toStart: () =>
      draft === undefined
        ? navigate({ to: '/contacts/import' })
        : navigate({ to: '/broadcasts/create/file', search: { draft } }),
    toFile: (fileId: number, search: ImportSearch = {}, replace = false) =>
      draft === undefined
        ? navigate({ to: '/contacts/import/$fileId', params: { fileId }, search, replace })
        : navigate({
            to: '/broadcasts/create/file/$fileId',
            params: { fileId },
            search: { draft, ...search },
            replace,
          }),
  };
}
