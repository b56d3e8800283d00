import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import IconButton from '@mui/material/IconButton';
import Popover from '@mui/material/Popover';
import Tooltip from '@mui/material/Tooltip';
import { Smile } from 'lucide-react';
import { say } from '../../../ui/say.ts';
import { useMenu } from '../../../ui/use-menu.ts';

/** The emoji that offices send. Any other can be typed or pasted. */
const emoji = [
  ['😀', say('Grin')],
  ['😊', say('Smile')],
  ['😂', say('Laugh')],
  ['😍', 'Love it'],
  ['😎', say('Cool')],
  ['🤔', say('Thinking')],
  ['😢', say('Sad')],
  ['👋', say('Wave')],
  ['👍', 'Thumbs up'],
  ['👏', say('Clap')],
  ['🙏', 'Thank you'],
  ['💪', say('Strong')],
  ['❤️', say('Heart')],
  ['⭐', say('Star', 'emoji')],
  ['✅', say('Check', 'emoji')],
  ['❗', 'Exclamation mark'],
  ['⚠️', say('Warning')],
  ['📣', say('Megaphone')],
  ['📅', say('Calendar')],
  ['⏰', 'Alarm clock'],
  ['📍', say('Place')],
  ['📷', say('Camera')],
  ['📚', say('Books')],
  ['🎒', say('Backpack')],
  ['🏫', say('School')],
  ['🚌', say('Bus')],
  ['⚽', say('Ball')],
  ['🎵', say('Music')],
  ['🎉', say('Party')],
  ['🎂', say('Cake')],
  ['☀️', say('Sun')],
  ['❄️', say('Snow')],
] as const;

/** A small drawer of emoji; each is inserted at the caret. */
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
