import { useCallback, useState } from 'react';

const storageKey = 'muster-contact-pane';

function recall(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'hidden';
  } catch {
    return true;
  }
}

/**
 * Decides whether the contact pane shows: beside the thread it keeps the user's choice, as a drawer it opens only on
 * request.
 */
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
      // Without storage, the choice lasts as long as the page.
    }
  }, [isInline, isInlineShown]);
  return { isShown: isInline ? isInlineShown : isDrawerShown, toggle };
}
