import Box from '@mui/material/Box';
import { useCan } from '../../queries/current-user.ts';
import { OnlyFor } from '../../shell/restricted-page.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { say } from '../../ui/say.ts';
import { CallerIdsCard } from './caller-ids-card.tsx';
import { CallingCard } from './calling-card.tsx';
import { PhoneLaunchCard } from './phone-launch-card.tsx';
import { TransferNumbersCard } from './transfer-numbers-card.tsx';

const PAGE_WIDTH = 880;

/** Settings of calls: the user's own, and the organization's numbers. */
export function VoiceSettingsPage() {
  const canSet = useCan('editVoiceSettings');
  const canCall = useCan('createVoiceBroadcast');
  return (
    <OnlyFor capability={['createVoiceBroadcast', 'editVoiceSettings']}>
      <PageHead
        title="Voice"
        tabTitle="Voice settings"
        crumb={say('Settings')}
        maxWidth={PAGE_WIDTH}
        sentence="How your calls are made, and the numbers they come from and connect to."
      />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, display: 'grid', gap: 2.5, maxWidth: PAGE_WIDTH }}>
        <CallingCard />
        <CallerIdsCard canSet={canSet} />
        <TransferNumbersCard canSet={canSet} />
        {canCall && <PhoneLaunchCard />}
      </Box>
    </OnlyFor>
  );
}
