import { createContext, useContext } from 'react';

/** True if a page is inside the shell, which already has the main landmark. */
export const InShell = createContext(false);

export function usePageElement(): { component: 'div' | 'main'; id?: string } {
  return useContext(InShell) ? { component: 'div' } : { component: 'main', id: 'content' };
}
