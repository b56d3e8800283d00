import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import {
  AlarmClock,
  ArrowLeft,
  Check,
  Ellipsis,
  type LucideIcon,
  PanelRight,
  RotateCcw,
  Tag,
  UserRoundPlus,
} from 'lucide-react';
import { type MouseEvent, memo, useContext } from 'react';
import type { Conversation } from '../../../contract/conversations.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { HeadTool } from '../../ui/head-tool.ts';
import { say } from '../../ui/say.ts';
import { knownName, nameOf } from '../names.ts';
import type { ThreadTool } from './thread-tools.tsx';

export interface ThreadHeadProps {
  conversation: Conversation;
  isOnePane: boolean;
  isContactShown: boolean;
  onBack: () => void;
  onMark: () => void;
  onToggleContact: () => void;
}

export interface HeadProps extends ThreadHeadProps {
  /** No room for the tools, which the menu has too. */
  isNarrow: boolean;
  /** Opens a tool at the pressed button. */
  onTool: (tool: ThreadTool, anchor: HTMLElement) => void;
}

export const ThreadHead = memo(function ThreadHead(props: HeadProps) {
  const { conversation, isOnePane, isNarrow, isContactShown, onBack, onMark, onToggleContact, onTool } =
    props;
  const { PhoneNumber, Notes, IsDone, IsRetired } = conversation;
  const known = knownName(conversation);
  const tool = useContext(HeadTool);
  const details = [known ? formatPhone(PhoneNumber) : '', isOnePane ? '' : Notes].filter(
    (part) => part.trim() !== '',
  );
  return (
    <Box
      component="header"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: '6px',
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
          <Avatar name={known} isDone={IsDone} />
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
      {isOnePane && tool}
      {!isNarrow && !IsRetired && (
        <>
          <ToolButton icon={UserRoundPlus} label="Assign" tool="assign" onTool={onTool} />
          <ToolButton icon={AlarmClock} label="Snooze" tool="snooze" onTool={onTool} />
          <ToolButton icon={Tag} label="Tags" tool="tags" onTool={onTool} />
        </>
      )}
      {!IsRetired && <MarkButton isDone={IsDone} isOnePane={isOnePane} onMark={onMark} />}
      {!IsRetired && <ToolButton icon={Ellipsis} label="More" tool="more" onTool={onTool} />}
      {!isOnePane && (
        <Tooltip title={isContactShown ? 'Hide details' : 'Show details'}>
          <IconButton aria-label="Contact details" aria-pressed={isContactShown} onClick={onToggleContact}>
            <PanelRight />
          </IconButton>
        </Tooltip>
      )}
    </Box>
  );
});

const MarkButton = memo(function MarkButton({
  isDone,
  isOnePane,
  onMark,
}: {
  isDone: boolean;
  isOnePane: boolean;
  onMark: () => void;
}) {
  const Glyph = isDone ? RotateCcw : Check;
  if (isOnePane)
    return (
      <IconButton aria-label={isDone ? 'Reopen' : 'Mark done'} onClick={onMark}>
        <Glyph />
      </IconButton>
    );
  return (
    <Tooltip describeChild title={isDone ? 'Reopen (e)' : 'Mark done (e)'}>
      <Button size="small" startIcon={<Glyph aria-hidden />} onClick={onMark}>
        {isDone ? say('Reopen') : say('Done', 'conversation')}
      </Button>
    </Tooltip>
  );
});

const ToolButton = memo(function ToolButton(props: {
  icon: LucideIcon;
  label: string;
  tool: ThreadTool;
  onTool: HeadProps['onTool'];
}) {
  const { icon: Icon, label, tool, onTool } = props;
  return (
    <Tooltip title={label}>
      <IconButton
        aria-label={label}
        aria-haspopup={tool === 'more' || tool === 'snooze' ? 'menu' : 'dialog'}
        onClick={(event: MouseEvent<HTMLElement>) => onTool(tool, event.currentTarget)}
      >
        <Icon />
      </IconButton>
    </Tooltip>
  );
});
