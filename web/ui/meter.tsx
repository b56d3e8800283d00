import Box from '@mui/material/Box';

export interface MeterPiece {
  key: string;
  count: number;
  /** A palette color: 'chart.one', 'chart.two', 'chart.fail' … */
  color: string;
}

/** Shares of a whole, side by side; the remainder shows the track. Screen readers get the sentence instead. */
export function Meter({
  pieces,
  total,
  sentence,
  height = 8,
}: {
  pieces: MeterPiece[];
  total: number;
  sentence: string;
  height?: 6 | 8;
}) {
  return (
    <Box
      role="img"
      aria-label={sentence}
      sx={{
        display: 'flex',
        gap: '2px',
        height,
        borderRadius: `${height / 2}px`,
        overflow: 'hidden',
        bgcolor: 'surface.track',
      }}
    >
      {pieces
        .filter(({ count }) => count > 0)
        .map(({ key, count, color }) => (
          <Box
            key={key}
            sx={{
              width: `${(100 * count) / Math.max(total, 1)}%`,
              minWidth: 2,
              bgcolor: color,
              transition: 'width 200ms cubic-bezier(.2,0,0,1)',
            }}
          />
        ))}
    </Box>
  );
}
