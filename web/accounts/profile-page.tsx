import Box from '@mui/material/Box';
import { useColorScheme } from '@mui/material/styles';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { fullName, roleName, useAccount, useTimeZone, useUser } from '../queries/current-user.ts';
import { modes } from '../shell/modes.ts';
import { Card } from '../ui/card.tsx';
import { zoneName } from '../ui/format.ts';
import { PageHead } from '../ui/page-head.tsx';

/** The user's profile, appearance, notifications and signature. */
export function ProfilePage({ children }: { children?: ReactNode }) {
  return (
    <>
      <PageHead title="Profile" crumb="Settings" sentence="Your profile, appearance and notifications." />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, display: 'grid', gap: 2.5, maxWidth: 880 }}>
        <You />
        <Appearance />
        {children}
      </Box>
    </>
  );
}

function You() {
  const user = useUser();
  const account = useAccount();
  const zone = useTimeZone();
  if (!user || !account) return null;
  const lines: [string, string][] = [
    ['Name', fullName(user)],
    ['Role', `${roleName(user)} of ${account.CompanyName}`],
    ['Username', user.UserName],
    ['Email', user.Email],
    ['Time zone', `${zoneName(zone)} (${zone.replaceAll('_', ' ')})`],
  ];
  return (
    <Card title="You">
      <Box component="dl" sx={{ px: 2.5, py: 2, display: 'grid', rowGap: 1.25 }}>
        {lines.map(([label, value]) => (
          <Box
            key={label}
            sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '144px 1fr' }, columnGap: 2 }}
          >
            <Typography component="dt" sx={{ color: 'text.secondary' }}>
              {label}
            </Typography>
            <Typography component="dd" sx={{ fontWeight: 520, overflowWrap: 'anywhere' }}>
              {value || '–'}
            </Typography>
          </Box>
        ))}
      </Box>
    </Card>
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
