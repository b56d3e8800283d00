import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Link } from '@tanstack/react-router';
import { MessageSquareText, Phone } from 'lucide-react';
import type { HomeBroadcast } from '../../contract/home.ts';
import { placesCalls } from '../../contract/money/units.ts';
import { shareWords } from '../pieces/broadcasts/broadcast-counts.ts';
import { BroadcastMeter } from '../pieces/broadcasts/broadcast-meter.tsx';
import { useTimeZone } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { formatAbsolute, formatCount, formatRelative } from '../ui/format.ts';
import { useNow } from '../ui/now.ts';
import { RouterLink } from '../ui/router-link.tsx';
import { visuallyHidden } from '../ui/visually-hidden.ts';
import { arrivalOf } from './arrival.ts';

const columns = {
  xs: 'minmax(0, 1fr) auto',
  sm: 'minmax(0, 1fr) 120px 72px 168px 64px',
} as const;

/** Recently finished broadcasts, and how many of their texts and calls arrived. */
export function BroadcastsCard({ broadcasts }: { broadcasts: readonly HomeBroadcast[] }) {
  return (
    <Card
      title="Recently sent"
      action={
        <RouterLink to="/broadcasts" search={{}}>
          All broadcasts
        </RouterLink>
      }
    >
      <Box
        aria-hidden
        sx={{
          display: { xs: 'none', sm: 'grid' },
          gridTemplateColumns: columns,
          columnGap: 2,
          alignItems: 'center',
          height: 32,
          px: 2.5,
          bgcolor: 'surface.sunken',
          borderBottom: '1px solid',
          borderColor: 'line.hair',
          typography: 'caption',
          fontWeight: 500,
          color: 'ink.three',
        }}
      >
        <span>Broadcast</span>
        <span>Sent</span>
        <Box sx={{ textAlign: 'right' }}>People</Box>
        <span>Delivered</span>
        <Box sx={{ textAlign: 'right' }}>Replies</Box>
      </Box>
      <Box component="ul" aria-label="Recently sent" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {broadcasts.map((broadcast) => (
          <SentRow key={broadcast.BroadcastID} broadcast={broadcast} />
        ))}
      </Box>
    </Card>
  );
}

function SentRow({ broadcast }: { broadcast: HomeBroadcast }) {
  const now = useNow();
  const zone = useTimeZone();
  const { BroadcastID, BroadcastName, StartDate, PhoneNumberCount, RepliedTotal } = broadcast;
  const { arrived, total, words } = arrivalOf(broadcast);
  const Icon = placesCalls(broadcast.BroadcastType) ? Phone : MessageSquareText;
  const figure = { textAlign: 'right', fontVariantNumeric: 'tabular-nums' } as const;
  const hiddenOnPhone = { display: { xs: 'none', sm: 'block' } } as const;
  return (
    <Box
      component="li"
      sx={{ borderTop: '1px solid', borderColor: 'line.hair', '&:first-of-type': { borderTop: 0 } }}
    >
      <Box
        component={Link}
        to={`/broadcast-details/${BroadcastID}`}
        sx={{
          display: 'grid',
          gridTemplateColumns: columns,
          columnGap: 2,
          alignItems: 'center',
          minHeight: 44,
          px: 2.5,
          color: 'text.secondary',
          textDecoration: 'none',
          '&:hover': { bgcolor: 'surface.sunken' },
          '&:focus-visible': { outlineOffset: '-2px' },
        }}
      >
        <Box sx={{ display: 'flex', alignItems: 'center', gap: '10px', minWidth: 0 }}>
          <Icon size={16} strokeWidth={1.75} aria-hidden style={{ flex: 'none' }} />
          <Typography noWrap sx={{ color: 'text.primary', fontWeight: 520 }}>
            {BroadcastName}
          </Typography>
        </Box>
        <Box title={StartDate ? formatAbsolute(StartDate, zone) : undefined} sx={hiddenOnPhone}>
          {StartDate && formatRelative(StartDate, now, zone)}
        </Box>
        <Box sx={{ ...figure, ...hiddenOnPhone, color: 'text.primary' }}>{formatCount(PhoneNumberCount)}</Box>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: '10px' }}>
          <Box sx={{ ...hiddenOnPhone, flex: 1 }}>
            <BroadcastMeter broadcast={broadcast} height={6} />
          </Box>
          <Typography variant="body2" component="span" sx={{ ...figure, width: 48 }} title={words}>
            {shareWords(arrived, total)}
          </Typography>
        </Box>
        <Box sx={{ ...figure, ...hiddenOnPhone }}>
          {formatCount(RepliedTotal)}
          <span style={visuallyHidden}> {RepliedTotal === 1 ? 'reply' : 'replies'}</span>
        </Box>
      </Box>
    </Box>
  );
}
