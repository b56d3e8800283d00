import { isIP } from 'node:net';
import { Agent, type Dispatcher, request } from 'undici';
import webPush from 'web-push';
import { z } from 'zod';
import { isPrivateAddress, lookupPublic } from './private-address.ts';
import { type PushService, pushLivesSeconds, pushMs, pushUnreachable, readPushStatus } from './push.ts';

/** A pair of keys that identifies this installation to push services (RFC 8292), in URL-safe base64. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

export function createVapidKeys(): VapidKeys {
  return webPush.generateVAPIDKeys();
}

const base64 = (bytes: number) =>
  z.string().refine((text) => /^[\w-]+=*$/.test(text) && Buffer.from(text, 'base64url').length === bytes);

/** A browser's subscription, in the format of its toJSON(). */
const subscription = z.object({
  endpoint: z.url({ protocol: /^https$/ }).max(2000),
  keys: z.object({ p256dh: base64(65), auth: base64(16) }),
});
export type Subscription = z.output<typeof subscription>;

/** Undefined if the text isn't a valid subscription. */
export function readSubscription(token: string): Subscription | undefined {
  try {
    const { data } = subscription.safeParse(JSON.parse(token));
    return data === undefined || isPrivateHost(data.endpoint) ? undefined : data;
  } catch {
    return undefined;
  }
}

/** An IP address is never looked up, so it is checked here. */
function isPrivateHost(endpoint: string): boolean {
  const host = new URL(endpoint).hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && isPrivateAddress(host);
}

/**
 * Web push (RFC 8030, 8188, 8291, 8292). Its URL comes from the browser of a signed-in user, so it may lead
 * anywhere: only https, only public hosts, and the response is never shown to anybody.
 */
export function webPushService(
  keys: VapidKeys,
  subject: string,
  dispatcher: Dispatcher = new Agent({ allowH2: false, connect: { timeout: 3_000, lookup: lookupPublic } }),
): PushService {
  const vapidDetails = { subject, ...keys };
  return {
    async send(token, notice, topic) {
      const to = readSubscription(token);
      if (to === undefined) return 'gone';
      try {
        const options = { vapidDetails, TTL: pushLivesSeconds, urgency: 'high', topic } as const;
        const details = webPush.generateRequestDetails(to, JSON.stringify(notice), options);
        const { statusCode, headers, body } = await request(details.endpoint, {
          method: 'POST',
          headers: details.headers as Record<string, string>,
          body: details.body,
          dispatcher,
          signal: AbortSignal.timeout(pushMs),
        });
        await body.dump();
        return readPushStatus(statusCode, headers['retry-after']);
      } catch {
        return pushUnreachable;
      }
    },
    close: () => dispatcher.close(),
  };
}
