import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Skeleton from '@mui/material/Skeleton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { Link, useCanGoBack, useRouter } from '@tanstack/react-router';
import { Settings2, Siren, X } from 'lucide-react';
import { type MouseEvent, useEffect } from 'react';
import type { Emergency } from '../../contract/emergencies.ts';
import { useCan, useUser } from '../queries/current-user.ts';
import { countOf } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { RouterButton } from '../ui/router-button.tsx';
import { say } from '../ui/say.ts';
import { Segmented } from '../ui/segmented.tsx';
import { ConfirmBar } from './confirm-bar.tsx';
import { useEmergency } from './emergency-state.ts';
import { starterWords } from './emergency-words.ts';
import { GroupTiles } from './group-tiles.tsx';
import { MessageTiles } from './message-tiles.tsx';
import { Outlook } from './outlook.tsx';

const PAGE_WIDTH = 1080;

/**
 * If the app is installed from here, or saved to a phone's home screen, it opens here. A browser reads only
 * the first manifest.
 */
function useOwnManifest(): void {
  useEffect(() => {
    const link = document.querySelector('link[rel="manifest"]');
    const before = link?.getAttribute('href') ?? '';
    const { lang } = document.documentElement;
    link?.setAttribute('href', lang === 'es' ? '/emergency.es.webmanifest' : '/emergency.webmanifest');
    return () => link?.setAttribute('href', before);
  }, []);
}

/**
 * One screen from opening to sending: what happened, who should know, what it costs and whom it leaves out, one button.
 * On a phone the button is under the thumb.
 */
export function EmergencyPage() {
  usePageTitle(say('Emergency'));
  useOwnManifest();
  const emergency = useEmergency();
  const { data, isError, retry, chosen, change, listIds, preview, problem } = emergency;
  return (
    <Box sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column' }}>
      <Box sx={{ flex: 1, minHeight: 0, overflowY: 'auto' }}>
        <Box
          sx={{
            maxWidth: PAGE_WIDTH,
            mx: 'auto',
            px: { xs: 2, sm: 3, laptop: 4 },
            pt: 2,
            pb: 3,
            display: 'grid',
            gap: 2,
          }}
        >
          <Head />
          <Segmented
            label="Emergency or drill"
            isLarge
            value={chosen.isDrill ? 'drill' : 'emergency'}
            parts={[
              { value: 'emergency', words: 'Emergency' },
              { value: 'drill', words: 'Drill' },
            ]}
            onChange={(value) => change({ isDrill: value === 'drill' })}
          />
          {isError && !data && (
            <RetryNotice onRetry={retry}>There was an error getting what is prepared.</RetryNotice>
          )}
          {!data && !isError && <Waiting />}
          {data && (
            <>
              {chosen.isDrill && <DrillBand drill={data.Drill} />}
              <Running running={data.Running} />
              <Box
                sx={{
                  display: 'grid',
                  gap: 3,
                  gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 360px' },
                  alignItems: 'start',
                }}
              >
                <Box sx={{ display: 'grid', gap: 3 }}>
                  <MessageTiles messages={data.Messages} chosen={chosen} onChange={change} />
                  {!chosen.isDrill && (
                    <GroupTiles
                      lists={data.Lists}
                      deleted={data.DeletedLists}
                      listIds={listIds}
                      onChange={(ids) => change({ listIds: ids })}
                    />
                  )}
                </Box>
                <Outlook
                  emergency={data}
                  chosen={chosen}
                  preview={preview.data}
                  isAsked={preview.isAsked}
                  problem={preview.problem}
                  onChange={change}
                />
              </Box>
            </>
          )}
        </Box>
      </Box>
      <ConfirmBar
        preview={preview.data}
        isCounting={preview.isAsked && preview.problem === undefined}
        chosen={chosen}
        onChange={change}
        problem={problem}
        isSending={emergency.isSending}
        onConfirm={emergency.confirm}
      />
    </Box>
  );
}

function Head() {
  const canPrepare = useCan('editAccountSettings');
  const canGoBack = useCanGoBack();
  const router = useRouter();
  return (
    <Box component="header" sx={{ display: 'flex', alignItems: 'center', gap: 1.25 }}>
      <Box component={Siren} size={24} aria-hidden sx={{ color: 'error.main', flex: 'none' }} />
      <Typography variant="h1" sx={{ flex: 1 }}>
        Emergency
      </Typography>
      {canPrepare && (
        <Tooltip title="Prepare messages and groups">
          <IconButton
            component={Link}
            to="/settings/emergency"
            aria-label="Prepare messages and groups"
            sx={{ width: 44, height: 44 }}
          >
            <Settings2 />
          </IconButton>
        </Tooltip>
      )}
      <Tooltip title="Close">
        <IconButton
          component={Link}
          to="/home"
          aria-label="Close"
          // Back to where it was opened, such as a conversation with a text half written.
          onClick={(event: MouseEvent) => {
            if (!canGoBack) return;
            event.preventDefault();
            router.history.back();
          }}
          sx={{ width: 44, height: 44 }}
        >
          <X />
        </IconButton>
      </Tooltip>
    </Box>
  );
}

function DrillBand({ drill }: { drill: Emergency['Drill'] }) {
  return (
    <Notice kind="warning" title="This is a drill">
      It goes only to {drill.Name === 'Your team' ? 'your team' : drill.Name},{' '}
      {countOf(drill.Count, 'person', 'people')}, and begins with “This is a drill.”
    </Notice>
  );
}

/** Emergencies that colleagues have started: whoever comes second sees them before choosing anything. */
function Running({ running }: { running: Emergency['Running'] }) {
  const me = useUser()?.UserID;
  return running.slice(0, 3).map(({ BroadcastID, BroadcastName, StartedBy, StartDate, Count }) => (
    <Notice
      key={BroadcastID}
      kind="info"
      icon={Siren}
      title={BroadcastName}
      actions={
        <RouterButton
          size="small"
          to="/broadcast-details/$broadcastId"
          params={{ broadcastId: BroadcastID }}
          search={{}}
        >
          See results
        </RouterButton>
      }
    >
      {starterWords(StartedBy, me)} started it <RelativeTime at={StartDate} />, to{' '}
      {countOf(Count, 'person', 'people')}.
    </Notice>
  ));
}

function Waiting() {
  return (
    <Box role="status" aria-label="Loading" sx={{ display: 'grid', gap: 1 }}>
      {[1, 2, 3, 4].map((row) => (
        <Skeleton key={row} variant="rounded" height={56} />
      ))}
    </Box>
  );
}
