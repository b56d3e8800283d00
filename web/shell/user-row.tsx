import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Divider from '@mui/material/Divider';
import Menu from '@mui/material/Menu';
import Typography from '@mui/material/Typography';
import { ChevronsUpDown } from 'lucide-react';
import { memo, useId } from 'react';
import { fullName, roleName, useUser } from '../queries/current-user.ts';
import { Avatar } from '../ui/avatar.tsx';
import { useMenu } from '../ui/use-menu.ts';
import { visuallyHidden } from '../ui/visually-hidden.ts';
import { useThemeItems, useUserLinks } from './user-menu-items.tsx';

/** The signed-in user, with their menu. */
export const UserRow = memo(function UserRow({ isRail }: { isRail: boolean }) {
  const user = useUser();
  const { close, buttonProps, menuProps } = useMenu();
  const id = useId();
  const themeItems = useThemeItems();
  const links = useUserLinks(close);
  if (!user) return null;
  const name = fullName(user) || user.UserName;
  return (
    <>
      <ButtonBase
        id={`${id}-button`}
        {...buttonProps}
        sx={{
          mt: '10px',
          p: '6px',
          gap: '10px',
          borderRadius: '8px',
          justifyContent: isRail ? 'center' : 'flex-start',
          textAlign: 'left',
          flex: 'none',
          '&:hover, &[aria-expanded="true"]': { bgcolor: 'surface.press' },
        }}
      >
        <Avatar name={name} size={32} src={user.PictureUrl} />
        {isRail && <span style={visuallyHidden}>{`${name}, ${roleName(user)}`}</span>}
        {!isRail && (
          <>
            <Box sx={{ minWidth: 0, flex: 1 }}>
              <Typography noWrap variant="body2" component="span" sx={{ display: 'block', fontWeight: 580 }}>
                {name}
              </Typography>
              <Typography
                variant="caption"
                component="span"
                sx={{ display: 'block', color: 'text.secondary' }}
              >
                {roleName(user)}
              </Typography>
            </Box>
            <Box
              component={ChevronsUpDown}
              size={16}
              strokeWidth={1.75}
              aria-hidden
              sx={{ color: 'ink.two', flex: 'none' }}
            />
          </>
        )}
      </ButtonBase>
      <Menu
        {...menuProps}
        // Inside the navigation, where screen reader users look for it, not at the end of the page.
        disablePortal
        anchorOrigin={{ vertical: 'top', horizontal: 'left' }}
        transformOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { sx: { width: 220, mt: '-6px' } }, list: { 'aria-labelledby': `${id}-button` } }}
      >
        {themeItems}
        <Divider sx={{ my: '4px !important' }} />
        {links}
      </Menu>
    </>
  );
});
