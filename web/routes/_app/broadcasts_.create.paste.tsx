import { createFileRoute } from '@tanstack/react-router';
import { readDraftSearch } from '../../broadcasts/wizard/draft-address.ts';
import { ImportTargetContext } from '../../imports/import-target.ts';
import { PastePage } from '../../imports/paste/paste-page.tsx';
import { NotFoundPage } from '../../shell/not-found-page.tsx';
import { OnlyFor } from '../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/broadcasts_/create/paste')({
  validateSearch: readDraftSearch,
  component: PasteRoute,
});

function PasteRoute() {
  const { draft } = Route.useSearch();
  if (Number.isNaN(draft)) return <NotFoundPage />;
  return (
    <OnlyFor capability="manageBroadcasts">
      <ImportTargetContext value={{ draftId: draft }}>
        <PastePage />
      </ImportTargetContext>
    </OnlyFor>
  );
}
