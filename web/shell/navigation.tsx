import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { Link, useLocation } from '@tanstack/react-router';
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { memo } from 'react';
import { useAccount } from '../queries/current-user.ts';
import { visuallyHidden } from '../ui/visually-hidden.ts';
import { CreditCard } from './credit-card.tsx';
import { Mark } from './mark.tsx';
import type { NavigationWidth } from './navigation-width.ts';
import { badgeText, isUnder, type Place, useEmergencyPlace, usePlaces } from './places.ts';
import { SearchButton } from './search-button.tsx';
import { UserRow } from './user-row.tsx';

interface NavigationProps {
  unread: number;
  width: NavigationWidth;
  onSearch: () => void;
}

/** The left navigation: organization, search, places, credits and user. */
export function Navigation({ unread, width, onSearch }: NavigationProps) {
  const { isRail } = width;
  const places = usePlaces();
  const emergency = useEmergencyPlace();
  return (
    <Box
      component="nav"
      aria-label="Main"
      sx={{
        width: isRail ? 72 : 232,
        flex: 'none',
        display: 'flex',
        flexDirection: 'column',
        px: '12px',
        py: '14px',
        overflow: 'hidden auto',
        bgcolor: 'surface.nav',
        borderRight: '1px solid',
        borderColor: 'line.hair',
      }}
    >
      <Organization width={width} />
      <SearchButton isRail={isRail} onClick={onSearch} />
      <Box component="ul" sx={{ listStyle: 'none', p: 0, mt: '8px', display: 'grid', gap: '2px' }}>
        {places.map((place) => (
          <li key={place.to}>
            <PlaceLink place={place} isRail={isRail} count={place.to === '/inbox' ? unread : 0} />
          </li>
        ))}
      </Box>
      <Box sx={{ flex: 1, minHeight: 16 }} />
      {emergency && (
        <Box sx={{ mb: '10px' }}>
          <PlaceLink place={emergency} isRail={isRail} count={0} isUrgent />
        </Box>
      )}
      <CreditCard isRail={isRail} />
      <UserRow isRail={isRail} />
    </Box>
  );
}

const Organization = memo(function Organization({
  width: { isRail, canChange, toggle },
}: {
  width: NavigationWidth;
}) {
  const account = useAccount();
  if (isRail) {
    return (
      <Box sx={{ display: 'grid', justifyItems: 'center', gap: '6px' }}>
        <Tooltip describeChild title={account?.CompanyName ?? ''} placement="right">
          <Box sx={{ height: 40, display: 'grid', placeItems: 'center' }}>
            <Mark />
          </Box>
        </Tooltip>
        {canChange && (
          <Tooltip title="Expand navigation" placement="right">
            <IconButton aria-label="Expand navigation" onClick={toggle}>
              <PanelLeftOpen />
            </IconButton>
          </Tooltip>
        )}
      </Box>
    );
  }
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: '10px',
        height: 40,
        pl: '6px',
        // Appears on hover and keyboard focus, and always on devices without hover.
        position: 'relative',
        '& > button': { position: 'absolute', right: 0, bgcolor: 'surface.press', opacity: 0 },
        '&:hover > button, & > button:focus-visible': { opacity: 1 },
        '@media (hover: none)': { pr: '34px', '& > button': { opacity: 1, bgcolor: 'transparent' } },
      }}
    >
      <Mark />
      <Box sx={{ minWidth: 0, flex: 1 }}>
        <Typography noWrap sx={{ fontWeight: 600 }} title={account?.CompanyName}>
          {account?.CompanyName}
        </Typography>
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          Muster
        </Typography>
      </Box>
      <Tooltip title="Collapse navigation" placement="right">
        <IconButton aria-label="Collapse navigation" size="small" onClick={toggle}>
          <PanelLeftClose />
        </IconButton>
      </Tooltip>
    </Box>
  );
});

const PlaceLink = memo(function PlaceLink({
  place,
  isRail,
  count,
  isUrgent = false,
}: {
  place: Place;
  isRail: boolean;
  count: number;
  /** In red, with a border around it. */
  isUrgent?: boolean;
}) {
  const isCurrent = useLocation({ select: ({ pathname }) => isUnder(pathname, place) });
  const Icon = place.icon;
  const link = (
    <Box
      component={Link}
      to={place.to}
      aria-current={isCurrent ? 'page' : undefined}
      sx={{
        position: 'relative',
        display: 'flex',
        alignItems: 'center',
        justifyContent: isRail ? 'center' : 'flex-start',
        gap: '11px',
        height: isRail ? 44 : 36,
        px: '10px',
        borderRadius: '8px',
        textDecoration: 'none',
        color: isCurrent ? 'text.primary' : 'text.secondary',
        fontWeight: isCurrent ? 580 : 480,
        bgcolor: isCurrent ? 'surface.press' : 'transparent',
        transition: 'background-color 80ms',
        '&:hover': { bgcolor: isCurrent ? 'surface.press' : 'surface.hover' },
        '& svg': { color: isCurrent ? 'primary.main' : 'inherit', flex: 'none' },
        ...(isUrgent && {
          color: 'error.main',
          fontWeight: 580,
          border: '1px solid',
          borderColor: 'tint.errorLine',
          '& svg': { color: 'error.main', flex: 'none' },
        }),
      }}
    >
      <Icon size={isRail ? 20 : 18} strokeWidth={1.75} aria-hidden />
      {isRail ? (
        <span style={visuallyHidden}>{place.label}</span>
      ) : (
        <span style={{ flex: 1 }}>{place.label}</span>
      )}
      {count > 0 && <Count count={count} isRail={isRail} />}
    </Box>
  );
  return isRail ? (
    <Tooltip describeChild title={place.label} placement="right">
      {link}
    </Tooltip>
  ) : (
    link
  );
});

/** The unread count, beside the label or at the icon's corner. */
export function Count({ count, isRail }: { count: number; isRail: boolean }) {
  const size = isRail ? 16 : 20;
  return (
    <Box
      component="span"
      sx={{
        ...(isRail ? { position: 'absolute', top: 6, left: 'calc(50% + 2px)' } : {}),
        minWidth: size,
        height: size,
        px: isRail ? '4px' : '6px',
        borderRadius: `${size / 2}px`,
        display: 'grid',
        placeItems: 'center',
        fontSize: isRail ? 11 : 12,
        lineHeight: 1,
        fontWeight: 600,
        fontVariantNumeric: 'tabular-nums',
        bgcolor: 'primary.main',
        color: 'primary.contrastText',
      }}
    >
      {badgeText(count)}
      <span style={visuallyHidden}> unread</span>
    </Box>
  );
}
