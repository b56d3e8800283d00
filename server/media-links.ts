import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { nowMs } from './clock.ts';

/**
 * Links to pictures and sounds. Browsers, carriers and telephones fetch them without signing in, so a link
 * contains a pass: its expiry, and a signature of that and of the path. The expiry is rounded up to the end
 * of a day, so that the link stays the same all day and a browser can cache it. Why: docs/decisions/0148.
 */
const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** Fewest whole days that a link is valid, by who fetches it. */
const leastDays = {
  /** A page, or a program that called the API. Each new request gets new links. */
  page: 1,
  /** A carrier, which may keep a text for days before it fetches the picture. */
  carrier: 7,
} as const;

export type LinkUse = keyof typeof leastDays;

/** A process belongs to one installation, and signs with its secret. */
let ownKey: Buffer | undefined;

/** Must run before any code that creates links: at the start of a web or worker process. */
export function signLinksWith(installationSecret: Buffer): void {
  ownKey = keyOf(installationSecret);
}

function keyOf(installationSecret: Buffer | string): Buffer {
  return Buffer.from(hkdfSync('sha256', installationSecret, '', 'muster media links', 32));
}

/** The path with a pass. A link's extension (.wav, .ulaw) is not signed: it is the same sound. */
export function linkTo(path: string, use: LinkUse): string {
  if (ownKey === undefined) throw new Error('Nothing to sign links with: signLinksWith() comes first.');
  return `${path}?pass=${writePass(ownKey, path, use)}`;
}

/** The same with another secret, for uses outside the installation's own. */
export function passFor(secret: string, path: string, use: LinkUse): string {
  return writePass(keyOf(secret), path, use);
}

function writePass(key: Buffer, path: string, use: LinkUse): string {
  const untilMs = (Math.floor(nowMs() / dayMs) + 1 + leastDays[use]) * dayMs;
  const hours = (untilMs / hourMs).toString(36);
  return `${hours}-${sign(key, path, hours).toString('base64url')}`;
}

/** 128 bits of it: nobody can try them all against a web server. */
function sign(key: Buffer, path: string, hours: string): Buffer {
  const signed = path.replace(/\.\w+$/, '');
  return createHmac('sha256', key).update(`${hours}\n${signed}`).digest().subarray(0, 16);
}

/** Seconds that a pass is still valid: 0 or less when it has expired, undefined when it isn't one of ours. */
export function secondsLeft(secret: Buffer | string, path: string, pass: string): number | undefined {
  const [, hours = '', signature = ''] = /^([0-9a-z]{1,8})-([\w-]{22})$/.exec(pass) ?? [];
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== 16 || !timingSafeEqual(given, sign(keyOf(secret), path, hours))) return undefined;
  return Math.floor((Number.parseInt(hours, 36) * hourMs - nowMs()) / 1000);
}
