import { createFileRoute } from '@tanstack/react-router';
import { AccountPage } from '../../../settings/account-page.tsx';
import { OnlyFor } from '../../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/settings/account')({ component: Account });

function Account() {
  return (
    <OnlyFor capability="editAccountSettings">
      <AccountPage />
    </OnlyFor>
  );
}
