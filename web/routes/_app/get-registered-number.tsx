import { createFileRoute } from '@tanstack/react-router';
import { GetNumberPage } from '../../registration/get-number-page.tsx';
import { OnlyFor } from '../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/get-registered-number')({ component: GetNumberRoute });

function GetNumberRoute() {
  return (
    <OnlyFor capability="buyLocalNumber">
      <GetNumberPage />
    </OnlyFor>
  );
}
