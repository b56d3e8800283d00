import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { Plug, Plus } from 'lucide-react';
import { useState } from 'react';
import { listIntegrations } from '../../contract/addresses/integrations.gen.ts';
import type { Integration } from '../../contract/integrations.ts';
import { genericMessage, shownMessage } from '../api.ts';
import { useCallQuery } from '../queries/calls.ts';
import { Card } from '../ui/card.tsx';
import { DialogBody, DialogHead } from '../ui/dialog-parts.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { RouterButton } from '../ui/router-button.tsx';
import { say } from '../ui/say.ts';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';
import { ConnectDialog } from './connect-dialog.tsx';
import { iconOf, keptWords, stateOf } from './integration-words.ts';

/** The systems that an organization has connected, and those that it can. */
export function AutomationPage() {
  const { data, error, refetch } = useCallQuery(listIntegrations, {});
  const [isAdding, setAdding] = useState(false);
  const [connecting, setConnecting] = useState<Integration>();
  const connected = data?.Items.filter(({ Connected }) => Connected) ?? [];
  const others = data?.Items.filter(({ Connected }) => !Connected) ?? [];
  const connect = (integration: Integration) => {
    setAdding(false);
    setConnecting(integration);
  };
  return (
    <>
      <PageHead
        title="Integrations"
        crumb={say('Settings')}
        sentence="Bring in people from the systems you already use, and keep them in step."
        actions={
          <Button
            variant="contained"
            color="primary"
            startIcon={<Plus aria-hidden />}
            disabled={others.length === 0}
            onClick={() => setAdding(true)}
          >
            Add an integration
          </Button>
        }
      />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, display: 'grid', gap: 2.5 }}>
        {error && (
          <RetryNotice onRetry={() => void refetch()}>
            {shownMessage(error, genericMessage('getting', { one: 'integration', many: 'integrations' }))}
          </RetryNotice>
        )}
        <Card title="Connected" count={data ? connected.length : undefined}>
          {!data && !error && <SkeletonRows rows={2} rowHeight={64} label="Loading the integrations" />}
          {data && connected.length === 0 && (
            <EmptyState icon={Plug} title="Nothing is connected yet">
              Connect an address book, a directory or a sheet. Its groups can go into contacts and broadcasts.
            </EmptyState>
          )}
          <Rows integrations={connected} onConnect={connect} />
        </Card>
        {others.length > 0 && (
          <Card title="Available" count={others.length}>
            <Rows integrations={others} onConnect={connect} />
          </Card>
        )}
      </Box>
      <FormDialog isOpen={isAdding} onClose={() => setAdding(false)} width={560} isFullOnPhone>
        <DialogHead title="Add an integration" onClose={() => setAdding(false)} />
        <DialogBody gap={0} intro="Where do you keep your people?">
          <Box sx={{ mx: { xs: -2, sm: -4 } }}>
            <Rows integrations={others} onConnect={connect} />
          </Box>
        </DialogBody>
      </FormDialog>
      {connecting !== undefined && (
        <ConnectDialog integration={connecting} onClose={() => setConnecting(undefined)} />
      )}
    </>
  );
}

interface RowsProps {
  integrations: readonly Integration[];
  onConnect: (integration: Integration) => void;
}

function Rows({ integrations, onConnect }: RowsProps) {
  return (
    <Box component="ul" sx={{ listStyle: 'none', p: 0, m: 0 }}>
      {integrations.map((integration) => (
        <Row key={integration.IntegrationID} integration={integration} onConnect={onConnect} />
      ))}
    </Box>
  );
}

function Row({ integration, onConnect }: Omit<RowsProps, 'integrations'> & { integration: Integration }) {
  const { IntegrationID, Connected, Type, LoginInstructions, Description, AccountName } = integration;
  const { label, color } = stateOf(integration);
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 2,
        rowGap: 1,
        px: 2.5,
        py: 1.5,
        borderTop: '1px solid',
        borderColor: 'line.hair',
        '&:first-of-type': { borderTop: 0 },
      }}
    >
      <IntegrationIcon integration={integration} />
      <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
        <Typography sx={{ fontWeight: 550 }}>{LoginInstructions.Name}</Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {Connected && Type === 'Contact' ? `${AccountName} · ${keptWords(integration)}` : Description}
        </Typography>
      </Box>
      {Connected && <Chip size="small" color={color} label={label} />}
      {Type === 'SSO' ? (
        <RouterButton to="/settings/security" aria-label={`Open ${LoginInstructions.Name}`}>
          {Connected ? 'Open' : 'Set up'}
        </RouterButton>
      ) : Connected ? (
        <RouterButton
          to="/automation/$integrationId"
          params={{ integrationId: String(IntegrationID) }}
          aria-label={`Open ${LoginInstructions.Name}`}
        >
          Open
        </RouterButton>
      ) : (
        <Button aria-label={`Connect ${LoginInstructions.Name}`} onClick={() => onConnect(integration)}>
          Connect
        </Button>
      )}
    </Box>
  );
}

function IntegrationIcon({ integration }: { integration: Integration }) {
  const Icon = iconOf(integration);
  return (
    <Box
      aria-hidden
      sx={{
        width: 36,
        height: 36,
        borderRadius: '9px',
        display: 'grid',
        placeItems: 'center',
        flex: 'none',
        bgcolor: 'tint.accent',
        color: 'primary.main',
      }}
    >
      <Icon size={18} strokeWidth={1.75} />
    </Box>
  );
}
