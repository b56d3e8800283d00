import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { AlarmClock } from 'lucide-react';
import { memo } from 'react';
import type { Conversation } from '../../../contract/conversations.ts';
import { useTimeZone, useUser } from '../../queries/current-user.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { formatDay, formatTime } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { TagChip } from '../actions/tag-chip.tsx';
import { useChangeConversation } from './change-conversation.ts';

/** Below the head, if any: the assignee, the snooze and the tags. */
export const ThreadFacts = memo(function ThreadFacts({ conversation }: { conversation: Conversation }) {
  const { AssignedTo, SnoozedUntil, Tags } = conversation;
  const { change } = useChangeConversation(conversation);
  const userId = useUser()?.UserID;
  const zone = useTimeZone();
  const now = useNow();
  if (!AssignedTo && !SnoozedUntil && Tags.length === 0) return null;
  return (
    <Box
      component="ul"
      aria-label="About this conversation"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 1.5,
        rowGap: '4px',
        m: 0,
        py: '6px',
        px: { xs: '14px', tablet: 2.5 },
        minHeight: 36,
        flex: 'none',
        listStyle: 'none',
        borderBottom: '1px solid',
        borderColor: 'line.hair',
        typography: 'body2',
        color: 'text.secondary',
      }}
    >
      {AssignedTo && (
        <Box component="li" sx={{ display: 'inline-flex', alignItems: 'center', gap: '6px' }}>
          <Avatar name={AssignedTo.Name} size={18} src={AssignedTo.PictureUrl} />
          {AssignedTo.UserID === userId ? 'Assigned to you' : `Assigned to ${AssignedTo.Name}`}
        </Box>
      )}
      {SnoozedUntil && (
        <Box component="li" sx={{ display: 'inline-flex', alignItems: 'center', gap: '6px' }}>
          <AlarmClock size={14} strokeWidth={2} aria-hidden />
          Snoozed until {formatDay(SnoozedUntil, now, zone)}, {formatTime(SnoozedUntil, zone)}
          <Button
            variant="text"
            size="small"
            sx={{ height: 24, px: '6px' }}
            onClick={() => void change({ SnoozedUntil: null }, 'The conversation is back in the list.')}
          >
            Unsnooze
          </Button>
        </Box>
      )}
      {Tags.map((tag) => (
        <Box component="li" key={tag.TagID} sx={{ minWidth: 0 }}>
          <TagChip tag={tag} />
        </Box>
      ))}
    </Box>
  );
});
