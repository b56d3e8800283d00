import { createFileRoute } from '@tanstack/react-router';
import { EmergencyPage } from '../../emergency/emergency-page.tsx';
import { OnlyFor } from '../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/emergency')({ component: EmergencyRoute });

function EmergencyRoute() {
  return (
    <OnlyFor capability="startEmergency">
      <EmergencyPage />
    </OnlyFor>
  );
}
