import Box from '@mui/material/Box';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { getUsageSummary } from '../../contract/addresses/purchases.gen.ts';
import { useCallQuery } from '../queries/calls.ts';
import { Card } from '../ui/card.tsx';
import { formatCompact, formatCount } from '../ui/format.ts';
import { locale } from '../ui/locale.ts';
import { RouterButton } from '../ui/router-button.tsx';

/** A date without a time has no time zone, so none may shift it. */
function dayName(
  date: string,
  options: Intl.DateTimeFormatOptions = { month: 'long', day: 'numeric' },
): string {
  return new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options }).format(
    Date.parse(`${date}T12:00:00Z`),
  );
}

interface UsageDay {
  Date: string;
  Broadcasts: number;
  Conversations: number;
  Calls: number;
}

export function useUsage() {
  return useCallQuery(getUsageSummary, { query: { days: 30 } }).data;
}

const sum = (day: UsageDay) => day.Broadcasts + day.Calls + day.Conversations;

/** Credits by day in the last thirty days, and what they were used for. */
export function UsageCard() {
  const data = useUsage();
  if (!data) return null;
  const shares = [
    { label: 'Texts and drips', count: data.Broadcasts, color: 'chart.one' },
    { label: 'Voice calls', count: data.Calls, color: 'chart.two' },
    { label: 'Conversations', count: data.Conversations, color: 'chart.three' },
  ];
  const busiest = data.Days.reduce((most, day) => (sum(day) > sum(most) ? day : most), {
    Date: '',
    Broadcasts: 0,
    Conversations: 0,
    Calls: 0,
  });
  return (
    <Card
      title="Usage this period"
      count={`${dayName(data.StartDate)} to ${dayName(data.EndDate)}`}
      action={
        <RouterButton variant="text" color="primary" size="small" to="/reports/usage-summary">
          Usage summary
        </RouterButton>
      }
    >
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', laptop: 'minmax(0, 1fr) 300px' },
        }}
      >
        {data.Credits === 0 ? (
          <Typography sx={{ px: 2.5, py: 5, color: 'text.secondary' }}>
            Nothing sent in this period.
          </Typography>
        ) : (
          <UsageChart days={data.Days} credits={data.Credits} />
        )}
        <Box
          sx={{
            px: 2.5,
            py: 2,
            borderLeft: { laptop: '1px solid' },
            borderTop: { xs: '1px solid', laptop: 'none' },
            '&&': { borderColor: 'line.hair' },
            fontVariantNumeric: 'tabular-nums',
          }}
        >
          <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1, mb: 1 }}>
            <Typography variant="h4" component="span">
              {formatCount(data.Credits)}
            </Typography>
            <Typography component="span" sx={{ color: 'text.secondary' }}>
              credits in 30 days
            </Typography>
          </Box>
          {shares.map(({ label, count, color }) => (
            <Box
              key={label}
              sx={{
                display: 'flex',
                alignItems: 'center',
                gap: 1.25,
                py: 1,
                borderBottom: '1px solid',
                borderColor: 'line.hair',
              }}
            >
              <Box
                aria-hidden
                sx={{ width: 10, height: 10, borderRadius: '3px', bgcolor: color, flex: 'none' }}
              />
              <Box sx={{ flex: 1 }}>{label}</Box>
              <Box sx={{ fontWeight: 600 }}>{formatCount(count)}</Box>
              <Box sx={{ width: 48, textAlign: 'right', typography: 'body2', color: 'text.secondary' }}>
                {data.Credits === 0 ? '0%' : `${((100 * count) / data.Credits).toFixed(1)}%`}
              </Box>
            </Box>
          ))}
          {busiest.Date !== '' && (
            <Typography variant="body2" sx={{ color: 'text.secondary', mt: 1.5 }}>
              Busiest: {dayName(busiest.Date, { weekday: 'long', month: 'long', day: 'numeric' })}, with{' '}
              {formatCount(sum(busiest))}
            </Typography>
          )}
        </Box>
      </Box>
    </Card>
  );
}

/** A round number at the top of the axis, with a few lines on the way. */
function axisOf(most: number): number[] {
  const step = [1, 2, 5, 10, 20, 50].map(
    (each) => each * 10 ** Math.max(0, Math.floor(Math.log10(most)) - 1),
  );
  const size = step.find((each) => most / each <= 4) ?? most;
  return Array.from({ length: Math.ceil(most / size) + 1 }, (_, index) => index * size);
}

function UsageChart({ days, credits }: { days: readonly UsageDay[]; credits: number }) {
  const ticks = axisOf(Math.max(1, ...days.map(sum)));
  const top = ticks.at(-1) ?? 1;
  return (
    <Box sx={{ px: 2.5, pt: 2.5, pb: 1.5 }}>
      <Box
        role="img"
        aria-label={`Credits by day: ${formatCount(credits)} in 30 days.`}
        sx={{ position: 'relative', height: 150, ml: '44px' }}
      >
        {ticks.map((tick) => (
          <Box
            key={tick}
            sx={{
              position: 'absolute',
              left: 0,
              right: 0,
              bottom: `${(100 * tick) / top}%`,
              borderTop: '1px solid',
              borderColor: 'chart.grid',
            }}
          >
            <Box
              component="span"
              sx={{
                position: 'absolute',
                right: '100%',
                mr: 1,
                top: -9,
                fontSize: 12,
                lineHeight: '18px',
                color: 'text.secondary',
                fontVariantNumeric: 'tabular-nums',
              }}
            >
              {tick >= 100_000 ? formatCompact(tick) : formatCount(tick)}
            </Box>
          </Box>
        ))}
        <Box
          sx={{
            position: 'absolute',
            inset: 0,
            display: 'grid',
            gridTemplateColumns: `repeat(${days.length}, minmax(0, 1fr))`,
            gap: { xs: '2px', sm: '8px' },
          }}
        >
          {days.map((day) => (
            <Tooltip
              key={day.Date}
              describeChild
              placement="top"
              title={`${dayName(day.Date)}: ${formatCount(sum(day))} credits`}
            >
              <Box sx={{ display: 'flex', flexDirection: 'column', justifyContent: 'flex-end', gap: '1px' }}>
                <Bar share={day.Conversations / top} color="chart.three" />
                <Bar share={day.Calls / top} color="chart.two" />
                <Bar share={day.Broadcasts / top} color="chart.one" />
              </Box>
            </Tooltip>
          ))}
        </Box>
      </Box>
      <Box
        aria-hidden
        sx={{
          display: 'flex',
          justifyContent: 'space-between',
          ml: '44px',
          mt: 1,
          typography: 'body2',
          color: 'text.secondary',
        }}
      >
        {[0, 10, 20].map((index) => (
          <span key={index}>{dayName(days[index]?.Date ?? '', { month: 'short', day: 'numeric' })}</span>
        ))}
        <span>Today</span>
      </Box>
    </Box>
  );
}

function Bar({ share, color }: { share: number; color: string }) {
  if (share === 0) return null;
  return <Box sx={{ height: `max(2px, ${100 * share}%)`, bgcolor: color, borderRadius: '2px 2px 0 0' }} />;
}

/** The same without axes, for telephones. */
export function SmallUsageChart({ days }: { days: readonly UsageDay[] }) {
  const most = Math.max(1, ...days.map(sum));
  return (
    <Box
      aria-hidden
      sx={{
        display: 'grid',
        gridTemplateColumns: `repeat(${days.length}, minmax(0, 1fr))`,
        gap: '3px',
        alignItems: 'end',
        height: 52,
        borderBottom: '1px solid',
        borderColor: 'line.hair',
      }}
    >
      {days.map((day, index) => (
        <Box
          key={day.Date}
          sx={{
            height: `${(100 * sum(day)) / most}%`,
            borderRadius: '2px 2px 0 0',
            bgcolor: index === days.length - 1 ? 'chart.one' : 'chart.two',
          }}
        />
      ))}
    </Box>
  );
}
