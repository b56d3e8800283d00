import { createContext, type ReactNode } from 'react';

/**
 * The button that the shell puts into a page's head on a phone when the page takes the bottom bar's place, so that an
 * emergency stays one tap away.
 */
export const HeadTool = createContext<ReactNode>(null);
