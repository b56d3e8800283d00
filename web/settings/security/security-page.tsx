import Box from '@mui/material/Box';
import { useCan } from '../../queries/current-user.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { say } from '../../ui/say.ts';
import { FactorsCard } from './factors-card.tsx';
import { OrganizationCard } from './organization-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { SsoCard } from './sso-card.tsx';

const PAGE_WIDTH = 880;

/** Ways in which the user signs in, and places where they are signed in; for owners, the rules for everybody. */
export function SecurityPage() {
  const canManage = useCan('manageSecurity');
  return (
    <>
      <PageHead
        title="Security"
        maxWidth={PAGE_WIDTH}
        tabTitle="Security settings"
        crumb={say('Settings')}
        sentence={
          canManage
            ? 'Your second step at sign-in, where you’re signed in, and the rules for everyone.'
            : 'Your second step at sign-in, and where you’re signed in.'
        }
      />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, display: 'grid', gap: 2.5, maxWidth: PAGE_WIDTH }}>
        <FactorsCard />
        <SessionsCard />
        {canManage && <OrganizationCard />}
        {canManage && <SsoCard />}
      </Box>
    </>
  );
}
