import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import IconButton from '@mui/material/IconButton';
import Popover from '@mui/material/Popover';
import Tooltip from '@mui/material/Tooltip';
import { Smile } from 'lucide-react';
import { useMenu } from '../../../ui/use-menu.ts';

/** What offices send. Any other can be typed or pasted. */
const emoji = [
  ['😀', 'Grin'],
  ['😊', 'Smile'],
  ['😂', 'Laugh'],
  ['😍', 'Love it'],
  ['😎', 'Cool'],
  ['🤔', 'Thinking'],
  ['😢', 'Sad'],
  ['👋', 'Wave'],
  ['👍', 'Thumbs up'],
  ['👏', 'Clap'],
  ['🙏', 'Thank you'],
  ['💪', 'Strong'],
  ['❤️', 'Heart'],
  ['⭐', 'Star'],
  ['✅', 'Check'],
  ['❗', 'Exclamation mark'],
  ['⚠️', 'Warning'],
  ['📣', 'Megaphone'],
  ['📅', 'Calendar'],
  ['⏰', 'Alarm clock'],
  ['📍', 'Place'],
  ['📷', 'Camera'],
  ['📚', 'Books'],
  ['🎒', 'Backpack'],
  ['🏫', 'School'],
  ['🚌', 'Bus'],
  ['⚽', 'Ball'],
  ['🎵', 'Music'],
  ['🎉', 'Party'],
  ['🎂', 'Cake'],
  ['☀️', 'Sun'],
  ['❄️', 'Snow'],
] as const;

/** A small drawer of emoji; each is put in at the caret. */
export function EmojiButton({ onInsert }: { onInsert: (emoji: string) => void }) {
  const { choose, buttonProps, menuProps } = useMenu('dialog');
  return (
    <>
      <Tooltip title="Emoji">
        <IconButton size="small" aria-label="Emoji" {...buttonProps}>
          <Smile />
        </IconButton>
      </Tooltip>
      <Popover
        {...menuProps}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': 'Emoji' } }}
      >
        <Box sx={{ display: 'grid', gridTemplateColumns: 'repeat(8, 34px)', p: 1 }}>
          {emoji.map(([character, name]) => (
            <ButtonBase
              key={character}
              aria-label={name}
              onClick={choose(() => onInsert(character))}
              sx={{
                height: 34,
                fontSize: 20,
                borderRadius: '8px',
                '&:hover, &:focus-visible': { bgcolor: 'surface.hover' },
              }}
            >
              {character}
            </ButtonBase>
          ))}
        </Box>
      </Popover>
    </>
  );
}
