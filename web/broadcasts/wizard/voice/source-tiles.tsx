import Box from '@mui/material/Box';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Tooltip from '@mui/material/Tooltip';
import { AudioLines, BookMarked, type LucideIcon, Mic, PhoneIncoming, Upload } from 'lucide-react';
import { say } from '../../../ui/say.ts';

/** The source of a message. */
export type VoiceSource = 'record' | 'type' | 'library' | 'upload' | 'call in';

const sources: { value: VoiceSource; icon: LucideIcon; word: string; long: string }[] = [
  { value: 'record', icon: Mic, word: say('Record'), long: 'Record with your microphone' },
  { value: 'type', icon: AudioLines, word: say('Type', 'button'), long: 'Text to speech' },
  { value: 'library', icon: BookMarked, word: say('Library'), long: 'Choose from your audio library' },
  { value: 'upload', icon: Upload, word: say('Upload'), long: 'Upload an MP3 or WAV file' },
  { value: 'call in', icon: PhoneIncoming, word: 'Call in', long: 'Record by phone, also after you send it' },
];

interface SourceTilesProps {
  label: string;
  value: VoiceSource | undefined;
  /** Reason why a message can't be recorded by phone; undefined where it can. */
  noCallIn: string | undefined;
  isDisabled?: boolean;
  onChange: (source: VoiceSource) => void;
}

/** Five ways to make a message. */
export function SourceTiles({ label, value, noCallIn, isDisabled = false, onChange }: SourceTilesProps) {
  return (
    <ToggleButtonGroup
      exclusive
      aria-label={label}
      value={value ?? null}
      onChange={(_, next: VoiceSource | null) => onChange(next ?? value ?? 'record')}
      sx={{
        display: 'grid',
        gridTemplateColumns: 'repeat(5, minmax(0, 1fr))',
        gap: '6px',
        p: 0,
        bgcolor: 'transparent',
        '& .MuiToggleButton-root': {
          height: 58,
          m: 0,
          px: 0,
          flexDirection: 'column',
          gap: '5px',
          border: '1px solid',
          borderColor: 'line.strong',
          borderRadius: '8px !important',
          fontSize: 12,
          lineHeight: '16px',
          fontWeight: 500,
          color: 'text.primary',
          width: '100%',
        },
        '& .MuiToggleButton-root.Mui-selected': {
          borderColor: 'primary.main',
          boxShadow: (theme) => `inset 0 0 0 1px ${theme.vars.palette.primary.main}`,
          bgcolor: 'tint.accent',
          color: 'primary.dark',
          fontWeight: 600,
        },
      }}
    >
      {sources.map(({ value: each, icon: Icon, word, long }) => {
        const refusal = each === 'call in' ? noCallIn : undefined;
        return (
          <Tooltip key={each} title={refusal ?? long}>
            {/* A disabled button shows no tooltip of its own. */}
            <Box component="span" sx={{ minWidth: 0 }}>
              <ToggleButton
                value={each}
                selected={each === value}
                disabled={isDisabled || refusal !== undefined}
                aria-label={word}
                onClick={() => onChange(each)}
              >
                <Icon size={18} strokeWidth={1.75} aria-hidden />
                {word}
              </ToggleButton>
            </Box>
          </Tooltip>
        );
      })}
    </ToggleButtonGroup>
  );
}
