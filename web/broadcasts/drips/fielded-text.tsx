import Box from '@mui/material/Box';
import { messagePieces } from '../wizard/message/message-pieces.ts';

interface FieldedTextProps {
  text: string;
  /** The organization's own fields, by name. */
  customFields: readonly string[];
}

/** A text as written, with the names of its fields. */
export function FieldedText({ text, customFields }: FieldedTextProps) {
  return messagePieces(text, customFields, true).map(({ at, kind, text: piece, label }) =>
    kind === 'field' ? (
      <Box
        key={at}
        component="span"
        sx={{
          px: '4px',
          py: '1px',
          borderRadius: '5px',
          fontWeight: 550,
          color: 'tint.accentInk',
          bgcolor: 'tint.accent',
          boxShadow: (theme) => `inset 0 0 0 1px ${theme.vars.palette.tint.accentLine}`,
        }}
      >
        {label}
      </Box>
    ) : (
      piece
    ),
  );
}
