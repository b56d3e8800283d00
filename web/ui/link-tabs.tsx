import Box from '@mui/material/Box';
import { Link, type LinkProps } from '@tanstack/react-router';
import { TabWords } from './tab-words.tsx';

interface LinkTab {
  to: NonNullable<LinkProps['to']>;
  label: string;
  count?: number | undefined;
  isCurrent: boolean;
}

/** Scrolls to the current tab if the tabs are wider than the screen. */
export function showTab(tab: HTMLElement | null): void {
  const tabs = tab?.parentElement;
  if (tab && tabs) tabs.scrollLeft = tab.offsetLeft - (tabs.clientWidth - tab.offsetWidth) / 2;
}

/** Tabs that are pages of their own: links, each with its address. */
export function LinkTabs({ label, tabs }: { label: string; tabs: readonly LinkTab[] }) {
  return (
    <Box
      component="nav"
      aria-label={label}
      sx={{
        position: 'relative',
        display: 'flex',
        gap: 1,
        flex: 'none',
        overflowX: 'auto',
        px: { xs: 1, sm: '18px', laptop: '26px' },
        borderBottom: '1px solid',
        borderColor: 'line.hair',
      }}
    >
      {tabs.map(({ to, label: name, count, isCurrent }) => (
        <Box
          key={to}
          ref={isCurrent ? showTab : undefined}
          component={Link}
          to={to}
          aria-current={isCurrent ? 'page' : undefined}
          className={isCurrent ? 'Mui-selected' : ''}
          sx={{
            display: 'inline-flex',
            alignItems: 'center',
            flex: 'none',
            minHeight: 40,
            px: '10px',
            textDecoration: 'none',
            whiteSpace: 'nowrap',
            color: 'text.secondary',
            fontWeight: 500,
            '&:hover': { color: 'text.primary' },
            '&:focus-visible': { outlineOffset: '-2px' },
            '&.Mui-selected': {
              color: 'text.primary',
              fontWeight: 550,
              boxShadow: (theme) => `inset 0 -2px ${theme.vars.palette.primary.main}`,
            },
          }}
        >
          <TabWords name={name} count={count} showsNone />
        </Box>
      ))}
    </Box>
  );
}
