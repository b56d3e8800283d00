import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { Ellipsis, type LucideIcon, X } from 'lucide-react';
import type { MouseEvent } from 'react';
import type { SelectionState } from '../queries/selection.ts';
import { footRef } from './foot-height.ts';
import { formatCount } from './format.ts';
import { useMenu } from './use-menu.ts';

export interface BarAction {
  label: string;
  icon: LucideIcon;
  isDanger?: boolean;
  /** Stays next to the count even where only two or three fit. */
  isFirst?: boolean;
  /** Reason why the action isn't possible for this selection. */
  refusal?: string | undefined;
  /** Gets the anchor for a menu of its own. */
  onPress: (anchor: HTMLElement) => void;
}

interface SelectionBarProps {
  /** The bar's accessible name: "Selected contacts". */
  label: string;
  selection: SelectionState<number>;
  total: number;
  /** There are more than `total`, because the server stopped counting. */
  isMore: boolean;
  /** False for approximate search results, where "all" would have no meaning. */
  canSelectAll: boolean;
  isBusy: boolean;
  actions: readonly BarAction[];
}

/** "12 selected · Select all 4,318" and the actions. */
export function SelectionBar({
  label,
  selection,
  total,
  isMore,
  canSelectAll,
  isBusy,
  actions,
}: SelectionBarProps) {
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down('sm'), { noSsr: true });
  const height = isPhone ? 56 : 48;
  const beside = useThoseWithRoom(actions);
  const rest = actions.filter((action) => !beside.includes(action));
  const isEverything = selection.selection.Type === 'SelectedAll' || (!isMore && selection.isAll);
  return (
    <Box
      ref={coverToolbar}
      role="toolbar"
      aria-label={label}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        height,
        px: 2,
        flex: 'none',
        bgcolor: 'tint.accent',
        borderBlock: '1px solid',
        borderColor: 'tint.accentLine',
        typography: 'body2',
        whiteSpace: 'nowrap',
        // Covers the toolbar above, so that the rows stay under the pointer. At the bottom of a page no row moves.
        '&:not(:last-child)': { position: 'relative', zIndex: 5, mt: `-${height}px` },
      }}
    >
      <IconButton size="small" aria-label="Clear selection" onClick={selection.clear} sx={{ ml: '-4px' }}>
        <X />
      </IconButton>
      <Box role="status" sx={{ fontWeight: 550, fontVariantNumeric: 'tabular-nums' }}>
        {selectionWords(selection, isMore)}
      </Box>
      {canSelectAll && !isEverything && (
        <>
          <Box component="span" aria-hidden sx={{ color: 'tint.accentInk' }}>
            ·
          </Box>
          <Link
            component="button"
            type="button"
            variant="body2"
            onClick={selection.selectAll}
            sx={{ color: 'tint.accentInk', fontWeight: 550, minHeight: 24 }}
          >
            {isPhone ? 'All' : 'Select all'} {formatCount(total)}
            {isMore && '+'}
          </Link>
        </>
      )}
      <Box sx={{ flex: 1 }} />
      {beside.map((action) => (
        <ActionButton key={action.label} action={action} isIconOnly={isPhone} isBusy={isBusy} />
      ))}
      {rest.length > 0 && <MoreActions actions={rest} isBusy={isBusy} />}
    </Box>
  );
}

/** Elements below the bar can't take focus, because it would be invisible there. */
function coverToolbar(bar: HTMLElement | null) {
  if (bar && !bar.nextElementSibling) return footRef(bar);
  const covered = bar?.previousElementSibling;
  if (!(covered instanceof HTMLElement)) return;
  covered.inert = true;
  return () => {
    covered.inert = false;
  };
}

/** The pinned actions, then as many others as fit; the rest go into a menu. */
function useThoseWithRoom(actions: readonly BarAction[]): readonly BarAction[] {
  const isWide = useMediaQuery((theme) => theme.breakpoints.up('xl'), { noSsr: true });
  const isLaptop = useMediaQuery((theme) => theme.breakpoints.up('lg'), { noSsr: true });
  const room = isWide ? 6 : isLaptop ? 3 : 0;
  let left = room - actions.filter(({ isFirst }) => isFirst).length;
  return actions.filter(({ isFirst }) => {
    if (isFirst) return true;
    left -= 1;
    return left >= 0;
  });
}

function selectionWords(
  { selection: { Type, Items }, count }: SelectionState<number>,
  isMore: boolean,
): string {
  // Without a full count, "all but two" is all we can say.
  if (isMore && Type === 'SelectedAll') return 'All selected';
  if (isMore && Type === 'SelectedAllExcept') return `All but ${formatCount(Items.length)} selected`;
  return `${formatCount(count)} selected`;
}

interface ActionButtonProps {
  action: BarAction;
  isIconOnly: boolean;
  isBusy: boolean;
}

function ActionButton({ action, isIconOnly, isBusy }: ActionButtonProps) {
  const { label, icon: Icon, isDanger = false, refusal, onPress } = action;
  const color = isDanger ? 'error.main' : 'text.primary';
  const hover = { '&:hover': { bgcolor: 'tint.accentLine' } };
  // Not `disabled`: people must still reach it to read why.
  const pressable = {
    disabled: isBusy,
    'aria-disabled': refusal !== undefined,
    onClick: (event: MouseEvent<HTMLElement>) => {
      if (refusal === undefined) onPress(event.currentTarget);
    },
  };
  const look = { color: refusal === undefined ? color : 'text.disabled', ...hover };
  const button = isIconOnly ? (
    <IconButton aria-label={label} {...pressable} sx={look}>
      <Icon />
    </IconButton>
  ) : (
    <Button
      variant="text"
      size="small"
      startIcon={<Icon aria-hidden />}
      {...pressable}
      sx={{ ...look, height: 32, px: '8px' }}
    >
      {label}
    </Button>
  );
  if (refusal === undefined) return button;
  return (
    <Tooltip describeChild title={refusal}>
      {button}
    </Tooltip>
  );
}

function MoreActions({ actions, isBusy }: { actions: readonly BarAction[]; isBusy: boolean }) {
  const menu = useMenu();
  return (
    <>
      <IconButton
        aria-label="More actions"
        disabled={isBusy}
        {...menu.buttonProps}
        sx={{ color: 'text.primary' }}
      >
        <Ellipsis />
      </IconButton>
      <Menu {...menu.menuProps}>
        {actions.map(({ label, icon: Icon, refusal, onPress }) => (
          <MenuItem
            key={label}
            aria-disabled={refusal !== undefined}
            onClick={() => {
              if (refusal !== undefined || !menu.anchorEl) return;
              menu.close();
              onPress(menu.anchorEl);
            }}
          >
            <Icon aria-hidden />
            <Box sx={{ color: refusal === undefined ? 'inherit' : 'text.secondary' }}>
              {label}
              {refusal !== undefined && (
                <Typography variant="caption" component="div" sx={{ maxWidth: 220, whiteSpace: 'normal' }}>
                  {refusal}
                </Typography>
              )}
            </Box>
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
