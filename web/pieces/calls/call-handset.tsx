import Box from '@mui/material/Box';
import { Grip, MicOff, PhoneOff, Volume2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatLength } from '../audio/audio-words.ts';
import { Waveform } from '../audio/waveform.tsx';
import { HandsetFrame } from '../texts/handset.tsx';
import { captionAt } from './captions.ts';

interface CallHandsetProps {
  organization: string;
  callerId: string;
  time: string;
  /** The typed words, shown as captions; undefined for a recording. */
  text?: string | undefined;
  peaks: ArrayLike<number> | undefined;
  length: number;
  /** Seconds of it that have been played. */
  seconds: number;
  /** The keys and what they do, below the captions. */
  keys: readonly { key: string; words: string }[];
}

/** The colors of a call are the same in light and dark mode, as on a telephone. */
const screen = {
  background: 'radial-gradient(120% 90% at 50% 0%, #1C6A62, #0D3B37 46%, #061A18)',
  color: '#F3F6F5',
};
const waveColors = { played: '#5EEAD4', rest: '#4C7A75' };
const faint = 'rgba(255,255,255,.72)';

/** A telephone in a call that plays the message. */
export function CallHandset(props: CallHandsetProps) {
  const { organization, callerId, time, text, peaks, length, seconds, keys } = props;
  return (
    <HandsetFrame label="How the call will look on a phone" time={time} screen={screen}>
      <Box sx={{ textAlign: 'center', pt: 2.5, px: 2 }}>
        <Box sx={{ fontSize: 19, lineHeight: '25px', fontWeight: 600 }}>{organization}</Box>
        <Box sx={{ fontSize: 13, lineHeight: '20px', color: faint }}>{callerId}</Box>
        <Box sx={{ fontSize: 14, lineHeight: '22px', fontVariantNumeric: 'tabular-nums' }}>
          {formatLength(seconds)}
        </Box>
      </Box>
      <Box sx={{ px: 3.5, pt: 1.5, height: 60 }}>
        {peaks && peaks.length > 0 && (
          <Waveform
            peaks={peaks}
            height={44}
            played={length > 0 ? seconds / length : 0}
            colors={waveColors}
          />
        )}
      </Box>
      <Box sx={{ flex: 1, minHeight: 0, px: 2, pt: 1.5, overflow: 'hidden' }}>
        {text !== undefined ? (
          <Captions text={text} seconds={seconds} length={length} lines={keys.length > 1 ? 4 : 6} />
        ) : (
          peaks && <Box sx={{ textAlign: 'center', fontSize: 12, color: faint }}>Recording, no captions</Box>
        )}
        <Box sx={{ display: 'grid', gap: '6px', pt: 1.5, px: 0.5 }}>
          {keys.map(({ key, words }) => (
            <Box key={key} sx={{ display: 'flex', alignItems: 'center', gap: 1, fontSize: 12, color: faint }}>
              <Box
                sx={{
                  minWidth: 24,
                  height: 24,
                  px: '4px',
                  borderRadius: '12px',
                  display: 'grid',
                  placeItems: 'center',
                  bgcolor: 'rgba(255,255,255,.13)',
                  color: '#F3F6F5',
                  fontWeight: 600,
                }}
              >
                {key}
              </Box>
              <Box sx={{ minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
                {words}
              </Box>
            </Box>
          ))}
        </Box>
      </Box>
      <Box sx={{ flex: 'none', display: 'grid', justifyItems: 'center', gap: 2, pb: 5 }}>
        <Box sx={{ display: 'flex', gap: 3 }}>
          <Round words="mute">
            <MicOff size={20} strokeWidth={1.75} />
          </Round>
          <Round words="keypad">
            <Grip size={20} strokeWidth={1.75} />
          </Round>
          <Round words="speaker">
            <Volume2 size={20} strokeWidth={1.75} />
          </Round>
        </Box>
        <Box
          sx={{
            width: 54,
            height: 54,
            borderRadius: '50%',
            display: 'grid',
            placeItems: 'center',
            bgcolor: '#C2382B',
          }}
        >
          <PhoneOff size={24} strokeWidth={1.75} />
        </Box>
      </Box>
    </HandsetFrame>
  );
}

function Round({ words, children }: { words: string; children: ReactNode }) {
  return (
    <Box sx={{ display: 'grid', justifyItems: 'center', gap: '5px', fontSize: 11, lineHeight: '14px' }}>
      <Box
        sx={{
          width: 50,
          height: 50,
          borderRadius: '50%',
          display: 'grid',
          placeItems: 'center',
          bgcolor: 'rgba(255,255,255,.13)',
        }}
      >
        {children}
      </Box>
      {words}
    </Box>
  );
}

interface CaptionsProps {
  text: string;
  seconds: number;
  length: number;
  /** As many as have room above the keys. */
  lines: number;
}

/** A few sentences around the word that is being said. */
function Captions({ text, seconds, length, lines }: CaptionsProps) {
  const { before, sentence, word, rest, after } = captionAt(text, length > 0 ? seconds / length : 0);
  return (
    <Box
      sx={{
        maxHeight: lines * 19 + 14,
        overflow: 'hidden',
        px: 1.5,
        py: 1.25,
        borderRadius: '14px',
        bgcolor: 'rgba(255,255,255,.12)',
        fontSize: 13.5,
        lineHeight: '19px',
        color: 'rgba(255,255,255,.66)',
        overflowWrap: 'anywhere',
      }}
    >
      {before}
      <Box component="span" sx={{ color: '#FFFFFF', fontWeight: 550 }}>
        {sentence}
        {word !== '' && (
          <Box
            component="span"
            sx={{ bgcolor: '#2DD4BF', color: '#06211E', borderRadius: '4px', px: '2px', mx: '-2px' }}
          >
            {word}
          </Box>
        )}
        {rest}
      </Box>
      {after}
    </Box>
  );
}
