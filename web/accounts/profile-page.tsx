import Box from '@mui/material/Box';
import { useColorScheme } from '@mui/material/styles';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorCatalog } from '../../contract/reference/error-catalog.ts';
import { accountQuery } from '../queries/current-user.ts';
import { modes } from '../shell/modes.ts';
import { Card } from '../ui/card.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { say } from '../ui/say.ts';

/** The user's profile, appearance, notifications and signature. */
export function ProfilePage({ children }: { children?: ReactNode }) {
  // Read again: somebody else may have changed them, and the fields should be as saved.
  const { isError, refetch } = useQuery({ ...accountQuery, refetchOnMount: 'always' });
  return (
    <>
      <PageHead
        title="Profile"
        crumb={say('Settings')}
        sentence="Your profile, appearance and notifications."
      />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, display: 'grid', gap: 2.5, maxWidth: 880 }}>
        {isError && <RetryNotice onRetry={() => void refetch()}>{errorCatalog.userInfo}</RetryNotice>}
        {children}
        <Appearance />
      </Box>
    </>
  );
}

function Appearance() {
  const { mode, setMode } = useColorScheme();
  return (
    <Card title="Appearance">
      <Box sx={{ px: 2.5, py: 2, display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
        <Typography sx={{ flex: '1 1 220px', color: 'text.secondary' }}>
          System matches your computer’s light or dark setting.
        </Typography>
        <ToggleButtonGroup
          exclusive
          aria-label="Appearance"
          value={mode ?? 'system'}
          onChange={(_, chosen: (typeof modes)[number]['mode'] | null) => {
            if (chosen) setMode(chosen);
          }}
        >
          {modes.map(({ mode: value, label, icon: Icon }) => (
            <ToggleButton key={value} value={value}>
              <Icon size={15} strokeWidth={1.75} aria-hidden />
              {label}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      </Box>
    </Card>
  );
}
