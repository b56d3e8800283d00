import { useMemo, useState } from 'react';

/** A button and its menu: `buttonProps` go to the button, `menuProps` to MUI's Menu or Popover. */
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
    /** For an item: closes the menu, then runs the action. */
    choose: (act: () => void) => () => {
      close();
      act();
    },
    buttonProps,
    menuProps: { anchorEl, open, onClose: close },
  };
}
