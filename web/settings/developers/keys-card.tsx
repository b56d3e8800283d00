import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Typography from '@mui/material/Typography';
import { Ellipsis, KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { listApiKeys, revokeApiKey } from '../../../contract/addresses/keys.gen.ts';
import type { Reply } from '../../../contract/call.ts';
import { scopeLabel } from '../../../contract/scopes.ts';
import { isNotFound, shownMessage } from '../../api.ts';
import { useCall, useCallQuery } from '../../queries/calls.ts';
import { useTimeZone } from '../../queries/current-user.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatDate } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { useNow } from '../../ui/now.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { say } from '../../ui/say.ts';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useMenu } from '../../ui/use-menu.ts';
import { KeyDialog } from './key-dialog.tsx';
import { NewSecretDialog } from './new-secret-dialog.tsx';
import { ShownKeyDialog } from './shown-key-dialog.tsx';

export type ApiKey = Reply<typeof listApiKeys>['Items'][number];

type Open =
  | { dialog: 'edit'; apiKey?: ApiKey }
  | { dialog: 'rotate' | 'revoke'; apiKey: ApiKey }
  | { dialog: 'shown'; text: string };

/** The organization's API keys. */
export function KeysCard() {
  const { data, error } = useCallQuery(listApiKeys, {});
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const shown = (text: string) => setOpen({ dialog: 'shown', text });
  const create = (
    <Button size="small" startIcon={<Plus />} onClick={() => setOpen({ dialog: 'edit' })}>
      Create a key
    </Button>
  );
  return (
    <Card
      title="API keys"
      count={data?.Size}
      action={
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
          <Link href="/api/docs" sx={{ fontWeight: 500, display: { xs: 'none', sm: 'inline' } }}>
            API reference
          </Link>
          {data && data.Size > 0 && create}
        </Box>
      }
    >
      {error && (
        <Box sx={{ p: 2.5 }}>
          <Notice kind="error">{shownMessage(error, 'There was an error getting your API keys.')}</Notice>
        </Box>
      )}
      {!data && !error && <SkeletonRows rows={3} rowHeight={52} label="Loading your API keys" />}
      {data && data.Size === 0 && (
        <EmptyState icon={KeyRound} title="No API keys yet" action={create}>
          With a key, a program of yours can add contacts, send broadcasts or read results, as far as you
          allow it.
        </EmptyState>
      )}
      {data && data.Size > 0 && (
        <Box component="ul" sx={{ listStyle: 'none', p: 0 }}>
          {data.Items.map((apiKey) => (
            <KeyRow
              key={apiKey.ApiKeyID}
              apiKey={apiKey}
              onChoose={(dialog) => setOpen({ dialog, apiKey })}
            />
          ))}
        </Box>
      )}
      {open?.dialog === 'edit' && <KeyDialog saved={open.apiKey} onClose={close} onMade={shown} />}
      {open?.dialog === 'rotate' && <NewSecretDialog apiKey={open.apiKey} onClose={close} onMade={shown} />}
      {open?.dialog === 'revoke' && <RevokeDialog apiKey={open.apiKey} onClose={close} />}
      {open?.dialog === 'shown' && <ShownKeyDialog text={open.text} onClose={close} />}
    </Card>
  );
}

function KeyRow({
  apiKey,
  onChoose,
}: {
  apiKey: ApiKey;
  onChoose: (dialog: 'edit' | 'rotate' | 'revoke') => void;
}) {
  const menu = useMenu();
  const now = useNow();
  const zone = useTimeZone();
  const warning = warningOf(apiKey, (at) => formatDate(at, now, zone));
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        alignItems: 'center',
        columnGap: 2,
        rowGap: 0.5,
        gridTemplateColumns: {
          xs: 'minmax(0, 1fr) 40px',
          laptop: 'minmax(0, 1.1fr) 150px minmax(0, 1.5fr) 140px 180px 40px',
        },
        px: 2.5,
        py: 1.25,
        borderTop: '1px solid',
        borderColor: 'line.hair',
        '&:first-of-type': { borderTop: 0 },
        '& > :not(:last-child)': { gridColumn: { xs: 1, laptop: 'auto' } },
        '& > :last-child': { gridColumn: { xs: 2, laptop: 6 }, gridRow: 1 },
      }}
    >
      <Box sx={{ minWidth: 0 }}>
        <Typography sx={{ fontWeight: 550, overflowWrap: 'anywhere' }}>{apiKey.Name}</Typography>
        {warning && (
          <Typography variant="body2" sx={{ color: 'warning.main' }}>
            {warning}
          </Typography>
        )}
      </Box>
      <Box
        component="code"
        sx={{ fontFamily: 'ui-monospace, monospace', fontSize: 12.5, color: 'text.secondary' }}
      >
        {shortPrefix(apiKey.Prefix)}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: '6px' }}>
        {apiKey.Scopes.map((scope) => (
          <Chip key={scope} label={scopeLabel(scope)} />
        ))}
        {apiKey.Addresses.length > 0 && (
          <Chip
            label={
              apiKey.Addresses.length === 1
                ? `Only ${apiKey.Addresses[0]}`
                : `${apiKey.Addresses.length} addresses`
            }
            variant="outlined"
          />
        )}
      </Box>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {apiKey.LastUsedTimestamp ? (
          <>
            Used <RelativeTime at={apiKey.LastUsedTimestamp} />
          </>
        ) : (
          'Not used yet'
        )}
      </Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
        {apiKey.User.Name}, {formatDate(apiKey.CreateTimestamp, now, zone)}
      </Typography>
      <Box>
        <IconButton aria-label={`Actions for ${apiKey.Name}`} {...menu.buttonProps}>
          <Ellipsis />
        </IconButton>
        <Menu {...menu.menuProps}>
          {apiKey.IsMine && <MenuItem onClick={menu.choose(() => onChoose('edit'))}>Edit</MenuItem>}
          {apiKey.IsMine && (
            <MenuItem onClick={menu.choose(() => onChoose('rotate'))}>Make a new secret</MenuItem>
          )}
          <MenuItem onClick={menu.choose(() => onChoose('revoke'))} sx={{ color: 'error.main' }}>
            Revoke
          </MenuItem>
        </Menu>
      </Box>
    </Box>
  );
}

/** "mk_live_9f3c…e21a", as much as tells keys apart. */
function shortPrefix(prefix: string): string {
  return `${prefix.slice(0, 12)}…${prefix.slice(-4)}`;
}

function warningOf(apiKey: ApiKey, dateOf: (at: string) => string): string | undefined {
  if (!apiKey.User.IsActive) return `Doesn’t work: ${apiKey.User.Name} was deactivated`;
  if (apiKey.IsExpired) return say('Expired');
  if (apiKey.RefusedTimestamp)
    return `Tried from ${apiKey.RefusedAddress}, which isn’t allowed, ${dateOf(apiKey.RefusedTimestamp)}`;
  if (apiKey.OldSecretUntil) return `The old secret works until ${dateOf(apiKey.OldSecretUntil)}`;
  return apiKey.ExpireTimestamp ? `Expires ${dateOf(apiKey.ExpireTimestamp)}` : undefined;
}

function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const revoke = useCall(revokeApiKey, {
    onSuccess: () => showSnackbar(`${apiKey.Name} was revoked.`),
    onError: (error) => {
      // Somebody else has revoked it already, which is what the user wanted.
      if (!isNotFound(error)) showSnackbar(shownMessage(error, 'There was an error revoking this key.'));
    },
    onSettled: onClose,
  });
  return (
    <AskDialog
      title={`Revoke ${apiKey.Name}?`}
      action="Revoke"
      keep="Keep"
      isBusy={revoke.isPending}
      onDo={() => revoke.mutate({ params: { ApiKeyID: apiKey.ApiKeyID } })}
      onClose={onClose}
    >
      Programs that use this key are refused right away. A revoked key can’t be brought back.
    </AskDialog>
  );
}
