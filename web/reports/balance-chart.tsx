import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import { LineChart } from '@mui/x-charts/LineChart';
import { formatCount } from '../ui/format.ts';
import { ticksEvery } from './day-chart.tsx';
import { longDay, shortDay } from './report-range.ts';

/** The balance at the end of each day. */
export function BalanceChart({ days }: { days: readonly { Date: string; Balance: number }[] }) {
  const { palette } = useTheme().vars;
  const every = ticksEvery(days.length);
  const tickLabelStyle = { fontSize: 12, fill: palette.text.secondary };
  return (
    <Box sx={{ p: 2.5, minWidth: 0 }}>
      <Box sx={{ typography: 'caption', color: 'text.secondary', mb: 1 }}>Credits at the end of each day</Box>
      <Box sx={{ height: 220 }}>
        <LineChart
          skipAnimation
          hideLegend
          height={220}
          margin={{ top: 8, right: 12, bottom: 0, left: 0 }}
          grid={{ horizontal: true }}
          xAxis={[
            {
              data: days.map(({ Date: day }) => day),
              scaleType: 'point',
              valueFormatter: (day: string, { location }) =>
                location === 'tick' ? shortDay(day) : longDay(day),
              tickInterval: (_: string, index: number) => index % every === 0,
              tickLabelStyle,
              disableLine: true,
              disableTicks: true,
            },
          ]}
          yAxis={[
            {
              width: 56,
              tickLabelStyle,
              min: 0,
              tickMinStep: 1,
              valueFormatter: (count: number) => formatCount(count),
              disableLine: true,
              disableTicks: true,
            },
          ]}
          series={[
            {
              label: 'Credits',
              color: palette.chart.one,
              data: days.map(({ Balance }) => Balance),
              curve: 'stepAfter',
              showMark: false,
              area: true,
              valueFormatter: (count) => formatCount(count ?? 0),
            },
          ]}
          sx={{
            '& .MuiChartsGrid-line': { stroke: palette.chart.grid },
            '& .MuiAreaElement-root': { fillOpacity: 0.12 },
          }}
        />
      </Box>
    </Box>
  );
}
