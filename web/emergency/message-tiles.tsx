import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Pencil } from 'lucide-react';
import { useId } from 'react';
import type { EmergencyMessage } from '../../contract/emergencies.ts';
import { limits } from '../../contract/reference/limits.ts';
import { TextField } from '../ui/field.tsx';
import type { Chosen } from './emergency-state.ts';
import { Tile, Tiles } from './tile.tsx';

interface MessageTilesProps {
  messages: readonly EmergencyMessage[];
  chosen: Chosen;
  onChange: (changed: Partial<Chosen>) => void;
}

/** Chooses the message: a prepared one, unchanged or edited, or custom words. */
export function MessageTiles({ messages, chosen, onChange }: MessageTilesProps) {
  const id = useId();
  const message = messages.find(({ EmergencyMessageID }) => EmergencyMessageID === chosen.messageId);
  const isOwn = chosen.messageId === null;
  return (
    <Box component="section" aria-labelledby={id} sx={{ display: 'grid', gap: 1.25 }}>
      <Typography variant="h2" id={id}>
        What happened?
      </Typography>
      <Tiles role="radiogroup" aria-labelledby={id}>
        {messages.map(({ EmergencyMessageID, Title }) => (
          <Tile
            key={EmergencyMessageID}
            role="radio"
            title={Title}
            isChosen={chosen.messageId === EmergencyMessageID}
            onPress={() => onChange({ messageId: EmergencyMessageID, text: undefined })}
          />
        ))}
        <Tile
          role="radio"
          title={messages.length === 0 ? 'Write a message' : 'Something else'}
          isChosen={isOwn}
          onPress={() => onChange({ messageId: null, text: isOwn ? chosen.text : '' })}
        />
      </Tiles>
      {message && chosen.text === undefined && (
        <Box
          sx={{
            px: 1.75,
            py: 1.25,
            borderRadius: '12px',
            bgcolor: 'surface.sunken',
            display: 'flex',
            alignItems: 'flex-start',
            gap: 1,
          }}
        >
          <Typography sx={{ flex: 1, minWidth: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {message.TextMessage}
          </Typography>
          <Button
            startIcon={<Pencil aria-hidden />}
            sx={{ minHeight: 44, flex: 'none' }}
            onClick={() => onChange({ text: message.TextMessage })}
          >
            Edit
          </Button>
        </Box>
      )}
      {chosen.text !== undefined && (
        <TextField
          label="Message"
          multiline
          minRows={3}
          value={chosen.text}
          help="Texts and calls say these words."
          slotProps={{ input: { maxLength: limits.emergency.text } }}
          onChange={(event) => onChange({ text: event.target.value })}
        />
      )}
    </Box>
  );
}
