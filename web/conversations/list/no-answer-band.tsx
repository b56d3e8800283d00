import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import { CheckCheck, ChevronRight, ThumbsUp } from 'lucide-react';
import { countOf, formatCount } from '../../ui/format.ts';
import { say } from '../../ui/say.ts';
import type { InboxSearch } from '../inbox-address.ts';
import { filtersOf, viewOf } from '../inbox-view.ts';

/** The server stops counting here. */
const MOST_COUNTED = 1000;

interface NoAnswerBandProps {
  search: InboxSearch;
  /** Number of open conversations that need no answer. */
  count: number;
  isBusy: boolean;
  onShow: () => void;
  onMarkAllDone: (anchor: HTMLElement) => void;
}

/** Below the open conversations: how many need no answer. Below those themselves: closes them all at once. */
export function NoAnswerBand({ search, count, isBusy, onShow, onMarkAllDone }: NoAnswerBandProps) {
  const view = viewOf(search);
  const isGroup = view === 'noanswer';
  const isPlain = view === 'open' && !search.q && Object.keys(filtersOf(search)).length === 0;
  if (count === 0 || search.q || !(isGroup || isPlain)) return null;
  const many =
    count < MOST_COUNTED ? countOf(count, 'needs', 'need') : say(`${formatCount(MOST_COUNTED - 1)}+ need`);
  const look = {
    flex: 'none',
    width: '100%',
    minHeight: { xs: 44, sm: 40 },
    px: 2,
    py: '4px',
    display: 'flex',
    alignItems: 'center',
    gap: 1,
    typography: 'body2',
    color: 'text.secondary',
    bgcolor: 'surface.sunken',
    borderTop: '1px solid',
    borderColor: 'line.hair',
    fontVariantNumeric: 'tabular-nums',
  } as const;
  if (!isGroup) {
    return (
      <ButtonBase
        onClick={onShow}
        sx={{
          ...look,
          textAlign: 'left',
          '&:hover': { bgcolor: 'surface.hover' },
          '&.Mui-focusVisible': { outlineOffset: -2 },
        }}
      >
        <ThumbsUp size={16} strokeWidth={1.75} aria-hidden />
        <Box component="span" sx={{ flex: 1, fontWeight: 550 }}>
          {many} no answer
        </Box>
        <ChevronRight size={16} strokeWidth={1.75} aria-hidden />
      </ButtonBase>
    );
  }
  return (
    <Box sx={look}>
      <Box sx={{ flex: 1 }}>{many} no answer.</Box>
      <Button
        size="small"
        startIcon={<CheckCheck aria-hidden />}
        disabled={isBusy}
        onClick={({ currentTarget }) => onMarkAllDone(currentTarget)}
      >
        Mark all done
      </Button>
    </Box>
  );
}
