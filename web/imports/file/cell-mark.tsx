import Box from '@mui/material/Box';
import Tooltip from '@mui/material/Tooltip';
import { CircleAlert, Copy, type LucideIcon, UserCheck, WandSparkles } from 'lucide-react';
import { say } from '../../ui/say.ts';

/** The marks that a phone of the file can have. */
export type Remark = 'repaired' | 'duplicate' | 'existing' | 'wrong';

export const remarks: Record<Remark, { icon: LucideIcon; color: string; tint: string; word: string }> = {
  repaired: { icon: WandSparkles, color: 'primary.main', tint: 'transparent', word: say('Repaired') },
  duplicate: { icon: Copy, color: 'warning.main', tint: 'tint.warning', word: 'Duplicate in the file' },
  existing: { icon: UserCheck, color: 'ink.two', tint: 'transparent', word: 'Already in your contacts' },
  wrong: { icon: CircleAlert, color: 'error.main', tint: 'tint.error', word: 'Left out' },
};

/** The style of a marked cell. */
export function cellTint(remark: Remark | undefined) {
  const look = remark && remarks[remark];
  return look && look.tint !== 'transparent' ? { '&&': { bgcolor: look.tint }, color: look.color } : {};
}

/** An icon with a word for screen readers, and its meaning here on hover. */
export function CellMark({ remark, note }: { remark: Remark; note: string }) {
  const { icon: Icon, color, word } = remarks[remark];
  return (
    <Tooltip describeChild title={note}>
      <Box component="span" sx={{ display: 'inline-flex', flex: 'none', color: color }}>
        <Icon size={14} strokeWidth={2} role="img" aria-label={word} />
      </Box>
    </Tooltip>
  );
}

/** A legend of the icons that occur. */
export function Legend({ shown }: { shown: readonly Remark[] }) {
  return shown.map((remark) => {
    const { icon: Icon, color, word } = remarks[remark];
    return (
      <Box
        component="span"
        key={remark}
        sx={{ display: 'inline-flex', alignItems: 'center', gap: '7px', whiteSpace: 'nowrap' }}
      >
        <Box component={Icon} size={14} strokeWidth={2} aria-hidden sx={{ color: color }} />
        {word}
      </Box>
    );
  });
}
