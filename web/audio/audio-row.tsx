import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Tooltip from '@mui/material/Tooltip';
import { Download, Ellipsis, Pencil, Star, Trash2, TriangleAlert, Users } from 'lucide-react';
import { memo } from 'react';
import type { Audio } from '../../contract/audio.ts';
import { PlayButton, WaveSlider } from '../pieces/audio/audio-player.tsx';
import { audioTypeNames, formatLength, lengthWords } from '../pieces/audio/audio-words.ts';
import { usePlayer } from '../pieces/audio/player.ts';
import { usedWords } from '../pieces/library/used-words.ts';
import { useTimeZone } from '../queries/current-user.ts';
import type { SelectionState } from '../queries/selection.ts';
import { Avatar } from '../ui/avatar.tsx';
import { useNow } from '../ui/now.ts';
import { useMenu } from '../ui/use-menu.ts';
import type { AudioActions } from './audio-actions.ts';

interface AudioRowProps {
  audio: Audio;
  selection: SelectionState<number>;
  actions: AudioActions;
  onEdit: (audio: Audio) => void;
}

const oneLine = { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;

/** A row of the table. */
export function AudioRow({ audio, selection, actions, onEdit }: AudioRowProps) {
  const player = usePlayer(`audio-${audio.AudioID}`, audio.PlayUri);
  const now = useNow();
  const zone = useTimeZone();
  const isTicked = selection.isSelected(audio.AudioID);
  const cell = { px: '10px', borderBottom: '1px solid', borderColor: 'line.hair', ...oneLine } as const;
  return (
    <Box
      component="tr"
      aria-selected={isTicked}
      sx={{
        height: 50,
        color: 'text.secondary',
        bgcolor: isTicked ? 'surface.selected' : 'transparent',
        '&:hover': { bgcolor: isTicked ? 'surface.selected' : 'surface.sunken' },
      }}
    >
      <Box component="td" sx={{ ...cell, p: 0, pl: '8px', textAlign: 'center' }}>
        <Checkbox
          checked={isTicked}
          onChange={() => selection.toggle(audio.AudioID)}
          slotProps={{ input: { 'aria-label': `Select ${audio.Name}` } }}
        />
      </Box>
      <Box component="td" sx={{ ...cell, px: '4px' }}>
        <PlayButton name={audio.Name} isPlaying={player.isPlaying} onToggle={player.toggle} />
      </Box>
      <Box component="td" sx={cell}>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: '6px', minWidth: 0 }}>
          <StarButton audio={audio} onToggle={actions.toggleStar} />
          <Tooltip describeChild title={audio.Text ?? ''}>
            <Box component="span" sx={{ ...oneLine, fontWeight: 520, color: 'text.primary' }}>
              {audio.Name}
            </Box>
          </Tooltip>
          <Marks audio={audio} />
        </Box>
        {player.isFailed && (
          <Box role="alert" sx={{ typography: 'caption', color: 'error.main' }}>
            This recording can’t be played.
          </Box>
        )}
      </Box>
      <Box component="td" sx={{ ...cell, display: { xs: 'none', lg: 'table-cell' } }}>
        <WaveSlider
          name={audio.Name}
          peaks={audio.Peaks}
          length={audio.Length}
          seconds={player.seconds}
          height={26}
          onSeek={player.seek}
        />
      </Box>
      <Box component="td" sx={{ ...cell, fontVariantNumeric: 'tabular-nums' }}>
        <Length audio={audio} seconds={player.isCurrent ? player.seconds : 0} />
      </Box>
      <Box component="td" sx={cell}>
        {audioTypeNames[audio.AudioType]}
      </Box>
      <Box component="td" sx={{ ...cell, display: { xs: 'none', md: 'table-cell' } }}>
        {usedWords(audio, now, zone)}
      </Box>
      <Box component="td" sx={{ ...cell, display: { xs: 'none', laptop: 'table-cell' } }}>
        <Tooltip describeChild title={audio.AddedBy}>
          <Box
            component="span"
            sx={{ display: 'inline-flex', alignItems: 'center', gap: 1, maxWidth: '100%' }}
          >
            <Avatar name={audio.AddedBy} size={18} />
            <Box component="span" sx={oneLine}>
              {audio.AddedBy.split(' ')[0]}
            </Box>
          </Box>
        </Tooltip>
      </Box>
      <Box component="td" sx={{ ...cell, px: '8px' }}>
        <RowMenu audio={audio} actions={actions} onEdit={onEdit} />
      </Box>
    </Box>
  );
}

/** The row on a phone: play, name, length, type and star. */
export function AudioCard({ audio, selection, actions, onEdit }: AudioRowProps) {
  const player = usePlayer(`audio-${audio.AudioID}`, audio.PlayUri);
  const isTicked = selection.isSelected(audio.AudioID);
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: '10px',
        minHeight: 60,
        pl: 1,
        pr: 1,
        borderBottom: '1px solid',
        borderColor: 'line.hair',
        bgcolor: isTicked ? 'surface.selected' : 'transparent',
      }}
    >
      <Checkbox
        checked={isTicked}
        onChange={() => selection.toggle(audio.AudioID)}
        slotProps={{ input: { 'aria-label': `Select ${audio.Name}` } }}
      />
      <PlayButton name={audio.Name} isPlaying={player.isPlaying} onToggle={player.toggle} size={36} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ ...oneLine, fontWeight: 520 }}>{audio.Name}</Box>
        <Box
          sx={{
            display: 'flex',
            alignItems: 'center',
            gap: '6px',
            typography: 'body2',
            color: 'text.secondary',
          }}
        >
          <Length audio={audio} seconds={player.isCurrent ? player.seconds : 0} />
          <span aria-hidden>·</span>
          <Box component="span" sx={oneLine}>
            {audioTypeNames[audio.AudioType]}
          </Box>
          {audio.Shared && <Users size={13} strokeWidth={2} role="img" aria-label="Shared" />}
        </Box>
        {player.isFailed && (
          <Box role="alert" sx={{ typography: 'caption', color: 'error.main' }}>
            This recording can’t be played.
          </Box>
        )}
      </Box>
      <StarButton audio={audio} onToggle={actions.toggleStar} />
      <RowMenu audio={audio} actions={actions} onEdit={onEdit} />
    </Box>
  );
}

/** The length; during playback, the position. */
function Length({ audio, seconds }: { audio: Audio; seconds: number }) {
  const isRunning = seconds > 0;
  return (
    <Box
      component="span"
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: '5px',
        fontVariantNumeric: 'tabular-nums',
        color: isRunning ? 'primary.main' : audio.Problem ? 'warning.main' : 'inherit',
        fontWeight: isRunning ? 550 : 400,
      }}
    >
      <span title={lengthWords(audio.Length)}>{formatLength(isRunning ? seconds : audio.Length)}</span>
      {audio.Problem && (
        <Tooltip title={audio.Problem}>
          <TriangleAlert size={14} strokeWidth={2} role="img" aria-label={audio.Problem} />
        </Tooltip>
      )}
    </Box>
  );
}

function Marks({ audio }: { audio: Audio }) {
  return (
    <>
      {audio.Shared && (
        <Chip icon={<Users size={13} strokeWidth={2} aria-hidden />} label="Shared" sx={{ flex: 'none' }} />
      )}
      {audio.ReadOnly && (
        <Tooltip describeChild title="It belongs to someone else. You can use it but not change it.">
          <Chip label="Read-only" variant="outlined" sx={{ flex: 'none' }} />
        </Tooltip>
      )}
    </>
  );
}

const StarButton = memo(function StarButton({
  audio,
  onToggle,
}: {
  audio: Audio;
  onToggle: (audio: Audio) => Promise<void>;
}) {
  return (
    <IconButton
      size="small"
      aria-label={`Star ${audio.Name}`}
      aria-pressed={audio.Favorite}
      onClick={() => void onToggle(audio)}
      sx={{
        color: audio.Favorite ? 'primary.main' : 'ink.three',
        '&&': { bgcolor: 'transparent' },
        flex: 'none',
      }}
    >
      <Star fill={audio.Favorite ? 'currentColor' : 'none'} />
    </IconButton>
  );
});

function RowMenu({ audio, actions, onEdit }: Omit<AudioRowProps, 'selection'>) {
  const menu = useMenu();
  const only = { Type: 'Selected' as const, Items: [audio.AudioID] };
  return (
    <>
      <IconButton aria-label={`More actions for ${audio.Name}`} {...menu.buttonProps}>
        <Ellipsis />
      </IconButton>
      <Menu {...menu.menuProps}>
        {!audio.ReadOnly && (
          <MenuItem onClick={menu.choose(() => onEdit(audio))}>
            <Pencil aria-hidden />
            Rename
          </MenuItem>
        )}
        {!audio.ReadOnly && (
          <MenuItem onClick={menu.choose(() => void actions.share(only, !audio.Shared))}>
            <Users aria-hidden />
            {audio.Shared ? 'Stop sharing' : 'Share with your team'}
          </MenuItem>
        )}
        <MenuItem onClick={menu.choose(() => actions.download(audio))}>
          <Download aria-hidden />
          Download as mp3
        </MenuItem>
        {!audio.ReadOnly && (
          <MenuItem
            onClick={menu.choose(() => void actions.delete(only, audio.Name))}
            sx={{ color: 'error.main', '& svg': { color: 'inherit' } }}
          >
            <Trash2 aria-hidden />
            Delete
          </MenuItem>
        )}
      </Menu>
    </>
  );
}
