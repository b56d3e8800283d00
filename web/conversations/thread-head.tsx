import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { ArrowLeft, Check, PanelRight, RotateCcw } from 'lucide-react';
import type { Conversation } from '../../contract/conversations.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { Face } from '../ui/face.tsx';
import { knownName, nameOf } from './names.ts';

export interface ThreadHeadProps {
  conversation: Conversation;
  isOnePane: boolean;
  isContactShown: boolean;
  onBack: () => void;
  onMark: () => void;
  onToggleContact: () => void;
}

export function ThreadHead(props: ThreadHeadProps) {
  const { conversation, isOnePane, isContactShown, onBack, onMark, onToggleContact } = props;
  const { PhoneNumber, Notes, IsDone } = conversation;
  const known = knownName(conversation);
  const mark = IsDone ? 'Reopen' : 'Done';
  const details = [known ? formatPhone(PhoneNumber) : '', isOnePane ? '' : Notes].filter(
    (part) => part.trim() !== '',
  );
  return (
    <Box
      component="header"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        minHeight: 60,
        flex: 'none',
        pl: isOnePane ? 1 : 2.5,
        pr: isOnePane ? 1 : 2.5,
        borderBottom: '1px solid',
        borderColor: 'line.hair',
      }}
    >
      {isOnePane && (
        <>
          <IconButton aria-label="Back to the list" onClick={onBack}>
            <ArrowLeft />
          </IconButton>
          <Face name={known} isDone={IsDone} />
        </>
      )}
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="h6" component={isOnePane ? 'h1' : 'h2'} noWrap>
          {nameOf(conversation)}
        </Typography>
        {details.length > 0 && (
          <Typography variant="body2" component="div" noWrap sx={{ color: 'text.secondary' }}>
            {details.join(' · ')}
          </Typography>
        )}
      </Box>
      {isOnePane ? (
        <IconButton aria-label={IsDone ? 'Reopen' : 'Mark done'} onClick={onMark}>
          {IsDone ? <RotateCcw /> : <Check />}
        </IconButton>
      ) : (
        <Tooltip describeChild title={IsDone ? 'Put back among the open ones (e)' : 'Mark done (e)'}>
          <Button
            size="small"
            startIcon={IsDone ? <RotateCcw aria-hidden /> : <Check aria-hidden />}
            onClick={onMark}
          >
            {mark}
          </Button>
        </Tooltip>
      )}
      <Tooltip title={isContactShown ? 'Hide details' : 'Show details'}>
        <IconButton aria-label="Contact details" aria-pressed={isContactShown} onClick={onToggleContact}>
          <PanelRight />
        </IconButton>
      </Tooltip>
    </Box>
  );
}
