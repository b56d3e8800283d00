import { useMemo, useState } from 'react';

/** A button and what it opens: `buttonProps` go to the one, `menuProps` to MUI's Menu or Popover. */
export function useMenu(opens: 'menu' | 'dialog' = 'menu') {
  const [anchorEl, setAnchorEl] = useState<HTMLElement | null>(null);
  const open = anchorEl !== null;
  const close = () => setAnchorEl(null);
  const buttonProps = useMemo(
    () => ({
      'aria-haspopup': opens,
      'aria-expanded': open,
      onClick: (event: { currentTarget: HTMLElement }) => setAnchorEl(event.currentTarget),
    }),
    [opens, open],
  );
  return {
    anchorEl,
    close,
    /** Of an item: the menu closes, and what was chosen is done. */
    choose: (act: () => void) => () => {
      close();
      act();
    },
    buttonProps,
    menuProps: { anchorEl, open, onClose: close },
  };
}
