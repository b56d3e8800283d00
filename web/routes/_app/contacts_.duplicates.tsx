import { createFileRoute } from '@tanstack/react-router';
import { DuplicatesPage } from '../../contacts/duplicates/duplicates-page.tsx';
import { OnlyFor } from '../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/contacts_/duplicates')({ component: DuplicatesRoute });

function DuplicatesRoute() {
  return (
    <OnlyFor capability="mergeContacts">
      <DuplicatesPage />
    </OnlyFor>
  );
}
