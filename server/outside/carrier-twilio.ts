import type { Carrier } from './carrier.ts';
import { openCarrierLine } from './carrier-line.ts';
import { createMediaFetcher } from './fetch-media.ts';
import { findAtTwilio } from './twilio-find.ts';
import { createTwilioHand } from './twilio-hand.ts';
import { readTwilioInbound, readTwilioReceipts } from './twilio-hooks.ts';

interface TwilioSettings {
  baseUrl: string;
  accountSid: string;
  authToken: string;
  publicUrl: string;
}

/** AggregatorID 2: one text per request, and a repeat is a second text. */
export function twilioCarrier({ baseUrl, accountSid, authToken, publicUrl }: TwilioSettings): Carrier {
  const basic = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
  const line = openCarrierLine(baseUrl, `Basic ${basic}`);
  const media = createMediaFetcher(line);
  const messagesPath = `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  return {
    aggregatorId: 2,
    name: 'Twilio',
    slice: 40,
    refusesRepeats: false,
    hand: createTwilioHand(line, messagesPath, publicUrl),
    find: (texts) => findAtTwilio(line, messagesPath, texts),
    readReceipts: (hook) => readTwilioReceipts(hook, authToken),
    readInbound: (hook) => readTwilioInbound(hook, authToken),
    hookReply: { contentType: 'text/xml', body: '<?xml version="1.0" encoding="UTF-8"?><Response/>' },
    fetchMedia: media.fetch,
    async close() {
      await Promise.all([line.close(), media.close()]);
    },
  };
}
