import { z } from 'zod';

const host = /^(?=.{4,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d-]{1,63}(:\d{1,5})?$/;

/** Ours: where short links are. Browser and server judge with the same rules. */
export const linkHostForm = z.object({
  /** Pasted as an address, it is the host of it. */
  LinkHost: z
    .string()
    .trim()
    .toLowerCase()
    .transform((text) => text.replace(/^https?:\/\//, '').replace(/\/+$/, ''))
    .pipe(z.string().refine((text) => text === '' || host.test(text), 'Enter a host such as go.example.org')),
});
