import { createFileRoute } from '@tanstack/react-router';
import { getFile } from '../../../contract/addresses/imports.gen.ts';
import { readFileId, readImportSearch } from '../../imports/import-address.ts';
import { ImportPage } from '../../imports/import-page.tsx';
import { callQuery } from '../../queries/calls.ts';
import { queryClient } from '../../queries/query-client.ts';
import { NotFoundPage } from '../../shell/not-found-page.tsx';

export const Route = createFileRoute('/_app/contacts_/import/$fileId')({
  params: {
    parse: ({ fileId }) => ({ fileId: readFileId(fileId) }),
    stringify: ({ fileId }) => ({ fileId: String(fileId) }),
  },
  validateSearch: readImportSearch,
  // Starts loading alongside the page's code without blocking: the page has its own skeleton.
  loader: ({ params: { fileId } }) => {
    if (!Number.isNaN(fileId))
      void queryClient.prefetchQuery(callQuery(getFile, { params: { FileID: fileId } }));
  },
  component: ImportRoute,
});

function ImportRoute() {
  const { fileId } = Route.useParams();
  const search = Route.useSearch();
  if (Number.isNaN(fileId)) return <NotFoundPage />;
  return <ImportPage fileId={fileId} search={search} />;
}
