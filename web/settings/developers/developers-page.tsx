import Box from '@mui/material/Box';
import { PageHead } from '../../ui/page-head.tsx';
import { say } from '../../ui/say.ts';
import { ConnectCard } from './connect-card.tsx';
import { KeysCard } from './keys-card.tsx';

/** Everything that an organization needs to connect its own programs. */
export function DevelopersPage() {
  return (
    <>
      <PageHead
        title="Developers"
        tabTitle="Developer settings"
        crumb={say('Settings')}
        sentence="Connect your own programs with Muster."
      />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, display: 'grid', gap: 2.5 }}>
        <KeysCard />
        <ConnectCard />
      </Box>
    </>
  );
}
