import Box from '@mui/material/Box';
import { Megaphone, SquarePen } from 'lucide-react';
import { getHome } from '../../contract/addresses/home.gen.ts';
import type { Reply } from '../../contract/call.ts';
import { shownMessage } from '../api.ts';
import { labelOf } from '../pieces/broadcasts/broadcast-words.ts';
import { useCallQuery } from '../queries/calls.ts';
import { useCan, useTimeZone, useUser } from '../queries/current-user.ts';
import { Notice } from '../ui/notice.tsx';
import { useNow } from '../ui/now.ts';
import { PageHead } from '../ui/page-head.tsx';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { RouterButton } from '../ui/router-button.tsx';
import { say } from '../ui/say.ts';
import { BroadcastsCard } from './broadcasts-card.tsx';
import { ComingUpCard } from './coming-up-card.tsx';
import { CreditsCard } from './credits-card.tsx';
import { FirstSteps } from './first-steps.tsx';
import { greeting, waitingSentence } from './greeting.ts';
import { HomeSkeleton } from './home-skeleton.tsx';
import { LatelyCard } from './lately-card.tsx';
import { LiveCard } from './live-card.tsx';
import { TodayCard } from './today-card.tsx';
import { TrialCard } from './trial-card.tsx';
import { WaitingCard } from './waiting-card.tsx';

export type Home = Reply<typeof getHome>;

/** Home: people waiting for a reply, recent activity and credits. */
export function HomePage() {
  const { data: home, error, refetch } = useCallQuery(getHome, {});
  const firstName = useUser()?.FirstName ?? '';
  const zone = useTimeZone();
  const now = useNow();
  return (
    <>
      <PageHead
        title={greeting(now, zone, firstName)}
        tabTitle={say('Home')}
        sentence={
          home && waitingSentence(now, zone, home.Waiting.Size, goingOut(home.Broadcasts.UnderWay, now))
        }
        actions={<Actions />}
      />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4 }}>
        {error && (
          <Box sx={{ mb: 2.5 }}>
            <RetryNotice onRetry={() => void refetch()}>
              {shownMessage(error, 'There was an error getting your information.')}
            </RetryNotice>
          </Box>
        )}
        {home ? <HomeCards home={home} /> : !error && <HomeSkeleton />}
      </Box>
    </>
  );
}

/** Paused broadcasts aren't going out. */
function goingOut(underWay: Home['Broadcasts']['UnderWay'], now: number): number {
  return underWay.filter((broadcast) => labelOf(broadcast, now) === 'Broadcasting').length;
}

function Actions() {
  const mayBroadcast = useCan('createBroadcast');
  const mayText = useCan('createConversation');
  return (
    <>
      {mayText && (
        <RouterButton
          to="/inbox"
          search={{ compose: true }}
          {...(mayBroadcast ? {} : { variant: 'contained', color: 'primary' })}
          startIcon={<SquarePen />}
        >
          New conversation
        </RouterButton>
      )}
      {mayBroadcast && (
        <RouterButton
          to="/broadcasts/create"
          search={{}}
          variant="contained"
          color="primary"
          startIcon={<Megaphone />}
        >
          New broadcast
        </RouterButton>
      )}
    </>
  );
}

/** Two columns from 960 px. Below that, one column: first steps, waiting, today, credits, latest texts. */
export const homeGrid = {
  display: 'grid',
  gap: 2.5,
  alignItems: 'start',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 304px', lg: 'minmax(0, 1fr) 344px' },
  gridTemplateRows: { md: 'auto 1fr' },
} as const;

export const homeSide = {
  gridColumn: { md: 2 },
  gridRow: { md: '1 / span 2' },
  display: 'grid',
  gap: 2.5,
} as const;

function PausedCampaign({ campaign }: { campaign: Home['PausedCampaigns'][number] }) {
  const { SequenceID, Name, PausedBecause } = campaign;
  return (
    <Notice
      kind="warning"
      title={`“${Name}” is paused`}
      actions={
        <RouterButton
          size="small"
          to="/drip-campaigns/$sequenceId"
          params={{ sequenceId: SequenceID }}
          aria-label={`Open “${Name}”`}
        >
          Open campaign
        </RouterButton>
      }
    >
      {PausedBecause}
    </Notice>
  );
}

function HomeCards({ home }: { home: Home }) {
  const isNew = home.FirstSteps.some(({ Completed }) => !Completed);
  const { UnderWay, Scheduled, Lately } = home.Broadcasts;
  return (
    <Box sx={homeGrid}>
      <Box sx={{ display: 'grid', gap: 2.5, minWidth: 0 }}>
        {home.PausedCampaigns.map((campaign) => (
          <PausedCampaign key={campaign.SequenceID} campaign={campaign} />
        ))}
        {isNew && <FirstSteps steps={home.FirstSteps} />}
        {UnderWay.map((broadcast) => (
          <LiveCard key={broadcast.BroadcastID} broadcast={broadcast} />
        ))}
        <WaitingCard waiting={home.Waiting} />
      </Box>
      <Box sx={homeSide}>
        <TrialCard />
        {Scheduled.length > 0 && <ComingUpCard broadcasts={Scheduled} />}
        <TodayCard today={home.Today} />
        <CreditsCard credits={home.Credits} days={home.Days} />
      </Box>
      <Box sx={{ display: 'grid', gap: 2.5, minWidth: 0, alignContent: 'start' }}>
        {Lately.length > 0 && <BroadcastsCard broadcasts={Lately} />}
        <LatelyCard conversations={home.Lately} />
      </Box>
    </Box>
  );
}
