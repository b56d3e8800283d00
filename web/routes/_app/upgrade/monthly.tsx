import { createFileRoute } from '@tanstack/react-router';
import { ChooseGroupPage } from '../../../purchases/upgrade/choose-group-page.tsx';
import { OnlyFor } from '../../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/upgrade/monthly')({ component: Page });

function Page() {
  return (
    <OnlyFor capability="subscribe">
      <ChooseGroupPage />
    </OnlyFor>
  );
}
