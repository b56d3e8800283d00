import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { Laptop, Smartphone } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { listSessions, revokeOtherSessions, revokeSession } from '../../../contract/addresses/auth.gen.ts';
import type { Reply } from '../../../contract/call.ts';
import { isNotFound, shownMessage } from '../../api.ts';
import { callKey, useCall, useCallQuery } from '../../queries/calls.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Card } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RouterButton } from '../../ui/router-button.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';

type Session = Reply<typeof listSessions>['Items'][number];

const methods: Record<Session['Method'], string> = {
  password: 'with your password',
  totp: 'with a code',
  recovery: 'with a recovery code',
  passkey: 'with a passkey',
  sso: 'with single sign-on',
};

/** The user's sessions, and how to end them. */
export function SessionsCard() {
  const { data, error } = useCallQuery(listSessions, {});
  const top = useRef<HTMLDivElement>(null);
  const isAskedFor = useLocation({ select: ({ hash }) => hash === 'signed-in' });
  useEffect(() => {
    if (isAskedFor) top.current?.scrollIntoView({ block: 'start' });
  }, [isAskedFor]);
  return (
    <Box ref={top} id="signed-in">
      <Card
        title="Where you’re signed in"
        {...(data && data.Size > 1 ? { action: <SignOutElsewhere others={data.Size - 1} /> } : {})}
      >
        {error && (
          <Box sx={{ p: 2.5 }}>
            <Notice kind="error">
              {shownMessage(error, 'There was an error getting your information.')}
            </Notice>
          </Box>
        )}
        {!data && !error && <SkeletonRows rows={2} rowHeight={64} isTwoLine label="Loading your sessions" />}
        {data && (
          <Box component="ul" sx={{ listStyle: 'none', p: 0 }}>
            {data.Items.map((session) => (
              <SessionRow key={session.SessionID} session={session} />
            ))}
          </Box>
        )}
      </Card>
    </Box>
  );
}

function SignOutElsewhere({ others }: { others: number }) {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const revoke = useCall(revokeOtherSessions, {
    onSuccess: () => showSnackbar('Signed out everywhere else.'),
    onError: (error) => showSnackbar(shownMessage(error, 'There was an error signing you out.')),
    onSettled: () => {
      setAsking(false);
      return client.invalidateQueries({ queryKey: callKey(listSessions).slice(0, 1) });
    },
  });
  return (
    <>
      <Button size="small" sx={{ flexShrink: 0 }} onClick={() => setAsking(true)}>
        Sign out everywhere else
      </Button>
      {isAsking && (
        <AskDialog
          title="Sign out everywhere else?"
          action="Sign out"
          keep="Stay signed in"
          isBusy={revoke.isPending}
          onDo={() => revoke.mutate({})}
          onClose={() => setAsking(false)}
        >
          {others === 1
            ? 'The other device is signed out right away.'
            : `The other ${others} devices are signed out right away.`}{' '}
          This device stays signed in.
        </AskDialog>
      )}
    </>
  );
}

function SessionRow({ session }: { session: Session }) {
  const client = useQueryClient();
  const device = deviceWords(session.Browser);
  const refresh = () => client.invalidateQueries({ queryKey: callKey(listSessions).slice(0, 1) });
  const revoke = useCall(revokeSession, {
    onSuccess: () => {
      showSnackbar(`Signed out on ${device}.`);
      return refresh();
    },
    onError: (error) => {
      // It has already ended, which is what the user wanted.
      if (!isNotFound(error)) showSnackbar(shownMessage(error, 'There was an error signing you out.'));
      void refresh();
    },
  });
  const Icon = /phone|android|ipad|mobile/i.test(session.Device) ? Smartphone : Laptop;
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.5,
        px: 2.5,
        py: 1.5,
        borderTop: '1px solid',
        borderColor: 'line.hair',
        '&:first-of-type': { borderTop: 0 },
      }}
    >
      <Box
        component={Icon}
        size={18}
        strokeWidth={1.75}
        aria-hidden
        sx={{ color: 'ink.two', flex: 'none' }}
      />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, flexWrap: 'wrap' }}>
          <Typography sx={{ fontWeight: 550 }}>{device}</Typography>
          {session.IsCurrent && (
            <Chip
              label="This device"
              sx={{ bgcolor: 'tint.accent', color: 'tint.accentInk', fontWeight: 550 }}
            />
          )}
        </Box>
        <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {session.Place} ({session.Address}) · last used <RelativeTime at={session.LastSeenTimestamp} /> ·
          signed in <RelativeTime at={session.CreateTimestamp} /> {methods[session.Method]}
        </Typography>
      </Box>
      {session.IsCurrent ? (
        <RouterButton to="/logout" preload={false} size="small">
          Sign out
        </RouterButton>
      ) : (
        <Button
          size="small"
          disabled={revoke.isPending}
          aria-label={`Sign out on ${device}`}
          onClick={() => revoke.mutate({ params: { SessionID: session.SessionID } })}
        >
          Sign out
        </Button>
      )}
    </Box>
  );
}

/** "Firefox on Windows". */
function deviceWords(device: string): string {
  const [browser = '', system] = device.split(' on ');
  return system === undefined ? device : `${browser} on ${system}`;
}
