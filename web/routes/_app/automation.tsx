import { createFileRoute, Outlet } from '@tanstack/react-router';
import { SettingsTabs } from '../../settings/settings-tabs.tsx';
import { OnlyFor } from '../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/automation')({ component: Automation });

function Automation() {
  return (
    <>
      <SettingsTabs />
      <OnlyFor capability="manageIntegrations">
        <Outlet />
      </OnlyFor>
    </>
  );
}
