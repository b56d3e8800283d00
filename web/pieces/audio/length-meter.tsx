import Box from '@mui/material/Box';
import { voiceUnitSeconds, voiceUnits } from '../../../contract/money/units.ts';
import { AUDIO_MAX_SECONDS } from '../../../contract/uploads/audio.ts';
import { countOf } from '../../ui/format.ts';
import { formatLength } from './audio-words.ts';

const cells = AUDIO_MAX_SECONDS / voiceUnitSeconds;

interface LengthMeterProps {
  seconds: number;
  /** The label on the left below the cells. */
  words?: string;
}

/** Four cells of thirty seconds each: the length of a message, and the cost of a call with it. */
export function LengthMeter({ seconds, words }: LengthMeterProps) {
  const credits = voiceUnits(seconds);
  const isOver = seconds > AUDIO_MAX_SECONDS;
  const cost = `${countOf(credits, 'credit', 'credits')} per call`;
  return (
    <Box>
      <Box
        role="img"
        aria-label={`${formatLength(seconds)} of ${formatLength(AUDIO_MAX_SECONDS)}, ${cost}`}
        sx={{ display: 'flex', gap: '4px' }}
      >
        {Array.from({ length: cells }, (_, n) => {
          const part = Math.max(0, Math.min(1, seconds / voiceUnitSeconds - n));
          return (
            <Box
              // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
              key={n}
              sx={{ flex: 1, height: 6, borderRadius: '3px', bgcolor: 'surface.track', overflow: 'hidden' }}
            >
              <Box
                sx={{
                  width: `${part * 100}%`,
                  height: '100%',
                  bgcolor: isOver ? 'chart.warn' : 'primary.main',
                }}
              />
            </Box>
          );
        })}
      </Box>
      <Box
        sx={{
          display: 'flex',
          justifyContent: 'space-between',
          gap: 1,
          mt: 1,
          typography: 'body2',
          color: 'text.secondary',
          fontVariantNumeric: 'tabular-nums',
        }}
      >
        <span>{words ?? formatLength(seconds)}</span>
        <Box component="span" sx={{ color: isOver ? 'warning.main' : 'text.primary', fontWeight: 550 }}>
          {seconds > 0 ? cost : ''}
        </Box>
      </Box>
    </Box>
  );
}
