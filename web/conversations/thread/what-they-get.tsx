import Box from '@mui/material/Box';
import type { Conversation } from '../../../contract/conversations.ts';
import { nameOf } from '../names.ts';
import type { MergedText } from './merged-text.ts';

interface WhatTheyGetProps {
  conversation: Conversation;
  merged: Pick<MergedText, 'shown' | 'remark'>;
}

/** Previews a text with its fields filled in, below the text box. */
export function WhatTheyGet({ conversation, merged: { shown, remark } }: WhatTheyGetProps) {
  return (
    <Box role="group" aria-label="Preview" sx={{ px: '14px', pb: 1 }}>
      <Box sx={{ typography: 'caption', color: 'text.secondary', mb: '4px' }}>
        {nameOf(conversation)} gets
      </Box>
      <Box
        sx={{
          width: 'fit-content',
          maxWidth: '100%',
          maxHeight: 160,
          overflowY: 'auto',
          px: 1.5,
          py: '6px',
          borderRadius: '10px',
          bgcolor: 'bubble.out',
          color: 'bubble.outText',
          whiteSpace: 'pre-wrap',
          overflowWrap: 'anywhere',
        }}
      >
        {shown}
      </Box>
      {remark !== '' && (
        <Box role="status" sx={{ typography: 'caption', color: 'warning.main', mt: '4px' }}>
          {remark}
        </Box>
      )}
    </Box>
  );
}
