import { createFileRoute } from '@tanstack/react-router';
import { readDraftSearch } from '../../drafts/draft-address.ts';
import { ImportTargetContext } from '../../imports/import-target.ts';
import { PastePage } from '../../imports/paste-page.tsx';
import { NotFoundPage } from '../../shell/not-found-page.tsx';

export const Route = createFileRoute('/_app/broadcasts_/create/paste')({
  validateSearch: readDraftSearch,
  component: PasteRoute,
});

function PasteRoute() {
  const { draft } = Route.useSearch();
  if (Number.isNaN(draft)) return <NotFoundPage />;
  return (
    <ImportTargetContext value={{ draftId: draft }}>
      <PastePage />
    </ImportTargetContext>
  );
}
