import { createFileRoute, Outlet } from '@tanstack/react-router';
import { SettingsTabs } from '../../settings/settings-tabs.tsx';

export const Route = createFileRoute('/_app/settings')({ component: Settings });

function Settings() {
  return (
    <>
      <SettingsTabs />
      <Outlet />
    </>
  );
}
