import Box from '@mui/material/Box';
import Tooltip from '@mui/material/Tooltip';
import {
  Ban,
  Check,
  CheckCheck,
  CircleQuestionMark,
  Clock,
  type LucideIcon,
  TriangleAlert,
} from 'lucide-react';
import { type DeliveryKind, isTextStatusCode, textStatuses } from '../../../contract/delivery/text-status.ts';
import { useTimeZone } from '../../queries/current-user.ts';
import { formatAbsolute } from '../../ui/format.ts';

const glyphs: Record<DeliveryKind, LucideIcon> = {
  waiting: Clock,
  'with-carrier': Check,
  good: CheckCheck,
  bad: TriangleAlert,
  unknown: CircleQuestionMark,
};

/** Good statuses color only the icon, bad ones the icon and the word, so that problems stand out in a long list. */
const colors: Record<DeliveryKind, { glyph: string; word: string }> = {
  waiting: { glyph: 'ink.three', word: 'text.secondary' },
  'with-carrier': { glyph: 'ink.three', word: 'text.secondary' },
  good: { glyph: 'success.main', word: 'text.secondary' },
  bad: { glyph: 'error.main', word: 'error.main' },
  unknown: { glyph: 'warning.main', word: 'text.secondary' },
};

const optedOut = { glyph: 'warning.main', word: 'warning.main' };

export interface StatusMarkProps {
  /** A code from contract/delivery/text-status.ts. Others (`received`) show nothing. */
  status: string;
  /** Time when the status was reached; shown in the tooltip. */
  at?: string | null;
  size?: 13 | 14 | 15;
  /** Only the icon, for narrow rows. Screen readers still get the word. */
  isGlyphOnly?: boolean;
}

/** A text's delivery status: icon, the spec's word, and an explanation on hover or focus. */
export function StatusMark({ status, at, size = 14, isGlyphOnly = false }: StatusMarkProps) {
  const zone = useTimeZone();
  if (!isTextStatusCode(status)) return null;
  const { label, tooltip, kind } = textStatuses[status];
  const Glyph = status === 'opted_out' ? Ban : glyphs[kind];
  // An opt-out is the person's choice and nobody's mistake: amber, not red.
  const color = status === 'opted_out' ? optedOut : colors[kind];
  return (
    <Tooltip describeChild title={at ? `${tooltip} ${formatAbsolute(at, zone)}.` : tooltip}>
      <Box
        component="span"
        sx={{
          display: 'inline-flex',
          alignItems: 'center',
          gap: '6px',
          color: color.word,
          verticalAlign: 'bottom',
        }}
      >
        <Box component="span" sx={{ display: 'inline-flex', color: color.glyph }}>
          {isGlyphOnly ? (
            <Glyph size={size} strokeWidth={2} role="img" aria-label={label} />
          ) : (
            <Glyph size={size} strokeWidth={2} aria-hidden />
          )}
        </Box>
        {!isGlyphOnly && label}
      </Box>
    </Tooltip>
  );
}
