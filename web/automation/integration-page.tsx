import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Link from '@mui/material/Link';
import { RefreshCw, Unplug } from 'lucide-react';
import { useState } from 'react';
import {
  decideIntegrationSync,
  disconnectIntegration,
  listIntegrations,
  syncIntegration,
} from '../../contract/addresses/integrations.gen.ts';
import type { Integration } from '../../contract/integrations.ts';
import { errorCatalog } from '../../contract/reference/error-catalog.ts';
import { shownMessage } from '../api.ts';
import { useCall, useCallQuery } from '../queries/calls.ts';
import { useTimeZone } from '../queries/current-user.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { countOf, formatAbsolute, formatCount } from '../ui/format.ts';
import { locale } from '../ui/locale.ts';
import { Notice } from '../ui/notice.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';
import { ConnectDialog } from './connect-dialog.tsx';
import { GroupsCard } from './groups-card.tsx';
import { stateOf } from './integration-words.ts';
import { SyncsCard } from './syncs-card.tsx';

interface IntegrationPageProps {
  integrationId: number;
  onDisconnected: () => void;
}

/** One integration: its groups, those that are kept in contacts, and the changes of each sync. */
export function IntegrationPage({ integrationId, onDisconnected }: IntegrationPageProps) {
  const { data, error, refetch } = useCallQuery(listIntegrations, {});
  const integration = data?.Items.find(({ IntegrationID }) => IntegrationID === integrationId);
  const crumb = <Link href="/automation">Integrations</Link>;
  if (integration === undefined || !integration.Connected || integration.Type !== 'Contact') {
    return (
      <>
        <PageHead title={integration?.LoginInstructions.Name ?? 'Integration'} crumb={crumb} />
        <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4 }}>
          {error ? (
            <RetryNotice onRetry={() => void refetch()}>
              {shownMessage(error, 'There was an error getting your integrations.')}
            </RetryNotice>
          ) : data ? (
            <NotConnected integration={integration} />
          ) : (
            <SkeletonRows rows={6} label="Loading the integration" />
          )}
        </Box>
      </>
    );
  }
  const { label, color } = stateOf(integration);
  return (
    <>
      <PageHead
        title={integration.LoginInstructions.Name}
        crumb={crumb}
        sentence={integration.AccountName}
        pill={<Chip size="small" color={color} label={label} />}
        actions={<Actions integration={integration} onDisconnected={onDisconnected} />}
      />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, display: 'grid', gap: 2.5 }}>
        <StateNotice integration={integration} />
        <GroupsCard integration={integration} />
        {integration.Sync !== null && <SyncsCard integration={integration} />}
      </Box>
    </>
  );
}

function NotConnected({ integration }: { integration: Integration | undefined }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Notice
        title="Not connected"
        {...(integration?.Type === 'Contact'
          ? { actions: <Button onClick={() => setOpen(true)}>Connect</Button> }
          : {})}
      >
        {integration === undefined
          ? 'There is no such integration.'
          : 'Connect it to see its groups and people.'}
      </Notice>
      {isOpen && integration && <ConnectDialog integration={integration} onClose={() => setOpen(false)} />}
    </>
  );
}

const failed = (sentence: string) => ({
  onError: (error: Error) => showSnackbar(shownMessage(error, sentence)),
});

function Actions({ integration, onDisconnected }: { integration: Integration; onDisconnected: () => void }) {
  const { IntegrationID, LoginInstructions, Sync } = integration;
  const params = { IntegrationID };
  const [isAsked, setAsked] = useState(false);
  const [isConnecting, setConnecting] = useState(false);
  const sync = useCall(syncIntegration, failed('There was an error starting the sync.'));
  const remove = useCall(disconnectIntegration, failed(errorCatalog.removeIntegration));
  const isBusy = Sync !== null && ['waiting', 'running', 'undoing'].includes(Sync.State);
  return (
    <>
      <Button onClick={() => setConnecting(true)}>Connect again</Button>
      <Button startIcon={<Unplug aria-hidden />} onClick={() => setAsked(true)}>
        Disconnect
      </Button>
      {Sync !== null && (
        <Button
          variant="contained"
          color="primary"
          startIcon={<RefreshCw aria-hidden />}
          disabled={isBusy || sync.isPending}
          onClick={() => sync.mutate({ params })}
        >
          Sync now
        </Button>
      )}
      {isConnecting && <ConnectDialog integration={integration} onClose={() => setConnecting(false)} />}
      {isAsked && (
        <AskDialog
          title={`Disconnect ${LoginInstructions.Name}?`}
          action="Disconnect"
          keep="Keep it"
          isBusy={remove.isPending}
          onDo={() =>
            remove.mutate(
              { params },
              {
                onSuccess: () => {
                  showSnackbar(`${LoginInstructions.Name} is disconnected.`);
                  onDisconnected();
                },
                onSettled: () => setAsked(false),
              },
            )
          }
          onClose={() => setAsked(false)}
        >
          Contacts and groups that came from it stay. They are no longer kept in step, and the last sync can’t
          be undone.
        </AskDialog>
      )}
    </>
  );
}

function StateNotice({ integration }: { integration: Integration }) {
  const { IntegrationID, LoginInstructions, Sync } = integration;
  const zone = useTimeZone();
  const decide = useCall(decideIntegrationSync, failed('There was an error answering.'));
  if (Sync?.State === 'held') {
    const answer = (GoAhead: boolean) => decide.mutate({ params: { IntegrationID }, body: { GoAhead } });
    const leaving = formatCount(Sync.HeldCount ?? 0);
    const people = countOf(Sync.HeldOf ?? 0, 'person', 'people');
    const groups = new Intl.ListFormat(locale).format(Sync.HeldGroups);
    return (
      <Notice
        kind="warning"
        title={
          groups === ''
            ? `${leaving} of ${people} would leave`
            : `${leaving} of ${people} would leave ${groups}`
        }
        actions={
          <>
            <Button disabled={decide.isPending} onClick={() => answer(false)}>
              Leave contacts as they are
            </Button>
            <Button disabled={decide.isPending} onClick={() => answer(true)}>
              Take them out
            </Button>
          </>
        }
      >
        {groups === ''
          ? `They are no longer in ${LoginInstructions.Name}. Is that right? If not, leave contacts as they are and look there first. Nobody is deleted from contacts either way.`
          : `In ${LoginInstructions.Name} they are no longer in these groups. Is that right? If not, leave contacts as they are and look there first. Nobody is deleted from contacts either way.`}
      </Notice>
    );
  }
  if (Sync?.State === 'failed')
    return (
      <Notice kind="error" title="The last sync failed">
        {Sync.ErrorMessage} Your contacts are as they were.
        {Sync.NextTimestamp !== null && ` Muster tries again ${formatAbsolute(Sync.NextTimestamp, zone)}.`}
      </Notice>
    );
  if (Sync?.State === 'paused')
    return (
      <Notice kind="info" title="Not kept in step for now">
        Contacts stay as they are until somebody presses Sync now.
      </Notice>
    );
  return null;
}
