import Chip from '@mui/material/Chip';
import { Ban, CheckCheck, Clock, Hourglass, type LucideIcon, TriangleAlert } from 'lucide-react';
import { say } from '../ui/say.ts';
import type { ScheduledState } from './scheduled-words.ts';

const looks: Record<ScheduledState, { word: string; icon: LucideIcon; ink: string; tint: string }> = {
  Scheduled: { word: say('Scheduled'), icon: Clock, ink: 'tint.accentInk', tint: 'tint.accent' },
  Due: { word: 'Due now', icon: Hourglass, ink: 'tint.accentInk', tint: 'tint.accent' },
  Sent: { word: say('Sent'), icon: CheckCheck, ink: 'success.main', tint: 'tint.success' },
  Canceled: { word: say('Canceled'), icon: Ban, ink: 'tint.neutralInk', tint: 'tint.neutral' },
  Failed: { word: say('Failed'), icon: TriangleAlert, ink: 'error.main', tint: 'tint.error' },
};

export function StateChip({ state }: { state: ScheduledState }) {
  const { word, icon: Icon, ink, tint } = looks[state];
  return (
    <Chip
      icon={<Icon size={13} strokeWidth={2} aria-hidden />}
      label={word}
      sx={{ color: ink, bgcolor: tint, flex: 'none' }}
    />
  );
}
