import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { formatCount } from '../ui/format.ts';

interface TotalPart {
  label: string;
  color: string;
  count: number;
}

interface TotalSideProps {
  total: number;
  /** "texts in 30 days, up 12%" */
  sentence: string;
  parts: readonly TotalPart[];
  /** The label of the total, and how figures are written. */
  label?: string;
  value?: (count: number) => string;
  /** Shown large in place of the total. */
  heading?: string;
  /** Without the share of each part. */
  isWithoutShares?: boolean;
}

/** The sum beside a chart, and what it is made of: the chart's legend too. */
export function TotalSide(props: TotalSideProps) {
  const {
    total,
    sentence,
    parts,
    label: name = 'Total',
    value = formatCount,
    isWithoutShares = false,
    heading,
  } = props;
  return (
    <Box
      sx={{
        p: 2.5,
        borderLeft: { md: '1px solid' },
        borderTop: { xs: '1px solid', md: 0 },
        borderColor: { xs: 'line.hair', md: 'line.hair' },
        display: 'flex',
        flexDirection: 'column',
        gap: 2,
        justifyContent: 'space-between',
      }}
    >
      <Box>
        <Box sx={{ typography: 'caption', color: 'text.secondary' }}>{name}</Box>
        <Typography component="p" variant="h1" sx={{ fontVariantNumeric: 'tabular-nums' }}>
          {heading ?? value(total)}
        </Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {sentence}
        </Typography>
      </Box>
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {parts.map(({ label, color, count }) => (
          <Box
            key={label}
            component="li"
            sx={{
              display: 'flex',
              alignItems: 'center',
              gap: 1,
              py: '8px',
              borderTop: '1px solid',
              borderColor: 'line.hair',
            }}
          >
            <Box
              aria-hidden
              sx={{ width: 10, height: 10, borderRadius: '3px', bgcolor: color, flex: 'none' }}
            />
            <Box sx={{ flex: 1 }}>{label}</Box>
            <Box sx={{ fontWeight: 550, fontVariantNumeric: 'tabular-nums' }}>{value(count)}</Box>
            {!isWithoutShares && (
              <Box
                sx={{
                  width: 52,
                  textAlign: 'right',
                  typography: 'body2',
                  color: 'text.secondary',
                  fontVariantNumeric: 'tabular-nums',
                }}
              >
                {total === 0 ? '0.0' : ((count / total) * 100).toFixed(1)}%
              </Box>
            )}
          </Box>
        ))}
      </Box>
    </Box>
  );
}
