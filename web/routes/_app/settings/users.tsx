import { createFileRoute } from '@tanstack/react-router';
import { readListSearch } from '../../../queries/list-search.ts';
import { UsersPage } from '../../../settings/users/users-page.tsx';
import { OnlyFor } from '../../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/settings/users')({
  validateSearch: readListSearch,
  component: Users,
});

function Users() {
  return (
    <OnlyFor capability="manageUsers">
      <UsersPage />
    </OnlyFor>
  );
}
