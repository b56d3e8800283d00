import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import Tooltip from '@mui/material/Tooltip';
import {
  AlarmClock,
  ArrowRightLeft,
  Check,
  type LucideIcon,
  Mail,
  RotateCcw,
  Tag,
  UserRound,
  X,
} from 'lucide-react';
import type { SelectionState } from '../../queries/selection.ts';
import { formatCount } from '../../ui/format.ts';
import { say } from '../../ui/say.ts';
import type { ActionKind } from '../actions/conversation-actions.tsx';

interface SelectionBarProps {
  selection: SelectionState<number>;
  /** The list's total; undefined when unknown. */
  total: number | undefined;
  isBusy: boolean;
  /** Done conversations can be reopened, others marked done. */
  isDoneView: boolean;
  /** There is another number to move them to. */
  canMove: boolean;
  onAct: (kind: ActionKind, anchor: HTMLElement) => void;
}

/** As high as the search field and the tabs together. */
const BAR_HEIGHT = 85;

/** "12 selected · Select all 38" and the actions. It covers the search field and the tabs, so that no row moves. */
export function SelectionBar({ selection, total, isBusy, isDoneView, canMove, onAct }: SelectionBarProps) {
  const isAll = selection.selection.Type === 'SelectedAll' || (total !== undefined && selection.isAll);
  const actions: [ActionKind, LucideIcon, string, string][] = [
    isDoneView
      ? ['reopen', RotateCcw, say('Reopen'), 'e']
      : ['done', Check, say('Done', 'conversation'), 'e'],
    ['unread', Mail, 'Mark unread', 'u'],
    ['tags', Tag, say('Tags'), 't'],
    ['assign', UserRound, say('Assign'), 'a'],
    ['snooze', AlarmClock, say('Snooze'), 's'],
  ];
  if (canMove) actions.push(['move', ArrowRightLeft, 'Move to another number', 'm']);
  return (
    <Box
      role="toolbar"
      aria-label="Selected conversations"
      sx={{
        position: 'absolute',
        inset: 'auto 0 0 0',
        zIndex: 2,
        height: BAR_HEIGHT,
        display: 'flex',
        flexDirection: 'column',
        justifyContent: 'center',
        px: '10px',
        bgcolor: 'tint.accent',
        borderBlock: '1px solid',
        borderColor: 'tint.accentLine',
        typography: 'body2',
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minHeight: 40, color: 'tint.accentInk' }}>
        <Tooltip title="Clear selection (Esc)">
          <IconButton
            size="small"
            aria-label="Clear selection"
            onClick={selection.clear}
            sx={{ color: 'inherit' }}
          >
            <X />
          </IconButton>
        </Tooltip>
        <Box role="status" sx={{ fontWeight: 550, fontVariantNumeric: 'tabular-nums' }}>
          {selectionWords(selection, total, isAll)}
        </Box>
        {!isAll && (
          <>
            <span aria-hidden>·</span>
            <Link
              component="button"
              type="button"
              variant="body2"
              onClick={selection.selectAll}
              sx={{ color: 'inherit', minHeight: 24 }}
            >
              {total === undefined ? 'Select all' : `Select all ${formatCount(total)}`}
            </Link>
          </>
        )}
      </Box>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: '4px' }}>
        {actions.map(([kind, Icon, label, key]) => (
          <Tooltip key={kind} title={`${label} (${key})`}>
            <IconButton
              aria-label={label}
              {...(opening.has(kind) ? { 'aria-haspopup': 'dialog' as const } : {})}
              disabled={isBusy}
              onClick={(event) => onAct(kind, event.currentTarget)}
              sx={{
                flex: 1,
                maxWidth: 64,
                height: 36,
                color: 'text.primary',
                '&:hover': { bgcolor: 'tint.accentLine' },
              }}
            >
              <Icon />
            </IconButton>
          </Tooltip>
        ))}
      </Box>
    </Box>
  );
}

/** Actions that ask for more first. */
const opening: ReadonlySet<ActionKind> = new Set(['tags', 'assign', 'snooze', 'move']);

function selectionWords(
  { selection: { Type, Items }, count }: SelectionState<number>,
  total: number | undefined,
  isAll: boolean,
): string {
  // Without a total, "all but two" is all we can say.
  if (total === undefined && isAll) return 'All selected';
  if (total === undefined && Type === 'SelectedAllExcept')
    return `All but ${formatCount(Items.length)} selected`;
  return `${formatCount(count)} selected`;
}
