import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount } from '../../ui/format.ts';
import { Meter } from '../../ui/meter.tsx';
import { SideCard } from './where-card.tsx';

interface ReadyCardProps {
  ready: number;
  /** The noun after the number of those that are ready. */
  words: string;
  duplicates: number;
  wrong: number;
  total: number;
  /** The same for those who don't see the meter. */
  sentence: string;
  /** The issues. */
  children: ReactNode;
}

/** Number of people who can be added, and the issues of the others. */
export function ReadyCard({ ready, words, duplicates, wrong, total, sentence, children }: ReadyCardProps) {
  return (
    <SideCard>
      <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1, mb: 1.25 }}>
        <Typography variant="h4">{formatCount(ready)}</Typography>
        <Typography sx={{ color: 'text.secondary' }}>{words}</Typography>
      </Box>
      <Meter
        height={6}
        total={total}
        sentence={sentence}
        pieces={[
          { key: 'ready', count: ready, color: 'chart.one' },
          { key: 'duplicate', count: duplicates, color: 'chart.warn' },
          { key: 'wrong', count: wrong, color: 'chart.fail' },
        ]}
      />
      <Box sx={{ '& > div + div': { borderTop: '1px solid', borderColor: 'line.hair' }, mb: -1.5 }}>
        {children}
      </Box>
    </SideCard>
  );
}

interface NoticedProps {
  icon: LucideIcon;
  color: string;
  title: string;
  action?: ReactNode;
  children: ReactNode;
}

export function Noticed({ icon, color, title, action, children }: NoticedProps) {
  return (
    <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 1.5, py: 1.75 }}>
      <Box
        component={icon}
        size={18}
        strokeWidth={1.75}
        aria-hidden
        sx={{ color: color, mt: '1px', flex: 'none' }}
      />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography sx={{ fontWeight: 550 }}>{title}</Typography>
        <Typography variant="body2" component="div" sx={{ mt: 0.25, color: 'text.secondary' }}>
          {children}
        </Typography>
      </Box>
      {action}
    </Box>
  );
}
