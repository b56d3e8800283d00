import { z } from 'zod';

const host = /^(?=.{4,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d-]{1,63}(:\d{1,5})?$/;

/** Ours: the host of short links. Browser and server validate with the same rules. */
export const linkHostForm = z.object({
  /** If an address was pasted, its host is used. */
  LinkHost: z
    .string()
    .trim()
    .toLowerCase()
    .transform((text) => text.replace(/^https?:\/\//, '').replace(/\/+$/, ''))
    .pipe(z.string().refine((text) => text === '' || host.test(text), 'Enter a host such as go.example.org')),
});
