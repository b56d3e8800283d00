import Box from '@mui/material/Box';
import { ChartsTooltipContainer, useAxesTooltip } from '@mui/x-charts/ChartsTooltip';
import { createContext, use } from 'react';
import { formatCount } from '../ui/format.ts';

/** Format of a chart's figures; for the total, which the chart itself doesn't know. */
export const ChartValue = createContext<(count: number) => string>(formatCount);

/** The parts of one day in a stacked chart, and their total. */
export function ChartTooltip() {
  return (
    <ChartsTooltipContainer trigger="axis">
      <Figures />
    </ChartsTooltipContainer>
  );
}

function Figures() {
  const value = use(ChartValue);
  const [axis] = useAxesTooltip<'bar'>() ?? [];
  if (axis === undefined) return null;
  const shown = axis.seriesItems.filter((item) => (item.value ?? 0) > 0);
  const total = axis.seriesItems.reduce((sum, item) => sum + (item.value ?? 0), 0);
  return (
    <Box
      sx={{
        m: 1.5,
        px: 1.5,
        py: 1.25,
        minWidth: 170,
        display: 'grid',
        gap: '4px',
        borderRadius: '8px',
        typography: 'caption',
        bgcolor: '#15211F',
        color: '#F4F7F6',
        fontVariantNumeric: 'tabular-nums',
        // In dark mode it would be lost in the page.
        border: '1px solid rgba(255, 255, 255, 0.14)',
      }}
    >
      <Box sx={{ fontWeight: 600 }}>{axis.axisFormattedValue}</Box>
      {shown.map(({ seriesId, formattedLabel, formattedValue }) => (
        <Line key={seriesId} label={formattedLabel ?? ''} figure={formattedValue} />
      ))}
      <Box
        sx={{
          fontWeight: 600,
          ...(shown.length > 0 ? { pt: '4px', borderTop: '1px solid rgba(255, 255, 255, 0.2)' } : {}),
        }}
      >
        <Line label="Total" figure={value(total)} />
      </Box>
    </Box>
  );
}

function Line({ label, figure }: { label: string; figure: string }) {
  return (
    <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 3 }}>
      <span>{label}</span>
      <span>{figure}</span>
    </Box>
  );
}
