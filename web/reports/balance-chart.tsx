import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import { LineChart } from '@mui/x-charts/LineChart';
import { formatCount } from '../ui/format.ts';
import { longDay, shortDay } from './report-range.ts';

/** The balance at the end of each day. */
export function BalanceChart({ days }: { days: readonly { Date: string; Balance: number }[] }) {
  const theme = useTheme();
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
              disableLine: true,
              disableTicks: true,
            },
          ]}
          yAxis={[
            {
              width: 56,
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
              color: theme.vars.palette.chart.one,
              data: days.map(({ Balance }) => Balance),
              curve: 'stepAfter',
              showMark: false,
              area: true,
              valueFormatter: (count) => formatCount(count ?? 0),
            },
          ]}
          sx={{
            '& .MuiChartsAxis-tickLabel': { fontSize: 12, fill: theme.vars.palette.text.secondary },
            '& .MuiChartsGrid-line': { stroke: theme.vars.palette.chart.grid },
            '& .MuiAreaElement-root': { fillOpacity: 0.12 },
          }}
        />
      </Box>
    </Box>
  );
}
