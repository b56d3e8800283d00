import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Link } from '@tanstack/react-router';
import { CornerUpLeft, MessagesSquare } from 'lucide-react';
import type { Conversation } from '../../contract/conversations.ts';
import { StatusMark } from '../pieces/texts/status-mark.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { personName, snippet } from './person.ts';

/** The most recently active conversations. */
export function LatelyCard({ conversations }: { conversations: Conversation[] }) {
  return (
    <Card title="Latest texts">
      {conversations.length === 0 ? (
        <EmptyState icon={MessagesSquare} title="No texts yet">
          The latest texts you send and receive show up here.
        </EmptyState>
      ) : (
        <Box component="ul" sx={{ listStyle: 'none', p: 0 }}>
          {conversations.map((conversation) => (
            <LatelyRow key={conversation.ConversationID} conversation={conversation} />
          ))}
        </Box>
      )}
    </Card>
  );
}

function LatelyRow({ conversation }: { conversation: Conversation }) {
  const { LastMessage: last } = conversation;
  const name = personName(conversation);
  return (
    <Box
      component="li"
      sx={{ borderTop: '1px solid', borderColor: 'line.hair', '&:first-of-type': { borderTop: 0 } }}
    >
      <Box
        component={Link}
        to={`/inbox/${conversation.ConversationID}`}
        sx={{
          display: 'grid',
          gridTemplateColumns: {
            xs: '26px minmax(0, 1fr) auto',
            sm: '26px minmax(0, 144px) minmax(0, 1fr) auto',
          },
          alignItems: 'center',
          columnGap: 1.5,
          minHeight: 44,
          px: 2.5,
          py: { xs: 1, sm: 0 },
          color: 'text.primary',
          textDecoration: 'none',
          '&:hover': { bgcolor: 'surface.sunken' },
          '&:focus-visible': { outlineOffset: '-2px' },
        }}
      >
        <Avatar
          name={conversation.FirstName || conversation.LastName ? name : ''}
          size={26}
          isDone={conversation.IsDone}
        />
        <Typography noWrap sx={{ fontWeight: 520 }}>
          {name}
        </Typography>
        <Box
          sx={{
            display: 'flex',
            alignItems: 'center',
            gap: '6px',
            minWidth: 0,
            color: 'text.secondary',
            gridColumn: { xs: '2 / -1', sm: 'auto' },
            gridRow: { xs: 2, sm: 'auto' },
          }}
        >
          {last &&
            (last.IsInbound ? (
              <CornerUpLeft
                size={14}
                strokeWidth={2}
                role="img"
                aria-label="They wrote"
                style={{ flex: 'none' }}
              />
            ) : (
              <StatusMark status={last.Status} isGlyphOnly />
            ))}
          <Typography noWrap>{snippet(last)}</Typography>
        </Box>
        {last && (
          <Typography variant="body2" component="span" sx={{ color: 'ink.three', textAlign: 'right' }}>
            <RelativeTime at={last.CreateTimestamp} />
          </Typography>
        )}
      </Box>
    </Box>
  );
}
