import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { RefreshCw, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { connectivity } from '../../contract/reference/outage-sentences.ts';
import { retryConnection, useConnection } from '../realtime.ts';

const sentences = {
  offline: 'You’re offline. New messages will show when the connection is back.',
  unreachable: connectivity,
  polling: 'Live updates are interrupted. New messages are fetched every few seconds.',
} as const;

/** The default status page, unless the installation names another. */
const statusPage = '/readyz';

/** Shorter interruptions of the socket aren't worth a notice. */
const patienceMs = 3_000;

/** Warns that the page may be out of date. */
export function ConnectionNotice() {
  const connection = useConnection();
  const isTrouble = connection === 'offline' || connection === 'polling';
  const [isLasting, setLasting] = useState(false);
  const [isTrying, setTrying] = useState(false);
  useEffect(() => {
    if (!isTrouble) {
      setLasting(false);
      return;
    }
    const timer = setTimeout(() => setLasting(true), patienceMs);
    return () => clearTimeout(timer);
  }, [isTrouble]);
  const isShown = connection === 'offline' || (isTrouble && isLasting);
  const trouble = connection !== 'offline' ? 'polling' : navigator.onLine ? 'unreachable' : 'offline';
  return (
    <Box role="status" sx={{ flex: 'none' }}>
      {isShown && (
        <Box
          sx={{
            display: 'flex',
            alignItems: 'center',
            gap: 1,
            px: 2,
            minHeight: 40,
            bgcolor: 'tint.warning',
            borderBottom: '1px solid',
            borderColor: 'tint.warningLine',
          }}
        >
          <Box component={WifiOff} size={16} aria-hidden sx={{ color: 'warning.main', flex: 'none' }} />
          <Box component="span" sx={{ flex: 1, minWidth: 0 }}>
            {sentences[trouble]}
          </Box>
          {trouble === 'unreachable' && (
            <Link href={statusPage} target="_blank" rel="noreferrer" variant="body2" color="warning">
              Status page
            </Link>
          )}
          <Button
            size="small"
            variant="text"
            startIcon={<RefreshCw />}
            disabled={isTrying}
            sx={{ color: 'warning.main' }}
            onClick={() => {
              setTrying(true);
              void retryConnection().finally(() => setTrying(false));
            }}
          >
            Retry
          </Button>
        </Box>
      )}
    </Box>
  );
}
