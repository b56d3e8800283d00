import IconButton from '@mui/material/IconButton';
import { Link } from '@tanstack/react-router';
import { useEmergencyPlace } from './places.ts';

/** The way to an emergency where a phone has no bottom bar. Nothing for users who may not start one. */
export function EmergencyButton() {
  const emergency = useEmergencyPlace();
  if (!emergency) return null;
  const { to, label, icon: Icon } = emergency;
  return (
    <IconButton
      component={Link}
      to={to}
      aria-label={label}
      sx={{ color: 'error.main', flex: 'none', width: 44, height: 44 }}
    >
      <Icon aria-hidden />
    </IconButton>
  );
}
