import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Clock, MessageCircleHeart } from 'lucide-react';
import { useTimeZone } from '../queries/current-user.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { formatAbsolute, formatCount, formatDuration } from '../ui/format.ts';
import { useNow } from '../ui/now.ts';
import { RouterButton } from '../ui/router-button.tsx';
import { RouterLink } from '../ui/router-link.tsx';
import { say } from '../ui/say.ts';
import type { Home } from './home-page.tsx';
import { personName, snippet } from './person.ts';

/** Longer waits are highlighted. */
const longMs = 30 * 60_000;

/** People waiting for a reply, longest wait first. */
export function WaitingCard({ waiting }: { waiting: Home['Waiting'] }) {
  return (
    <Card
      title="Waiting for a reply"
      count={waiting.Size > 0 ? formatCount(waiting.Size) : undefined}
      action={
        // In the order of this card.
        <RouterLink to="/inbox" search={waiting.Size > 0 ? { viewing: 'waiting' } : {}}>
          Open inbox
        </RouterLink>
      }
    >
      {waiting.Items.length === 0 ? (
        <EmptyState icon={MessageCircleHeart} title="Everyone has a reply">
          People waiting for a reply are listed here, longest wait first.
        </EmptyState>
      ) : (
        <Box component="ul" sx={{ listStyle: 'none', p: 0 }}>
          {waiting.Items.map((item) => (
            <WaitingRow key={item.ConversationID} item={item} />
          ))}
        </Box>
      )}
    </Card>
  );
}

function WaitingRow({ item }: { item: Home['Waiting']['Items'][number] }) {
  const now = useNow();
  const zone = useTimeZone();
  const waitedMs = now - Date.parse(item.WaitingSince);
  const isLong = waitedMs > longMs;
  const name = personName(item);
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        alignItems: 'center',
        columnGap: 1.5,
        minHeight: 50,
        px: 2.5,
        py: { xs: 1, sm: 0 },
        borderTop: '1px solid',
        borderColor: 'line.hair',
        '&:first-of-type': { borderTop: 0 },
        gridTemplateColumns: {
          xs: '30px minmax(0, 1fr) auto',
          sm: '30px minmax(0, 140px) minmax(0, 1fr) auto auto',
        },
      }}
    >
      <Avatar name={item.FirstName || item.LastName ? name : ''} size={30} />
      <Typography noWrap sx={{ fontWeight: 550 }} title={name}>
        {name}
      </Typography>
      <Typography
        noWrap
        sx={{ color: 'text.secondary', gridColumn: { xs: 2, sm: 'auto' }, gridRow: { xs: 2, sm: 'auto' } }}
        title={snippet(item.LastMessage)}
      >
        {snippet(item.LastMessage)}
      </Typography>
      <Box
        component="time"
        dateTime={item.WaitingSince}
        title={`Since ${formatAbsolute(item.WaitingSince, zone)}`}
        sx={{
          display: 'inline-flex',
          alignItems: 'center',
          justifyContent: 'flex-end',
          gap: '6px',
          typography: 'body2',
          fontVariantNumeric: 'tabular-nums',
          color: isLong ? 'warning.main' : 'ink.three',
          fontWeight: isLong ? 600 : 400,
          gridColumn: { xs: 3, sm: 'auto' },
          gridRow: { xs: 1, sm: 'auto' },
        }}
      >
        <Clock size={15} strokeWidth={2} aria-hidden />
        <span>{formatDuration(waitedMs)}</span>
      </Box>
      <Box sx={{ gridColumn: { xs: 3, sm: 'auto' }, gridRow: { xs: 2, sm: 'auto' }, justifySelf: 'end' }}>
        <RouterButton
          to="/inbox/$conversationId"
          params={{ conversationId: item.ConversationID }}
          size="small"
          aria-label={`Reply to ${name}`}
        >
          {say('Reply', 'button')}
        </RouterButton>
      </Box>
    </Box>
  );
}
