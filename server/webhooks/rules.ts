import { createHmac, randomBytes } from 'node:crypto';

const minute = 60_000;
const hour = 60 * minute;

/** The wait after each try. Together a little less than the three days after which we give up. */
const waitsMs = [
  ...[5_000, minute, 5 * minute, 30 * minute],
  ...[2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 20 * hour],
];
/** Waits differ by up to a tenth, so that deliveries that failed together aren't retried together. */
const jitter = 0.1;

/** Time to wait after this many tries; undefined when that was the last one. */
export function waitAfter(tries: number, random: number): number | undefined {
  const wait = waitsMs[tries - 1];
  return wait === undefined ? undefined : Math.round(wait * (1 - jitter + 2 * jitter * random));
}

/**
 * An endpoint without any response is paused: 1, 2, 4 … 60 seconds. Its own deliveries wait; others don't.
 */
export const longestRestSeconds = 60;
/** Active requests to one endpoint; a failing one gets a few, to see whether it is back. */
export const atOnce = 64;
export const atOnceFailing = 2;
/** One that takes this long to respond, on average, holds many of them: it gets fewer. */
export const slowMs = 1_000;
export const atOnceSlow = 16;
/** Active requests to all endpoints of one account: a quarter of what a process has. */
export const atOnceAccount = 250;
/** Longer than any request takes. Active requests of a killed process are tried again after this. */
export const leaseSeconds = 60;
export const oldSecretHours = 24;
export const failingDays = 7;
/** Days that deliveries are kept, with their responses. */
export const keptDays = 30;
export const mostEndpoints = 100;

/** `whsec_` and 32 random bytes, as Standard Webhooks requires. */
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
