import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Link } from '@tanstack/react-router';
import { MessageSquareText, Phone } from 'lucide-react';
import type { HomeBroadcast } from '../../contract/home.ts';
import { placesCalls } from '../../contract/money/units.ts';
import { typeName } from '../pieces/broadcasts/broadcast-type.ts';
import { startDay } from '../pieces/broadcasts/start-words.ts';
import { useTimeZone } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { countOf, dayKey, formatTime } from '../ui/format.ts';
import { useNow } from '../ui/now.ts';
import { RouterLink } from '../ui/router-link.tsx';
import { say } from '../ui/say.ts';

/** Scheduled broadcasts by day, the next one first. */
export function ComingUpCard({ broadcasts }: { broadcasts: readonly HomeBroadcast[] }) {
  const now = useNow();
  const zone = useTimeZone();
  return (
    <Card
      title="Coming up"
      action={
        <RouterLink to="/broadcasts" search={{ tab: 'scheduled' }}>
          {say('Schedule', 'calendar')}
        </RouterLink>
      }
    >
      <Box
        component="ul"
        aria-label="Coming up"
        sx={{ listStyle: 'none', m: 0, px: 2.5, py: 2, display: 'grid', gap: 1.5 }}
      >
        {broadcasts.map((broadcast, index) => {
          const day = broadcast.StartDate && dayKey(broadcast.StartDate, zone);
          const before = broadcasts[index - 1]?.StartDate;
          const isNewDay = day && (!before || dayKey(before, zone) !== day);
          return (
            <li key={broadcast.BroadcastID}>
              {isNewDay && broadcast.StartDate && (
                <Typography
                  variant="body2"
                  sx={{ color: 'text.secondary', fontWeight: 550, mb: 1, mt: index === 0 ? 0 : 1 }}
                >
                  {startDay(broadcast.StartDate, now, zone)}
                </Typography>
              )}
              <ComingRow broadcast={broadcast} zone={zone} />
            </li>
          );
        })}
      </Box>
    </Card>
  );
}

function ComingRow({ broadcast, zone }: { broadcast: HomeBroadcast; zone: string }) {
  const { BroadcastID, BroadcastName, BroadcastType, StartDate, PhoneNumberCount } = broadcast;
  const Icon = placesCalls(BroadcastType) ? Phone : MessageSquareText;
  return (
    <Box
      component={Link}
      to={`/broadcast-details/${BroadcastID}`}
      sx={{
        display: 'grid',
        gridTemplateColumns: '62px minmax(0, 1fr) 16px',
        columnGap: 1,
        color: 'text.secondary',
        textDecoration: 'none',
        borderRadius: '4px',
        '&:hover .coming-name': { textDecoration: 'underline', textUnderlineOffset: '3px' },
      }}
    >
      <Box sx={{ fontVariantNumeric: 'tabular-nums', typography: 'body2', pt: '1px' }}>
        {StartDate && formatTime(StartDate, zone)}
      </Box>
      <Box sx={{ minWidth: 0 }}>
        <Typography noWrap className="coming-name" sx={{ color: 'text.primary', fontWeight: 520 }}>
          {BroadcastName}
        </Typography>
        <Typography variant="body2">
          {typeName(broadcast)} · {countOf(PhoneNumberCount, 'person', 'people')}
        </Typography>
      </Box>
      <Icon size={16} strokeWidth={1.75} aria-hidden style={{ marginTop: 2 }} />
    </Box>
  );
}
