import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import { BarChart } from '@mui/x-charts/BarChart';
import { formatCount } from '../ui/format.ts';
import { longDay, shortDay } from './report-range.ts';

interface DaySeries {
  label: string;
  color: string;
  counts: readonly number[];
}

interface DayChartProps {
  title: string;
  /** Days, months or hours, as the axis has them. */
  days: readonly string[];
  series: readonly DaySeries[];
  /** Under the axis; and in full, beside the figures of one. */
  tick?: (day: string) => string;
  full?: (day: string) => string;
  value?: (count: number) => string;
}

/** Figures of each day, one on top of the other. The table below it says the same in words. */
export function DayChart(props: DayChartProps) {
  const { title, days, series, tick = shortDay, full = longDay, value = formatCount } = props;
  const theme = useTheme();
  return (
    <Box sx={{ p: 2.5, minWidth: 0 }}>
      <Box sx={{ typography: 'caption', color: 'text.secondary', mb: 1 }}>{title}</Box>
      <Box sx={{ height: 220 }}>
        <BarChart
          skipAnimation
          hideLegend
          height={220}
          margin={{ top: 8, right: 4, bottom: 0, left: 0 }}
          grid={{ horizontal: true }}
          borderRadius={2}
          xAxis={[
            {
              data: [...days],
              scaleType: 'band',
              categoryGapRatio: days.length > 60 ? 0.2 : 0.35,
              valueFormatter: (day: string, { location }) => (location === 'tick' ? tick(day) : full(day)),
              disableLine: true,
              disableTicks: true,
            },
          ]}
          yAxis={[
            {
              width: 'auto',
              min: 0,
              tickMinStep: 1,
              // The lines of the axis are round: cents would only take room.
              valueFormatter: (count: number) => value(count).replace(/\.00$/, ''),
              disableLine: true,
              disableTicks: true,
            },
          ]}
          series={series.map(({ label, color, counts }) => ({
            label,
            color,
            data: [...counts],
            stack: 'all',
            valueFormatter: (count) => value(count ?? 0),
          }))}
          slotProps={{ tooltip: { trigger: 'axis' } }}
          sx={{
            '& .MuiChartsAxis-tickLabel': { fontSize: 12, fill: theme.vars.palette.text.secondary },
            '& .MuiChartsGrid-line': { stroke: theme.vars.palette.chart.grid },
          }}
        />
      </Box>
    </Box>
  );
}
