import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../config.ts';

/** Idle sessions end: after half a day, or after thirty days on a computer where one stays signed in. */
const idleHours = { kept: 30 * 24, plain: 12 } as const;

export function sessionHours(isKept: boolean): number {
  return isKept ? idleHours.kept : idleHours.plain;
}

/** Under TLS the __Host- prefix: the cookie can't be set by another host or over plain HTTP. */
function cookieName(config: Pick<Config, 'isTls'>): string {
  return config.isTls ? '__Host-muster-session' : 'muster-session';
}

export function readSessionToken(
  header: string | undefined,
  config: Pick<Config, 'isTls'>,
): string | undefined {
  return readCookie(header, cookieName(config));
}

export function readCookie(header: string | undefined, name: string): string | undefined {
  const start = `${name}=`;
  return header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(start))
    ?.slice(start.length);
}

export function sessionCookie(token: string, isKept: boolean, config: Pick<Config, 'isTls'>): string {
  return [
    `${cookieName(config)}=${token}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    ...(config.isTls ? ['Secure'] : []),
    ...(isKept ? [`Max-Age=${idleHours.kept * 3600}`] : []),
  ].join('; ');
}

export function endedSessionCookie(config: Pick<Config, 'isTls'>): string {
  return `${cookieName(config)}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0${config.isTls ? '; Secure' : ''}`;
}

/** The stored hash of a session's token. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Failed sign-ins are counted by name and by network, other attempts by theirs, each under a keyed hash. */
export function attemptKey(secret: Buffer, kind: string, value: string): Buffer {
  return createHmac('sha256', secret).update(`${kind}:${value.toLowerCase()}`).digest();
}

/**
 * The network of an address: IPv4 is unchanged, IPv6 is its /64, since whoever has one address in it has all
 * 2^64. An IPv4 address written as IPv6 (::ffff:192.0.2.1) is that IPv4 address.
 */
export function networkOf(address: string): string {
  const groups = ipv6Groups(address);
  if (groups === undefined) return address;
  const isIPv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isIPv4) {
    const bytes = groups.slice(6).flatMap((group) => [group >> 8, group & 0xff]);
    return bytes.join('.');
  }
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

/** A wider network than networkOf: the address of telephones and routers changes within it. */
function rangeOf(address: string): string {
  const network = networkOf(address);
  const [, v4] = /^(\d+\.\d+\.\d+)\.\d+$/.exec(network) ?? [];
  if (v4 !== undefined) return `${v4}.0/24`;
  const groups = ipv6Groups(address)?.slice(0, 3);
  return groups === undefined ? network : `${groups.map((group) => group.toString(16)).join(':')}::/48`;
}

/**
 * The location of an address, as far as it is known without asking a service: this computer, Muster's own
 * network, or the range of the internet that it belongs to.
 */
export function placeOf(address: string): string {
  const network = networkOf(address);
  if (/^127\./.test(network) || address === '::1') return 'This computer';
  if (/^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.)/.test(network)) return 'Local network';
  if (/^(f[cd]|fe[89ab])/i.test(address)) return 'Local network';
  return /[.:]/.test(network) ? `Network ${rangeOf(address)}` : 'Unknown network';
}

/** Keys that recognize a device: by the browser's own cookie, and also by browser and network. */
export function deviceKeys(secret: Buffer, of: { id: string; name: string; address: string }): Buffer[] {
  const keyed = (text: string) => createHmac('sha256', secret).update(`device:${text}`).digest();
  return [keyed(`id:${of.id}`), keyed(`place:${of.name}:${rangeOf(of.address)}`)];
}

const deviceDays = 400;

function deviceCookieName(config: Pick<Config, 'isTls'>): string {
  return config.isTls ? '__Host-muster-device' : 'muster-device';
}

export function readDeviceId(header: string | undefined, config: Pick<Config, 'isTls'>): string | undefined {
  const id = readCookie(header, deviceCookieName(config));
  return id !== undefined && /^[\w-]{22}$/.test(id) ? id : undefined;
}

/** Tells this browser from others; grants no access. */
export function deviceCookie(id: string, config: Pick<Config, 'isTls'>): string {
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${deviceDays * 86_400}`];
  return [`${deviceCookieName(config)}=${id}`, ...attributes, ...(config.isTls ? ['Secure'] : [])].join('; ');
}

/** The eight groups of an IPv6 address, in any notation; undefined when it isn't one. */
function ipv6Groups(address: string): number[] | undefined {
  const [plain = ''] = address.split('%');
  if (!/^[0-9a-f.]*:[0-9a-f:.]*$/i.test(plain)) return undefined;
  // The URL standard knows every way to write one and gives back one: hexadecimal, the longest run of zeros left out.
  const host = URL.parse(`http://[${plain}]`)?.hostname;
  if (host === undefined) return undefined;
  const [first = [], last = []] = host
    .slice(1, -1)
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':').map((group) => Number.parseInt(group, 16))));
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

const freeTries = { name: 5, address: 20, code: 5 } as const;
/** Passwords are counted by name and by network, codes of a second factor by user. */
export type AttemptKind = keyof typeof freeTries;
const firstDelaySeconds = 15;
const longestDelaySeconds = 15 * 60;

/** Failures are forgotten after an hour without one. */
export const attemptsKeptHours = 1;

/**
 * The wait after this many failures in a row: none at first (people mistype), then 15 seconds, doubling up to
 * 15 minutes.
 */
export function delaySeconds(kind: AttemptKind, failures: number): number {
  const over = failures - freeTries[kind];
  if (over < 0) return 0;
  return Math.min(longestDelaySeconds, firstDelaySeconds * 2 ** Math.min(over, 10));
}

const socketKeySeconds = 60;

/** The signed key for the socket's handshake: the user, and its expiry. */
export function socketKey(
  secret: Buffer,
  who: { accountId: number; sessionId: number },
  nowMs: number,
): string {
  const text = `${who.accountId}.${who.sessionId}.${Math.floor(nowMs / 1000) + socketKeySeconds}`;
  return `${text}.${sign(secret, text)}`;
}

export function readSocketKey(
  secret: Buffer,
  key: string,
  nowMs: number,
): { accountId: number; sessionId: number } | undefined {
  const [accountId = '', sessionId = '', until = '', signature = ''] = key.split('.');
  const expected = Buffer.from(sign(secret, `${accountId}.${sessionId}.${until}`));
  const given = Buffer.from(signature);
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined;
  if (Number(until) * 1000 < nowMs) return undefined;
  return { accountId: Number(accountId), sessionId: Number(sessionId) };
}

function sign(secret: Buffer, text: string): string {
  return createHmac('sha256', secret).update(`socket:${text}`).digest('base64url');
}

/** Proves the user's identity to the help chat. */
export function userHash(secret: Buffer, userId: number): string {
  return createHmac('sha256', secret).update(`user:${userId}`).digest('hex');
}

/** The same with the secret that a chat's vendor gave, over the id alone, as vendors check it. */
export function helpChatHash(secret: string, userId: number): string {
  return createHmac('sha256', secret).update(String(userId)).digest('hex');
}
