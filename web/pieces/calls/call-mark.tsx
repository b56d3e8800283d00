import Box from '@mui/material/Box';
import Tooltip from '@mui/material/Tooltip';
import {
  CircleSlash,
  Clock,
  type LucideIcon,
  Phone,
  PhoneCall,
  PhoneForwarded,
  PhoneMissed,
  PhoneOff,
  TriangleAlert,
  Voicemail,
} from 'lucide-react';
import {
  type CallResultCode,
  callResults,
  isCallResultCode,
} from '../../../contract/delivery/call-result.ts';
import { useTimeZone } from '../../queries/current-user.ts';
import { formatAbsolute } from '../../ui/format.ts';

/** A call's own states besides its results: it was begun and isn't over, or somebody was connected. */
const underWay = {
  in_progress: {
    label: 'In progress',
    tooltip: 'We’re calling this number now, or we wait a few minutes to call it again.',
  },
  transferred: { label: 'Live Answer', tooltip: 'A person answered, pressed 0 and was connected.' },
} as const;

type Shown = CallResultCode | keyof typeof underWay;

const quiet = { glyph: 'ink.three', word: 'text.secondary' };
const good = { glyph: 'success.main', word: 'text.secondary' };
const warned = { glyph: 'warning.main', word: 'warning.main' };
const failed = { glyph: 'error.main', word: 'error.main' };

const looks: Record<Shown, { icon: LucideIcon; glyph: string; word: string }> = {
  live_answer: { icon: Phone, ...good },
  transferred: { icon: PhoneForwarded, ...good },
  voicemail: { icon: Voicemail, ...good },
  in_progress: { icon: PhoneCall, glyph: 'primary.main', word: 'text.secondary' },
  not_yet_called: { icon: Clock, ...quiet },
  busy: { icon: PhoneOff, ...warned },
  no_answer: { icon: PhoneMissed, ...warned },
  invalid: { icon: TriangleAlert, ...failed },
  call_failed: { icon: TriangleAlert, ...failed },
  message_rejected: { icon: TriangleAlert, ...failed },
  do_not_call: { icon: CircleSlash, ...warned },
  canceled: { icon: CircleSlash, ...warned },
  expired: { icon: CircleSlash, ...warned },
};

function isShown(result: string): result is Shown {
  return isCallResultCode(result) || Object.hasOwn(underWay, result);
}

interface CallMarkProps {
  /** A code of contract/delivery/call-result.ts, or one of a call under way. Others show nothing. */
  result: string;
  at?: string | null;
}

/** The result of a call: icon, the spec's word, and an explanation on hover or focus. */
export function CallMark({ result, at }: CallMarkProps) {
  const zone = useTimeZone();
  if (!isShown(result)) return null;
  const { label, tooltip } = isCallResultCode(result) ? callResults[result] : underWay[result];
  const { icon: Icon, glyph, word } = looks[result];
  return (
    <Tooltip describeChild title={at ? `${tooltip} ${formatAbsolute(at, zone)}.` : tooltip}>
      <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: '6px', color: word }}>
        <Box component="span" sx={{ display: 'inline-flex', color: glyph }}>
          <Icon size={15} strokeWidth={2} aria-hidden />
        </Box>
        {label}
      </Box>
    </Tooltip>
  );
}
