import Box from '@mui/material/Box';
import { Link } from '@tanstack/react-router';

const pages = [
  { to: '/settings/profile', label: 'Profile' },
  { to: '/settings/text', label: 'Text' },
  { to: '/settings/security', label: 'Security' },
] as const;

/** The tabs above every settings page. */
export function SettingsTabs() {
  return (
    <Box
      component="nav"
      aria-label="Settings"
      sx={{
        flex: 'none',
        display: 'flex',
        gap: '4px',
        px: { xs: 1, sm: 2, laptop: 3 },
        borderBottom: '1px solid',
        borderColor: 'line.hair',
        bgcolor: 'background.paper',
      }}
    >
      {pages.map(({ to, label }) => (
        <Box
          key={to}
          component={Link}
          to={to}
          sx={{
            height: 48,
            px: '10px',
            display: 'grid',
            placeItems: 'center',
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
