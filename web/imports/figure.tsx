import Typography from '@mui/material/Typography';
import { formatCount } from '../ui/format.ts';

interface FigureProps {
  label: string;
  count: number;
  isBad?: boolean;
}

/** A figure in a list of results. */
export function Figure({ label, count, isBad = false }: FigureProps) {
  return (
    <div>
      <Typography variant="body2" component="dt" sx={{ color: isBad ? 'error.main' : 'text.secondary' }}>
        {label}
      </Typography>
      <Typography variant="h4" component="dd" sx={{ color: isBad ? 'error.main' : 'text.primary' }}>
        {formatCount(count)}
      </Typography>
    </div>
  );
}
