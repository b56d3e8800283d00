import { createHmac, randomBytes } from 'node:crypto';

const minute = 60_000;
const hour = 60 * minute;

/** How long after each try the next one follows. Together a little less than the three days after which we give up. */
const waitsMs = [
  ...[5_000, minute, 5 * minute, 30 * minute],
  ...[2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 20 * hour],
];
/** Waits differ by up to a tenth, so that what failed together doesn't come back together. */
const jitter = 0.1;

/** When to try again after so many tries; undefined when that was the last one. */
export function waitAfter(tries: number, random: number): number | undefined {
  const wait = waitsMs[tries - 1];
  return wait === undefined ? undefined : Math.round(wait * (1 - jitter + 2 * jitter * random));
}

/** An endpoint that gave no answer at all rests: 1, 2, 4 … 60 seconds. Its own deliveries wait; others don't. */
export const longestRestSeconds = 60;
/** Requests under way to one endpoint; to one that is failing a few, to see whether it is back. */
export const atOnce = 64;
export const atOnceFailing = 2;
/** Longer than any request takes. What a killed process had under way is tried again after this. */
export const leaseSeconds = 60;
export const oldSecretHours = 24;
export const failingDays = 7;
/** How long deliveries are kept, with what was answered. */
export const keptDays = 30;
export const mostEndpoints = 100;

/** `whsec_` and 32 random bytes, as Standard Webhooks has it. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Standard Webhooks: an HMAC over the id, the time and the body. With several secrets, each signs. */
export function signWebhook(
  secrets: readonly string[],
  { id, seconds, body }: { id: string; seconds: number; body: string },
): string {
  return secrets
    .map((secret) => Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .map((key) => `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`)
    .join(' ');
}
