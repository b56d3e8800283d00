import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Divider from '@mui/material/Divider';
import Drawer from '@mui/material/Drawer';
import MenuItem from '@mui/material/MenuItem';
import MenuList from '@mui/material/MenuList';
import Typography from '@mui/material/Typography';
import { Link, useLocation } from '@tanstack/react-router';
import { Ellipsis, type LucideIcon, Search } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { fullName, roleName, useAccount, useUser } from '../queries/current-user.ts';
import { Avatar } from '../ui/avatar.tsx';
import { footRef } from '../ui/foot-height.ts';
import { countOf } from '../ui/format.ts';
import { Count } from './navigation.tsx';
import { isUnder, useEmergencyPlace, usePlaces } from './places.ts';
import { useThemeItems, useUserLinks } from './user-menu-items.tsx';

const cell = {
  fontFamily: 'inherit',
  position: 'relative',
  // As wide as its word, and the rest shared: Contactos and Emergencia don't touch.
  flex: '1 1 auto',
  minWidth: 44,
  height: 60,
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  justifyContent: 'center',
  gap: '3px',
  textDecoration: 'none',
  color: 'text.secondary',
  '&[aria-current="page"]': { color: 'primary.main' },
  '&.Mui-focusVisible, &:focus-visible': { outlineOffset: '-2px' },
} as const;

/** Four places fit beside Emergency and More; these are in its sheet. */
const inSheet: readonly string[] = [
  '/drip-campaigns',
  '/message-library',
  '/reports/usage-summary',
  '/settings/profile',
];

/** The navigation on a phone, at the bottom: Home, Broadcasts, Inbox, Contacts, Emergency, and a sheet with the rest. */
export function BottomBar({ unread, onSearch }: { unread: number; onSearch: () => void }) {
  const pathname = useLocation({ select: (location) => location.pathname });
  const [isOpen, setOpen] = useState(false);
  const places = usePlaces();
  const emergency = useEmergencyPlace();
  const isInMore = places.some((place) => inSheet.includes(place.to) && isUnder(pathname, place));
  return (
    <Box
      ref={footRef}
      component="nav"
      aria-label="Main"
      sx={{
        flex: 'none',
        display: 'flex',
        pb: 'env(safe-area-inset-bottom)',
        bgcolor: 'background.paper',
        borderTop: '1px solid',
        borderColor: 'line.hair',
      }}
    >
      {places
        .filter(({ to }) => !inSheet.includes(to))
        .map((place) => (
          <Box
            key={place.to}
            component={Link}
            to={place.to}
            aria-current={isUnder(pathname, place) ? 'page' : undefined}
            sx={cell}
          >
            <CellContent icon={place.icon} label={place.label}>
              {place.to === '/inbox' && unread > 0 && <Count count={unread} isRail />}
            </CellContent>
          </Box>
        ))}
      {emergency && (
        <Box component={Link} to={emergency.to} sx={{ ...cell, color: 'error.main' }}>
          <CellContent icon={emergency.icon} label={emergency.label} />
        </Box>
      )}
      <ButtonBase
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        // Marks More as current when the page is in its sheet.
        aria-current={isInMore ? 'page' : undefined}
        onClick={() => setOpen(true)}
        sx={cell}
      >
        <CellContent icon={Ellipsis} label="More" />
      </ButtonBase>
      <MoreSheet isOpen={isOpen} pathname={pathname} onClose={() => setOpen(false)} onSearch={onSearch} />
    </Box>
  );
}

function CellContent({
  icon: Icon,
  label,
  children,
}: {
  icon: LucideIcon;
  label: string;
  children?: ReactNode;
}) {
  return (
    <>
      <Icon size={20} strokeWidth={1.75} aria-hidden />
      <span style={{ fontSize: 11, lineHeight: '14px', fontWeight: 500 }}>{label}</span>
      {children}
    </>
  );
}

interface MoreSheetProps {
  isOpen: boolean;
  pathname: string;
  onClose: () => void;
  onSearch: () => void;
}

function MoreSheet({ isOpen, pathname, onClose, onSearch }: MoreSheetProps) {
  const user = useUser();
  const account = useAccount();
  const themeItems = useThemeItems();
  const links = useUserLinks(onClose);
  const places = usePlaces();
  return (
    <Drawer
      anchor="bottom"
      open={isOpen}
      onClose={onClose}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-label': 'More',
          sx: { borderRadius: '14px 14px 0 0', p: 1, pb: 'calc(8px + env(safe-area-inset-bottom))' },
        },
      }}
    >
      {user && account && (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, px: 1.25, py: 1.25 }}>
          <Avatar name={fullName(user)} size={36} src={user.PictureUrl} />
          <Box sx={{ minWidth: 0, flex: 1 }}>
            <Typography noWrap sx={{ fontWeight: 580 }}>
              {fullName(user)}
            </Typography>
            <Typography noWrap variant="body2" sx={{ color: 'text.secondary' }}>
              {roleName(user)} · {account.CompanyName}
            </Typography>
          </Box>
          <Typography
            variant="body2"
            sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums', flex: 'none' }}
          >
            {countOf(account.CallBalance, 'credit', 'credits')}
          </Typography>
        </Box>
      )}
      <Divider />
      <MenuList aria-label="More" sx={{ p: 0, pt: 0.5, '& .MuiMenuItem-root': { minHeight: 44 } }}>
        <MenuItem
          onClick={() => {
            onClose();
            onSearch();
          }}
        >
          <Search aria-hidden />
          Search
        </MenuItem>
        {places
          .filter(({ to }) => inSheet.includes(to))
          .map((place) => {
            const { to, label, icon: Icon } = place;
            const isCurrent = isUnder(pathname, place);
            return (
              <MenuItem
                key={to}
                component={Link}
                to={to}
                selected={isCurrent}
                aria-current={isCurrent ? 'page' : undefined}
                onClick={onClose}
              >
                <Icon aria-hidden />
                {label}
              </MenuItem>
            );
          })}
        {themeItems}
        {links}
      </MenuList>
    </Drawer>
  );
}
