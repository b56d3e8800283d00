import Box from '@mui/material/Box';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useCreditAdvice } from '../pieces/numbers/texting-advice.tsx';
import { useCan } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { countOf, formatCount } from '../ui/format.ts';
import { locale } from '../ui/locale.ts';
import { RouterButton } from '../ui/router-button.tsx';
import type { Home } from './home-page.tsx';

/** A date without a time has no time zone, so none may shift it. */
function dayName(date: string, month: 'long' | 'short' = 'long'): string {
  return new Intl.DateTimeFormat(locale, { timeZone: 'UTC', month, day: 'numeric' }).format(
    Date.parse(`${date}T12:00:00Z`),
  );
}

/** The balance, and the credits used in 30 days. */
export function CreditsCard({ credits, days }: { credits: Home['Credits']; days: Home['Days'] }) {
  const most = Math.max(1, ...days.map(({ Credits }) => Credits));
  const advice = useCreditAdvice();
  const canBuy = useCan('buyCredits');
  const used = `${formatCount(credits.UsedInThirtyDays)} used in 30 days`;
  return (
    <Card
      title="Credits"
      action={
        canBuy && (
          <RouterButton
            variant="text"
            color="primary"
            size="small"
            to="/settings/billing"
            search={{ open: 'credits' }}
          >
            Buy credits
          </RouterButton>
        )
      }
    >
      <Box sx={{ px: 2.5, py: 2 }}>
        <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1, flexWrap: 'wrap' }}>
          <Typography variant="h4">{formatCount(credits.Balance)}</Typography>
          {credits.Reserved > 0 && (
            <Typography sx={{ color: 'text.secondary' }}>{formatCount(credits.Reserved)} reserved</Typography>
          )}
        </Box>
        {advice && <Typography sx={{ color: 'warning.main', mt: 0.5 }}>{advice}</Typography>}
        <Box
          role="img"
          aria-label={`Credits per day: ${used}.`}
          sx={{
            display: 'grid',
            gridTemplateColumns: `repeat(${days.length}, minmax(0, 1fr))`,
            gap: '3px',
            alignItems: 'end',
            height: 68,
            mt: 1.5,
            borderBottom: '1px solid',
            borderColor: 'line.hair',
          }}
        >
          {days.map(({ Date: date, Credits, Sent }, index) => (
            <Tooltip
              key={date}
              describeChild
              placement="top"
              title={`${dayName(date)}: ${countOf(Credits, 'credit', 'credits')}, ${countOf(Sent, 'text', 'texts')} sent`}
            >
              {/* The whole column reacts to the pointer, however short its bar is. */}
              <Box sx={{ height: '100%', display: 'flex', alignItems: 'flex-end' }}>
                <Box
                  sx={{
                    width: '100%',
                    height: Credits === 0 ? 0 : `${Math.max(3, (100 * Credits) / most)}%`,
                    borderRadius: '2px 2px 0 0',
                    bgcolor: index === days.length - 1 ? 'chart.one' : 'chart.two',
                    transition: 'height 200ms cubic-bezier(.2,0,0,1)',
                  }}
                />
              </Box>
            </Tooltip>
          ))}
        </Box>
        <Box
          sx={{ display: 'flex', justifyContent: 'space-between', gap: 1, mt: 1, color: 'text.secondary' }}
        >
          <Typography variant="body2" component="span">
            {days[0] && dayName(days[0].Date, 'short')}
          </Typography>
          <Typography variant="body2" component="span" sx={{ fontVariantNumeric: 'tabular-nums' }}>
            {used}
          </Typography>
          <Typography variant="body2" component="span">
            Today
          </Typography>
        </Box>
      </Box>
    </Card>
  );
}
