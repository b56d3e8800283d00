import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import IconButton from '@mui/material/IconButton';
import Popover from '@mui/material/Popover';
import Tooltip from '@mui/material/Tooltip';
import { Smile } from 'lucide-react';
import { useState } from 'react';

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
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Tooltip title="Emoji">
        <IconButton
          size="small"
          aria-label="Emoji"
          aria-haspopup="dialog"
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <Smile />
        </IconButton>
      </Tooltip>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': 'Emoji' } }}
      >
        <Box sx={{ display: 'grid', gridTemplateColumns: 'repeat(8, 34px)', p: 1 }}>
          {emoji.map(([character, name]) => (
            <ButtonBase
              key={character}
              aria-label={name}
              onClick={() => {
                setAnchor(null);
                onInsert(character);
              }}
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
