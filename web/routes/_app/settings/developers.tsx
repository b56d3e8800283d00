import { createFileRoute } from '@tanstack/react-router';
import { DevelopersPage } from '../../../settings/developers/developers-page.tsx';
import { OnlyFor } from '../../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/settings/developers')({ component: Developers });

function Developers() {
  return (
    <OnlyFor capability="manageApiKeys">
      <DevelopersPage />
    </OnlyFor>
  );
}
