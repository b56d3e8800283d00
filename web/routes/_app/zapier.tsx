import { createFileRoute } from '@tanstack/react-router';
import { ZapierPage } from '../../settings/developers/zapier-page.tsx';
import { OnlyFor } from '../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/zapier')({ component: Zapier });

function Zapier() {
  return (
    <OnlyFor capability="manageApiKeys">
      <ZapierPage />
    </OnlyFor>
  );
}
