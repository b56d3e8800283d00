import { createFileRoute } from '@tanstack/react-router';
import { UpgradePage } from '../../../purchases/upgrade/upgrade-page.tsx';
import { OnlyFor } from '../../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/upgrade/')({ component: Page });

function Page() {
  return (
    <OnlyFor capability="viewBilling">
      <UpgradePage />
    </OnlyFor>
  );
}
