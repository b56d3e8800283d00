import { useEffect } from 'react';

/** "(7) Inbox · Muster": the unread count in front, at most "(999+) ". */
export function composeTitle(page: string, unread: number): string {
  const count = unread > 999 ? '(999+) ' : unread > 0 ? `(${unread}) ` : '';
  return `${count}${page === '' ? 'Muster' : `${page} · Muster`}`;
}

let page = '';
let unread = 0;

function apply(): void {
  document.title = composeTitle(page, unread);
}

/** Each page sets its name; the shell sets the unread count. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    page = title;
    apply();
  }, [title]);
}

export function useUnreadInTitle(count: number): void {
  useEffect(() => {
    unread = count;
    apply();
    return () => {
      unread = 0;
      apply();
    };
  }, [count]);
}
