import { createFileRoute } from '@tanstack/react-router';
import { AuditLogPage } from '../../../settings/audit-log/audit-log-page.tsx';
import { readAuditSearch } from '../../../settings/audit-log/audit-search.ts';
import { OnlyFor } from '../../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/settings/audit-log')({
  validateSearch: readAuditSearch,
  component: AuditLog,
});

function AuditLog() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <OnlyFor capability="seeAuditLog">
      <AuditLogPage
        search={search}
        onChange={(change) =>
          void navigate({ search: (before) => readAuditSearch({ ...before, ...change }), replace: true })
        }
      />
    </OnlyFor>
  );
}
