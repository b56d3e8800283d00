import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import { BarChart } from '@mui/x-charts/BarChart';
import { formatCount } from '../ui/format.ts';
import { ChartTooltip, ChartValue } from './chart-tooltip.tsx';
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

/** Every how many of them has a label under the axis: days by the week, where they are many. */
export function ticksEvery(many: number): number {
  if (many <= 12) return 1;
  if (many <= 24) return 3;
  if (many <= 45) return 7;
  return many <= 100 ? 14 : 30;
}

/** Figures of each day, one on top of the other. The table below it says the same in words. */
export function DayChart(props: DayChartProps) {
  const { title, days, series, tick = shortDay, full = longDay, value = formatCount } = props;
  const { palette } = useTheme().vars;
  const every = ticksEvery(days.length);
  const tickLabelStyle = { fontSize: 12, fill: palette.text.secondary };
  return (
    <Box sx={{ p: 2.5, minWidth: 0 }}>
      <Box sx={{ typography: 'caption', color: 'text.secondary', mb: 1 }}>{title}</Box>
      <Box sx={{ height: 220 }}>
        <ChartValue value={value}>
          <BarChart
            skipAnimation
            hideLegend
            height={220}
            // Room for half of the last label, which would be cut off on a phone.
            margin={{ top: 8, right: 16, bottom: 0, left: 0 }}
            grid={{ horizontal: true }}
            borderRadius={2}
            xAxis={[
              {
                data: [...days],
                scaleType: 'band',
                categoryGapRatio: days.length > 60 ? 0.2 : 0.35,
                valueFormatter: (day: string, { location }) => (location === 'tick' ? tick(day) : full(day)),
                tickInterval: (_: string, index: number) => index % every === 0,
                tickLabelStyle,
                disableLine: true,
                disableTicks: true,
              },
            ]}
            yAxis={[
              {
                width: 'auto',
                min: 0,
                tickLabelStyle,
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
            slots={{ tooltip: ChartTooltip }}
            sx={{ '& .MuiChartsGrid-line': { stroke: palette.chart.grid } }}
          />
        </ChartValue>
      </Box>
    </Box>
  );
}
