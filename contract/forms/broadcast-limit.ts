import { z } from 'zod';

function whole(words: string, most: number) {
  return z.coerce.number<string | number>({ error: words }).int(words).min(1, words).max(most, words);
}

/** Ours: at most so many broadcasts for a person in so many days. */
export const broadcastLimitForm = z.object({
  Most: whole('Enter a number from 1 to 100', 100),
  Days: whole('Enter a number of days from 1 to 90', 90),
});

/** The same with the switch that the settings page has. */
export const broadcastLimitSettings = broadcastLimitForm.extend({ IsOn: z.boolean() });
