import Box from '@mui/material/Box';
import { Siren } from 'lucide-react';
import { getEmergencySettings } from '../../../contract/addresses/emergencies.gen.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { useCan } from '../../queries/current-user.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { RouterButton } from '../../ui/router-button.tsx';
import { say } from '../../ui/say.ts';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { MessagesCard } from './messages-card.tsx';
import { PhoneCard } from './phone-card.tsx';
import { WhoCard } from './who-card.tsx';

const PAGE_WIDTH = 880;

/** Prepares for emergencies: messages, groups, whom drills go to, and who may start one. */
export function EmergencySettingsPage() {
  const { data, isError, refetch } = useCallQuery(getEmergencySettings, {});
  const canStart = useCan('startEmergency');
  return (
    <>
      <PageHead
        title="Emergency"
        tabTitle="Emergency settings"
        maxWidth={PAGE_WIDTH}
        crumb={say('Settings')}
        sentence="Prepare messages and groups now. In an emergency, they go out within seconds."
        actions={
          canStart && (
            <RouterButton to="/emergency" color="error" startIcon={<Siren aria-hidden />}>
              Open the emergency screen
            </RouterButton>
          )
        }
      />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, display: 'grid', gap: 2.5, maxWidth: PAGE_WIDTH }}>
        {isError && !data && (
          <RetryNotice onRetry={() => void refetch()}>There was an error getting your settings.</RetryNotice>
        )}
        {!data && !isError && (
          <SkeletonRows rows={4} rowHeight={64} isTwoLine label="Loading your settings" />
        )}
        {data && (
          <>
            <MessagesCard messages={data.Messages} />
            <WhoCard settings={data} />
            <PhoneCard />
          </>
        )}
      </Box>
    </>
  );
}
