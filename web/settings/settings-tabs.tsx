import Box from '@mui/material/Box';
import { Link, useLocation } from '@tanstack/react-router';
import type { CapabilityName } from '../../contract/permissions.ts';
import { useUser } from '../queries/current-user.ts';
import { showTab } from '../ui/link-tabs.tsx';
import { say } from '../ui/say.ts';

/** Users without its capability don't see a tab. One of several is enough. */
const pages: readonly {
  to:
    | '/settings/account'
    | '/settings/profile'
    | '/settings/text'
    | '/settings/billing'
    | '/settings/voice'
    | '/settings/users'
    | '/settings/emergency'
    | '/settings/security'
    | '/settings/developers'
    | '/settings/webhooks'
    | '/automation'
    | '/settings/audit-log';
  label: string;
  capability?: CapabilityName | readonly CapabilityName[];
}[] = [
  { to: '/settings/account', label: 'Account', capability: 'editAccountSettings' },
  { to: '/settings/billing', label: 'Billing', capability: 'viewBilling' },
  { to: '/settings/profile', label: 'Profile' },
  { to: '/settings/text', label: say('Text', 'several') },
  { to: '/settings/voice', label: 'Voice', capability: ['createVoiceBroadcast', 'editVoiceSettings'] },
  { to: '/settings/emergency', label: 'Emergency', capability: 'editAccountSettings' },
  { to: '/settings/users', label: 'Users', capability: 'manageUsers' },
  { to: '/settings/security', label: 'Security' },
  { to: '/settings/developers', label: 'Developers', capability: 'manageApiKeys' },
  { to: '/settings/webhooks', label: 'Webhooks', capability: 'manageWebhooks' },
  { to: '/automation', label: 'Integrations', capability: 'manageIntegrations' },
  { to: '/settings/audit-log', label: 'Audit log', capability: 'seeAuditLog' },
];

/** The tabs above every settings page. */
export function SettingsTabs() {
  const denied = useUser()?.Denied ?? {};
  const pathname = useLocation({ select: (location) => location.pathname });
  const shown = pages.filter(
    ({ capability }) =>
      capability === undefined || [capability].flat().some((name) => denied[name] === undefined),
  );
  return (
    <Box
      component="nav"
      aria-label="Settings"
      sx={{
        position: 'relative',
        flex: 'none',
        display: 'flex',
        gap: '4px',
        overflowX: 'auto',
        px: { xs: 1, sm: 2, laptop: 3 },
        borderBottom: '1px solid',
        borderColor: 'line.hair',
        bgcolor: 'background.paper',
      }}
    >
      {shown.map(({ to, label }) => (
        <Box
          key={to}
          ref={pathname.startsWith(to) ? showTab : undefined}
          component={Link}
          to={to}
          sx={{
            height: 48,
            px: '10px',
            display: 'grid',
            placeItems: 'center',
            flex: 'none',
            textDecoration: 'none',
            fontWeight: 500,
            color: 'text.secondary',
            boxShadow: 'none',
            '&[aria-current="page"]': {
              color: 'text.primary',
              fontWeight: 550,
              boxShadow: (theme) => `inset 0 -2px ${theme.vars.palette.primary.main}`,
            },
            '&:focus-visible': { outlineOffset: '-2px' },
          }}
        >
          {label}
        </Box>
      ))}
    </Box>
  );
}
