import { createFileRoute } from '@tanstack/react-router';
import { EmergencySettingsPage } from '../../../settings/emergency/emergency-settings-page.tsx';
import { OnlyFor } from '../../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/settings/emergency')({ component: EmergencySettings });

function EmergencySettings() {
  return (
    <OnlyFor capability="editAccountSettings">
      <EmergencySettingsPage />
    </OnlyFor>
  );
}
