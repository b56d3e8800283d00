import Box from '@mui/material/Box';
import { useEffect, useRef, useState } from 'react';
import { finishIntegrationLogin } from '../../contract/addresses/integrations.gen.ts';
import type { Integration } from '../../contract/integrations.ts';
import { errorCatalog } from '../../contract/reference/error-catalog.ts';
import { callApi, shownMessage } from '../api.ts';
import { Notice } from '../ui/notice.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { RouterButton } from '../ui/router-button.tsx';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';

/** The page to which another company redirects people, in the window in which they signed in. */
export function CallbackPage({ onConnected }: { onConnected: (integrationId: number) => void }) {
  const [problem, setProblem] = useState('');
  const [connected, setConnected] = useState<Integration>();
  // It works once: a second render must not spend it again.
  const hasBegun = useRef(false);
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    const Query = globalThis.location.search.slice(1);
    callApi(finishIntegrationLogin, { body: { Query } }, { missing: 'refuse' }).then(
      (integration) => {
        if (!integration.LoginInstructions.Data.ShowInNewWindow) {
          onConnected(integration.IntegrationID);
          return;
        }
        setConnected(integration);
        globalThis.close();
      },
      (error: unknown) => setProblem(shownMessage(error, errorCatalog.connectIntegration)),
    );
  }, [onConnected]);
  return (
    <>
      <PageHead title={connected ? `${connected.LoginInstructions.Name} is connected` : 'Connecting'} />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, display: 'grid', gap: 2 }}>
        {problem !== '' && <Notice kind="error">{problem}</Notice>}
        {connected && <Notice kind="success">You can close this window.</Notice>}
        {problem === '' && !connected && <SkeletonRows rows={3} label="Connecting" />}
        {(problem !== '' || connected) && (
          <Box>
            <RouterButton to="/automation">Go to integrations</RouterButton>
          </Box>
        )}
      </Box>
    </>
  );
}
