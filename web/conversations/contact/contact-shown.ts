import { useCallback, useState } from 'react';

const storageKey = 'muster-contact-pane';

function recall(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'hidden';
  } catch {
    return true;
  }
}

/** Whether the contact pane is shown: beside the thread as one left it, over it only when asked for. */
export function useContactShown(isInline: boolean): { isShown: boolean; toggle: () => void } {
  const [isInlineShown, setInlineShown] = useState(recall);
  const [isDrawerShown, setDrawerShown] = useState(false);
  const toggle = useCallback(() => {
    if (!isInline) return setDrawerShown((before) => !before);
    const next = !isInlineShown;
    setInlineShown(next);
    try {
      localStorage.setItem(storageKey, next ? 'shown' : 'hidden');
    } catch {
      // Storage is refused: the choice lives as long as the page.
    }
  }, [isInline, isInlineShown]);
  return { isShown: isInline ? isInlineShown : isDrawerShown, toggle };
}
