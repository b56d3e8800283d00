import { z } from 'zod';
import { webhookTypes } from '../webhook-events.ts';

/** Deliveries are counted up to here: an endpoint may have millions, and the page asks often. */
export const mostDeliveriesCounted = 10_000;

/** Ours: an endpoint for webhooks. Browser and server validate with the same rules. */
export const webhookForm = z.object({
  Url: z
    .string()
    .trim()
    .min(1, 'Enter the endpoint’s address')
    .max(2000, 'At most 2,000 characters')
    .refine((text) => {
      const url = URL.parse(text);
      return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
    }, 'Enter an address such as https://example.org/muster'),
  Description: z.string().trim().max(200, 'At most 200 characters').default(''),
  EventTypes: z
    .array(z.enum(webhookTypes))
    .min(1, 'Choose at least one event')
    .max(webhookTypes.length)
    .transform((types) => [...new Set(types)]),
});
