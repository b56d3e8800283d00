/** Format of dates and numbers. Pages in another language are built with theirs (vite-language.ts). */
export const locale = 'en-US';
