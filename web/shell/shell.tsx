import Box from '@mui/material/Box';
import useMediaQuery from '@mui/material/useMediaQuery';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import {
  lazy,
  type ReactNode,
  Suspense,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useState,
} from 'react';
import { getConversationsSummary } from '../../contract/addresses/conversations.gen.ts';
import { rememberSignedIn } from '../auth/return-path.ts';
import { Confirmation } from '../pieces/second-factors/confirmation.tsx';
import { useCallQuery } from '../queries/calls.ts';
import { AccountContext, accountQuery, useAccount, useCan } from '../queries/current-user.ts';
import { queryClient } from '../queries/query-client.ts';
import { startRealtime } from '../realtime.ts';
import { frameIsDrawn } from '../ui/first-paint.ts';
import { HeadTool } from '../ui/head-tool.ts';
import { useUnreadInTitle } from '../ui/page-title.ts';
import { untilOnline } from '../ui/until-online.ts';
import { BottomBar } from './bottom-bar.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { EmergencyButton } from './emergency-button.tsx';
import { HelpChatHost } from './help-chat.tsx';
import { InShell } from './in-shell.ts';
import { Navigation } from './navigation.tsx';
import { useNavigationWidth } from './navigation-width.ts';
import { forgetReload } from './page-error.tsx';
import { PagePending } from './page-pending.tsx';
import { useSearchKey } from './search-key.ts';

// A chunk of its own, loaded after the page, so that nothing visible waits for it.
const QUIET_MS = 3_000;
const NotificationsHost = lazy(untilOnline(() => import('../notifications/notifications-host.tsx')));
const ReactivatePrompt = lazy(untilOnline(() => import('../pieces/purchases/reactivate-prompt.tsx')));
const SearchDialog = lazy(
  untilOnline(async () => ({ default: (await import('../search/search-dialog.tsx')).SearchDialog })),
);

const registrationSteps = 'contacts|apply-for-tfn|tax-id|\\w+-details|(sole-proprietor-)?review';
const wizards = new RegExp(
  `^/(emergency|contacts/(import|paste)|broadcasts/create|local-number-registration/(${registrationSteps}))(/|$)`,
);

/** The same element every time, so that heads aren't drawn again with the frame. */
const emergencyTool = <EmergencyButton />;

/** The frame around every signed-in page. Only the page scrolls. */
export function Shell() {
  useEffect(() => startRealtime(queryClient), []);
  useEffect(forgetReload, []);
  useEffect(rememberSignedIn, []);
  return (
    <QueryClientProvider client={queryClient}>
      <WithAccount>
        <Frame />
      </WithAccount>
    </QueryClientProvider>
  );
}

function WithAccount({ children }: { children: ReactNode }) {
  const pathname = useLocation({ select: (location) => location.pathname });
  // Refreshes the account on navigation, at most once a minute.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page is what it waits for
  useEffect(() => void queryClient.prefetchQuery(accountQuery), [pathname]);
  return <AccountContext value={useQuery(accountQuery).data}>{children}</AccountContext>;
}

function Frame() {
  // In the same frame: nothing flickers between the shape in index.html and the frame.
  useLayoutEffect(frameIsDrawn, []);
  const canRead = useCan('readConversations');
  const unread = useCallQuery(getConversationsSummary, {}, { enabled: canRead }).data?.UnreadCount ?? 0;
  useUnreadInTitle(unread);
  const isQuiet = useDebounced(QUIET_MS);
  const hasStopped = (useAccount()?.AccountStatusID ?? 0) !== 0;
  const search = useSearchKey();
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down('sm'), { noSsr: true });
  const chosenWidth = useNavigationWidth();
  // The frame is drawn first, with a skeleton. The page follows in slices: drawn at once, with the frame, it was the
  // longest time for which a phone didn't answer.
  const isPageDue = useDeferredValue(true, false);
  // Wizards always use the rail, and own the bottom of the page.
  const isInWizard = useLocation({
    select: ({ pathname }) => wizards.test(pathname),
  });
  const width = isInWizard ? { ...chosenWidth, isRail: true, canChange: false } : chosenWidth;
  // A thread on a phone needs the whole height.
  const isInThread = useLocation({
    select: ({ pathname }) => /^\/(inbox|broadcast-details\/\d+\/text-replies)\/\d/.test(pathname),
  });
  const hasBar = !isInThread && !isInWizard;
  return (
    <Box sx={{ display: 'flex', height: '100dvh', overflow: 'hidden' }}>
      {!isPhone && <Navigation unread={unread} width={width} onSearch={search.open} />}
      <Box sx={{ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column' }}>
        <ConnectionNotice />
        <Box
          component="main"
          id="content"
          data-scroll-restoration-id="content"
          sx={{
            flex: 1,
            minHeight: 0,
            overflow: 'auto',
            overscrollBehavior: 'contain',
            // Content that is hidden but read aloud stays inside: the page itself must not scroll.
            position: 'relative',
            display: 'flex',
            flexDirection: 'column',
          }}
        >
          <InShell value={true}>
            <HeadTool value={isPhone && !hasBar && emergencyTool}>
              {isPageDue ? <Outlet /> : <PagePending />}
            </HeadTool>
          </InShell>
        </Box>
        {isPhone && hasBar && <BottomBar unread={unread} onSearch={search.open} />}
      </Box>
      <Confirmation />
      <Suspense fallback={null}>
        {search.wasOpened && <SearchDialog isOpen={search.isOpen} onClose={search.close} />}
      </Suspense>
      <Suspense fallback={null}>{isQuiet && <NotificationsHost unread={unread} />}</Suspense>
      <Suspense fallback={null}>{hasStopped && <ReactivatePrompt />}</Suspense>
      {isQuiet && <HelpChatHost />}
    </Box>
  );
}

/** False at first, true after this many milliseconds. */
function useDebounced(ms: number): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isLater;
}
