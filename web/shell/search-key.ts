import { useEffect, useState } from 'react';

/** The search over everything: opened by Ctrl K or ⌘K, or a button. A dialog that is open keeps the keys. */
export function useSearchKey() {
  const [isOpen, setOpen] = useState(false);
  // Its code is loaded when it is first opened.
  const [wasOpened, setOpened] = useState(false);
  const open = () => {
    setOpened(true);
    setOpen(true);
  };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      if (event.altKey || event.shiftKey || event.isComposing) return;
      if (document.querySelector('.MuiDialog-root') !== null) return;
      event.preventDefault();
      setOpened(true);
      setOpen(true);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return { isOpen, wasOpened, open, close: () => setOpen(false) };
}
