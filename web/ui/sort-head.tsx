import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { ArrowDown, ArrowUp } from 'lucide-react';

/** The look of a table's head that stays while its rows scroll. */
export const stickyHead = {
  position: 'sticky',
  top: 0,
  zIndex: 1,
  height: 38,
  bgcolor: 'surface.sunken',
  borderBottom: '1px solid',
  borderColor: 'line.hair',
  typography: 'caption',
  fontWeight: 500,
  color: 'ink.three',
  textAlign: 'left',
  px: '10px',
  whiteSpace: 'nowrap',
} as const;

interface SortHeadProps<Sort extends string> {
  sx: object;
  name: string;
  asc: Sort;
  desc: Sort;
  sort: Sort;
  onSort: (sort: Sort) => void;
}

/** The head of a column that sorts: ascending first, then the other way round. */
export function SortHead<Sort extends string>({ sx, name, asc, desc, sort, onSort }: SortHeadProps<Sort>) {
  const isSorted = sort === asc || sort === desc;
  const Arrow = sort === desc ? ArrowDown : ArrowUp;
  return (
    <Box
      component="th"
      scope="col"
      aria-sort={isSorted ? (sort === asc ? 'ascending' : 'descending') : undefined}
      sx={sx}
    >
      <ButtonBase
        onClick={() => onSort(sort === asc ? desc : asc)}
        sx={{
          font: 'inherit',
          minHeight: 24,
          gap: '4px',
          borderRadius: '4px',
          color: isSorted ? 'text.primary' : 'inherit',
        }}
      >
        {name}
        {isSorted && <Arrow size={14} strokeWidth={2} aria-hidden />}
      </ButtonBase>
    </Box>
  );
}
