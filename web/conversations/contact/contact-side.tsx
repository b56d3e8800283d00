import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import { memo } from 'react';
import type { Conversation } from '../../../contract/conversations.ts';
import type { TextNumber } from '../../../contract/numbers.ts';
import type { ContactDialog } from './contact-known.tsx';
import { ContactPane } from './contact-pane.tsx';

interface ContactSideProps {
  conversation: Conversation;
  numbers: readonly TextNumber[];
  dialog: ContactDialog;
  /** The contact pane beside the thread where there is room, as a drawer elsewhere. */
  isInline: boolean;
  isShown: boolean;
  onToggle: () => void;
}

export const ContactSide = memo(function ContactSide(props: ContactSideProps) {
  const { conversation, numbers, dialog, isInline, isShown, onToggle } = props;
  if (isInline && !isShown) return null;
  if (isInline) {
    return (
      <Box
        component="aside"
        aria-label="Contact"
        sx={{
          width: 304,
          flex: 'none',
          display: 'flex',
          flexDirection: 'column',
          bgcolor: 'background.default',
          borderLeft: '1px solid',
          borderColor: 'line.hair',
        }}
      >
        <ContactPane conversation={conversation} numbers={numbers} dialog={dialog} />
      </Box>
    );
  }
  return (
    <Drawer
      anchor="right"
      open={isShown}
      onClose={onToggle}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-label': 'Contact',
          sx: { width: 320, maxWidth: '100%', bgcolor: 'background.default', display: 'flex' },
        },
      }}
    >
      <ContactPane conversation={conversation} numbers={numbers} dialog={dialog} onClose={onToggle} />
    </Drawer>
  );
});
