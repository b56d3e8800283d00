import { createContext, type ReactNode } from 'react';

/**
 * What the shell puts into a page's head on a phone, where the page takes the bottom bar's place: the way to an
 * emergency stays one tap.
 */
export const HeadTool = createContext<ReactNode>(null);
