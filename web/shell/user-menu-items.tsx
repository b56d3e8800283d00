import MenuItem from '@mui/material/MenuItem';
import { useColorScheme } from '@mui/material/styles';
import { Link } from '@tanstack/react-router';
import {
  BookOpenText,
  Check,
  Download,
  FlaskConical,
  LogOut,
  MessageCircleQuestionMark,
  MonitorSmartphone,
} from 'lucide-react';
import { useOpenHelpChat } from './help-chat.tsx';
import { useInstall } from './install.ts';
import { modes } from './modes.ts';
import { useOpenLabs } from './use-labs.ts';

/** The three appearances, with the current one checked. */
export function useThemeItems() {
  const { mode: current, setMode } = useColorScheme();
  return modes.map(({ mode, label, icon: Icon }) => (
    <MenuItem key={mode} role="menuitemradio" aria-checked={current === mode} onClick={() => setMode(mode)}>
      <Icon aria-hidden />
      <span style={{ flex: 1 }}>{label}</span>
      {current === mode && <Check aria-hidden />}
    </MenuItem>
  ));
}

/** Links to the user's own pages, and to the help chat where there is one. */
export function useUserLinks(onLeave: () => void) {
  const openChat = useOpenHelpChat();
  const openLabs = useOpenLabs();
  const install = useInstall();
  return [
    ...(openChat
      ? [
          <MenuItem
            key="help"
            onClick={() => {
              onLeave();
              openChat();
            }}
          >
            <MessageCircleQuestionMark aria-hidden />
            Help chat
          </MenuItem>,
        ]
      : []),
    ...(openLabs
      ? [
          <MenuItem
            key="labs"
            onClick={() => {
              onLeave();
              openLabs();
            }}
          >
            <FlaskConical aria-hidden />
            Labs
          </MenuItem>,
        ]
      : []),
    ...(install
      ? [
          <MenuItem
            key="install"
            onClick={() => {
              onLeave();
              install();
            }}
          >
            <Download aria-hidden />
            Install Muster
          </MenuItem>,
        ]
      : []),
    <MenuItem key="places" component={Link} to="/settings/security" hash="signed-in" onClick={onLeave}>
      <MonitorSmartphone aria-hidden />
      Where you’re signed in
    </MenuItem>,
    <MenuItem key="reference" component={Link} to="/api/docs" onClick={onLeave}>
      <BookOpenText aria-hidden />
      API reference
    </MenuItem>,
    <MenuItem key="out" component={Link} to="/logout" preload={false} onClick={onLeave}>
      <LogOut aria-hidden />
      Sign out
    </MenuItem>,
  ];
}
