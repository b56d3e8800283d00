import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Slider from '@mui/material/Slider';
import { Pause, Play } from 'lucide-react';
import { memo } from 'react';
import { formatLength, lengthWords } from './audio-words.ts';
import { usePlayer } from './player.ts';
import { Waveform } from './waveform.tsx';

interface PlayButtonProps {
  name: string;
  isPlaying: boolean;
  onToggle: () => void;
  size?: number;
}

/** Round; filled while it plays. */
export function PlayButton({ name, isPlaying, onToggle, size = 32 }: PlayButtonProps) {
  const Icon = isPlaying ? Pause : Play;
  return (
    <ButtonBase
      aria-label={`${isPlaying ? 'Pause' : 'Play'} ${name}`}
      onClick={onToggle}
      sx={{
        width: size,
        height: size,
        flex: 'none',
        borderRadius: '50%',
        border: '1px solid',
        borderColor: isPlaying ? 'primary.main' : 'line.strong',
        bgcolor: isPlaying ? 'primary.main' : 'surface.raised',
        color: isPlaying ? 'primary.contrastText' : 'text.primary',
        '&:hover': { bgcolor: isPlaying ? 'primary.dark' : 'surface.hover' },
        '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: '2px' },
        '& svg': isPlaying ? {} : { ml: '2px' },
      }}
    >
      <Icon size={Math.round(size * 0.44)} strokeWidth={1.75} aria-hidden />
    </ButtonBase>
  );
}

interface WaveSliderProps {
  name: string;
  peaks: ArrayLike<number>;
  length: number;
  seconds: number;
  height: number;
  silentBefore?: number;
  silentAfter?: number;
  isReview?: boolean;
  onSeek: (seconds: number) => void;
}

/** The waveform, and over it a slider that nobody sees: it carries the keyboard and the name. */
export function WaveSlider(props: WaveSliderProps) {
  const {
    name,
    peaks,
    length,
    seconds,
    height,
    silentBefore = 0,
    silentAfter = 0,
    isReview = false,
    onSeek,
  } = props;
  return (
    <Box
      sx={{
        position: 'relative',
        flex: 1,
        minWidth: 0,
        borderRadius: '4px',
        '&:has(:focus-visible)': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: '2px' },
      }}
    >
      <Waveform
        peaks={peaks}
        height={height}
        played={length > 0 ? seconds / length : 0}
        silentBefore={length > 0 ? silentBefore / length : 0}
        silentAfter={length > 0 ? silentAfter / length : 0}
        isReview={isReview}
      />
      <Slider
        aria-label={`Position in ${name}`}
        getAriaValueText={(value) => `${lengthWords(value)} of ${lengthWords(length)}`}
        value={Math.min(seconds, length)}
        min={0}
        max={Math.max(length, 0.1)}
        step={0.1}
        shiftStep={5}
        onChange={(_, value) => onSeek(Array.isArray(value) ? (value[0] ?? 0) : value)}
        sx={{
          position: 'absolute',
          inset: 0,
          width: '100%',
          height: '100%',
          p: '0 !important',
          '& .MuiSlider-rail, & .MuiSlider-track': { opacity: 0 },
          '& .MuiSlider-thumb': { opacity: 0, width: 2, height },
        }}
      />
    </Box>
  );
}

interface AudioPlayerProps {
  /** The message's name, for assistive technology: "Late start". */
  name: string;
  /** Tells messages apart. */
  playerKey: string;
  source: string;
  peaks: ArrayLike<number>;
  length: number;
  height?: number;
  silentBefore?: number;
  silentAfter?: number;
  isReview?: boolean;
}

/** Button, waveform and time. */
export const AudioPlayer = memo(function AudioPlayer(props: AudioPlayerProps) {
  const { name, playerKey, source, peaks, length, height = 40, ...look } = props;
  const player = usePlayer(playerKey, source);
  return (
    <Box>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5 }}>
        <PlayButton name={name} isPlaying={player.isPlaying} onToggle={player.toggle} size={36} />
        <WaveSlider
          name={name}
          peaks={peaks}
          length={length}
          seconds={player.seconds}
          height={height}
          onSeek={player.seek}
          {...look}
        />
        <Box
          sx={{
            typography: 'body2',
            fontVariantNumeric: 'tabular-nums',
            color: player.isCurrent ? 'primary.main' : 'text.secondary',
            minWidth: 34,
            textAlign: 'right',
          }}
        >
          {formatLength(player.isCurrent && player.seconds > 0 ? player.seconds : length)}
        </Box>
      </Box>
      {player.isFailed && (
        <Box role="alert" sx={{ mt: 1, typography: 'body2', color: 'error.main' }}>
          This recording can’t be played. Check your connection and try again.
        </Box>
      )}
    </Box>
  );
});
