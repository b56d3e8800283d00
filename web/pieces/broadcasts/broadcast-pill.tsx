import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import { keyframes } from '@mui/material/styles';
import {
  Ban,
  Check,
  CheckCheck,
  Clock,
  Loader,
  type LucideIcon,
  MessageSquareDashed,
  Pause,
} from 'lucide-react';
import { awaitingWords, type BroadcastLabel } from '../../../contract/states/broadcast-status.ts';
import { say } from '../../ui/say.ts';

const looks: Record<BroadcastLabel, { icon?: LucideIcon; ink: string; tint: string }> = {
  Scheduled: { icon: Clock, ink: 'tint.accentInk', tint: 'tint.accent' },
  'Needs Message': { icon: MessageSquareDashed, ink: 'warning.main', tint: 'tint.warning' },
  Processing: { icon: Loader, ink: 'tint.neutralInk', tint: 'tint.neutral' },
  // The dot that pulses is its own.
  Broadcasting: { ink: 'tint.accentInk', tint: 'tint.accent' },
  Paused: { icon: Pause, ink: 'warning.main', tint: 'tint.warning' },
  Sent: { icon: Check, ink: 'tint.accentInk', tint: 'tint.accent' },
  Completed: { icon: CheckCheck, ink: 'success.main', tint: 'tint.success' },
  Canceled: { icon: Ban, ink: 'tint.neutralInk', tint: 'tint.neutral' },
};

const labelWords: Record<BroadcastLabel, string> = {
  Scheduled: say('Scheduled', 'broadcast'),
  'Needs Message': say('Needs Message', 'broadcast'),
  Processing: say('Processing', 'broadcast'),
  Broadcasting: say('Broadcasting', 'broadcast'),
  Paused: say('Paused', 'broadcast'),
  Sent: say('Sent', 'broadcast'),
  Completed: say('Completed', 'broadcast'),
  Canceled: say('Canceled', 'broadcast'),
};

const pulse = keyframes({ '0%, 100%': { opacity: 1 }, '50%': { opacity: 0.35 } });

interface BroadcastPillProps {
  label: BroadcastLabel;
  /** Texts that carriers haven't reported on yet: "Sent, 195 awaiting delivery". */
  awaiting?: number;
}

/** The status of a broadcast, in the specification's word. */
export function BroadcastPill({ label, awaiting = 0 }: BroadcastPillProps) {
  const { icon: Icon, ink, tint } = looks[label];
  return (
    <Chip
      icon={Icon ? <Icon size={13} strokeWidth={2} aria-hidden /> : <Dot />}
      label={label === 'Sent' && awaiting > 0 ? awaitingWords(awaiting) : labelWords[label]}
      sx={{ color: ink, bgcolor: tint, flex: 'none', fontWeight: 550 }}
    />
  );
}

function Dot() {
  return (
    <Box
      component="span"
      aria-hidden
      sx={{
        width: 7,
        height: 7,
        borderRadius: '50%',
        bgcolor: 'primary.main',
        ml: '9px !important',
        mr: '-2px !important',
        animation: `${pulse} 2s infinite`,
      }}
    />
  );
}
