import { createFileRoute } from '@tanstack/react-router';
import { readDraftSearch } from '../../broadcasts/wizard/draft-address.ts';
import { readFileId, readImportSearch } from '../../imports/import-address.ts';
import { ImportPage } from '../../imports/import-page.tsx';
import { ImportTargetContext } from '../../imports/import-target.ts';
import { NotFoundPage } from '../../shell/not-found-page.tsx';
import { OnlyFor } from '../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/broadcasts_/create/file/$fileId')({
  params: {
    parse: ({ fileId }) => ({ fileId: readFileId(fileId) }),
    stringify: ({ fileId }) => ({ fileId: String(fileId) }),
  },
  validateSearch: (search: Record<string, unknown>) => ({
    ...readDraftSearch(search),
    ...readImportSearch(search),
  }),
  component: FileRoute,
});

function FileRoute() {
  const { fileId } = Route.useParams();
  const { draft, ...search } = Route.useSearch();
  if (Number.isNaN(fileId) || Number.isNaN(draft)) return <NotFoundPage />;
  return (
    <OnlyFor capability="manageBroadcasts">
      <ImportTargetContext value={{ draftId: draft }}>
        <ImportPage fileId={fileId} search={search} />
      </ImportTargetContext>
    </OnlyFor>
  );
}
