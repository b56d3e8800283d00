import { createContext, useContext } from 'react';

/** Whether a page stands inside the shell, which has the main landmark already. */
export const InShell = createContext(false);

export function usePageElement(): { component: 'div' | 'main'; id?: string } {
  return useContext(InShell) ? { component: 'div' } : { component: 'main', id: 'content' };
}
