import type { RefObject } from 'react';

/** A text with a piece at the caret, or in place of what is selected. The caret follows once the field shows it. */
export function spliceText(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  piece: string,
): string {
  const start = field.current?.selectionStart ?? text.length;
  const end = field.current?.selectionEnd ?? start;
  requestAnimationFrame(() => {
    field.current?.focus();
    field.current?.setSelectionRange(start + piece.length, start + piece.length);
  });
  return text.slice(0, start) + piece + text.slice(end);
}
