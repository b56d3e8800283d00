import { createFileRoute } from '@tanstack/react-router';
import { ChooseCreditsPage } from '../../../purchases/upgrade/choose-credits-page.tsx';
import { OnlyFor } from '../../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/upgrade/pay-as-you-go_/v2')({ component: Page });

function Page() {
  return (
    <OnlyFor capability="buyCredits">
      <ChooseCreditsPage />
    </OnlyFor>
  );
}
