import { useState } from 'react';

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
  if (!isInline) return { isShown: isDrawerShown, toggle: () => setDrawerShown((before) => !before) };
  const toggle = () => {
    const next = !isInlineShown;
    setInlineShown(next);
    try {
      localStorage.setItem(storageKey, next ? 'shown' : 'hidden');
    } catch {
      // Storage is refused: the choice lives as long as the page.
    }
  };
  return { isShown: isInlineShown, toggle };
}
