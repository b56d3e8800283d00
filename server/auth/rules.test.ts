import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  attemptKey,
  delaySeconds,
  endedSessionCookie,
  networkOf,
  readSessionToken,
  readSocketKey,
  sessionCookie,
  socketKey,
  userHash,
} from './rules.ts';

const secret = Buffer.from('0123456789abcdef0123456789abcdef');
const plain = { isTls: false };
const tls = { isTls: true };

describe('how long one has to wait after failures in a row', () => {
  it.each([
    ['name', 1, 0],
    ['name', 4, 0],
    ['name', 5, 15],
    ['name', 6, 30],
    ['name', 7, 60],
    ['name', 10, 480],
    ['name', 11, 900],
    ['name', 1_000_000, 900],
    ['address', 5, 0],
    ['address', 19, 0],
    ['address', 20, 15],
    ['address', 21, 30],
    ['address', 26, 900],
  ] as const)('%s, %i failures: %i seconds', (kind, failures, seconds) => {
    expect(delaySeconds(kind, failures)).toBe(seconds);
  });

  it('never shrinks', () => {
    for (const kind of ['name', 'address'] as const) {
      for (let failures = 1; failures < 100; failures += 1) {
        expect(delaySeconds(kind, failures + 1)).toBeGreaterThanOrEqual(delaySeconds(kind, failures));
      }
    }
  });
});

describe('the key under which failures are counted', () => {
  it('is the same however a name is written, and another for an address of the same letters', () => {
    expect(attemptKey(secret, 'name', 'Demo-Owner')).toEqual(attemptKey(secret, 'name', 'demo-owner'));
    expect(attemptKey(secret, 'name', 'demo')).not.toEqual(attemptKey(secret, 'address', 'demo'));
    expect(attemptKey(Buffer.from('other'), 'name', 'demo')).not.toEqual(attemptKey(secret, 'name', 'demo'));
  });
});

describe('the network that failures from an address are counted under', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::2:0:0:0:1', '2001:db8:0:2::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['::192.0.2.1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['not an address', 'not an address'],
    ['1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:7:8:9'],
    ['::1]/x', '::1]/x'],
    ['192.0.2.1:443', '192.0.2.1:443'],
    ['', ''],
  ])('%s: %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it('is the same for every address of a /64, however it is written, and another for the next', () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    fc.assert(
      fc.property(
        fc.tuple(group, group, group, group),
        fc.tuple(group, group, group, group),
        (network, rest) => {
          fc.pre(network.some((part) => part !== 0));
          const written = [...network, ...rest].map((part) => part.toString(16)).join(':');
          // As the URL standard shortens it.
          const shortened = new URL(`http://[${written}]`).hostname.slice(1, -1);
          const expected = `${network.map((part) => part.toString(16)).join(':')}::/64`;
          expect([networkOf(written), networkOf(shortened)]).toEqual([expected, expected]);
        },
      ),
    );
  });
});

describe('the socket key', () => {
  const who = { accountId: 12, sessionId: 345 };
  const at = Date.UTC(2026, 10, 15, 12);

  it('says who, for a minute', () => {
    const key = socketKey(secret, who, at);
    expect(readSocketKey(secret, key, at)).toEqual(who);
    expect(readSocketKey(secret, key, at + 60_000)).toEqual(who);
    expect(readSocketKey(secret, key, at + 61_000)).toBeUndefined();
  });

  it('is worth nothing with any part changed, or signed with another secret', () => {
    const key = socketKey(secret, who, at);
    const parts = key.split('.');
    for (const [index, part] of parts.entries()) {
      const changed = index === 3 ? part.toUpperCase() : String(Number(part) + 1);
      const other = parts.with(index, changed).join('.');
      expect(readSocketKey(secret, other, at), other).toBeUndefined();
    }
    expect(readSocketKey(Buffer.from('another secret'), key, at)).toBeUndefined();
    expect(readSocketKey(secret, `${key}x`, at)).toBeUndefined();
  });

  it('refuses whatever else comes, without failing', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(fc.string()).map((parts) => parts.join('.')),
        ),
        (text) => {
          expect(readSocketKey(secret, text, at)).toBeUndefined();
        },
      ),
    );
  });
});

describe('the session cookie', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['muster-session=abc', 'abc'],
    ['other=1; muster-session=abc; more=2', 'abc'],
    ['other=1;muster-session=abc', 'abc'],
    ['xmuster-session=abc', undefined],
    ['__Host-muster-session=abc', undefined],
    ['muster-session', undefined],
    ['muster-session=a=b', 'a=b'],
  ])('%j holds %j', (header, token) => {
    expect(readSessionToken(header, plain)).toBe(token);
  });

  it('has another name under TLS, and the plain one is not accepted there', () => {
    expect(readSessionToken('__Host-muster-session=abc', tls)).toBe('abc');
    expect(readSessionToken('muster-session=abc', tls)).toBeUndefined();
  });

  it('is written so that scripts and other sites can’t use it', () => {
    expect(sessionCookie('abc', false, plain)).toBe('muster-session=abc; Path=/; HttpOnly; SameSite=Lax');
    expect(sessionCookie('abc', true, tls)).toBe(
      '__Host-muster-session=abc; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=2592000',
    );
    expect(endedSessionCookie(plain)).toBe('muster-session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0');
    expect(endedSessionCookie(tls)).toBe(
      '__Host-muster-session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure',
    );
  });
});

it('the hash for the help chat belongs to one user and one installation', () => {
  expect(userHash(secret, 7)).toMatch(/^[0-9a-f]{64}$/);
  expect(userHash(secret, 7)).toBe(userHash(secret, 7));
  expect(userHash(secret, 8)).not.toBe(userHash(secret, 7));
  expect(userHash(Buffer.from('other'), 7)).not.toBe(userHash(secret, 7));
});
