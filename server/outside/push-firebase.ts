import { createSign } from 'node:crypto';
import { nowMs } from '../clock.ts';
import type { ServiceAccount } from '../config.ts';
import { isRecord } from './carrier-line.ts';
import { type PushService, pushLivesSeconds, pushMs, pushUnreachable, readPushStatus } from './push.ts';

const scope = 'https://www.googleapis.com/auth/firebase.messaging';
/** Google's access tokens last an hour; a new one is requested this long before the end. */
const earlyMs = 300_000;

/**
 * Firebase Cloud Messaging, HTTP v1. The notification is sent as data: the page's own worker shows it, as
 * with web push.
 */
export function firebaseService(account: ServiceAccount, baseUrl: string): PushService {
  const address = `${baseUrl.replace(/\/+$/, '')}/v1/projects/${encodeURIComponent(account.project_id)}/messages:send`;
  let access: { token: string; untilMs: number } | undefined;

  async function getAccess(signal: AbortSignal): Promise<string> {
    if (access !== undefined && nowMs() < access.untilMs) return access.token;
    const answer = await fetch(account.token_uri, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: signAssertion(account),
      }),
      signal,
    });
    const reply: unknown = await answer.json();
    if (!answer.ok || !isRecord(reply) || typeof reply.access_token !== 'string')
      throw new Error(`Firebase gives no access (${answer.status})`);
    access = {
      token: reply.access_token,
      untilMs: nowMs() + Number(reply.expires_in ?? 3600) * 1000 - earlyMs,
    };
    return access.token;
  }

  return {
    async send(token, notice, topic) {
      const signal = AbortSignal.timeout(pushMs);
      try {
        const answer = await fetch(address, {
          method: 'POST',
          headers: { authorization: `Bearer ${await getAccess(signal)}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            message: {
              token,
              data: Object.fromEntries(Object.entries(notice).map(([name, value]) => [name, String(value)])),
              webpush: { headers: { TTL: String(pushLivesSeconds), Urgency: 'high', Topic: topic } },
            },
          }),
          signal,
        });
        const words = await answer.text();
        if (answer.status === 401) access = undefined;
        // 404 is also returned for a project that doesn't exist: only with this word it is about the browser.
        if (answer.status === 404 && !words.includes('UNREGISTERED')) return pushUnreachable;
        return readPushStatus(answer.status, answer.headers.get('retry-after') ?? undefined);
      } catch {
        return pushUnreachable;
      }
    },
    close: async () => undefined,
  };
}

/** A service account authenticates with a signed token that is valid for an hour (RFC 7523). */
function signAssertion({ client_email, private_key, token_uri }: ServiceAccount): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = Math.floor(nowMs() / 1000);
  const claims = { iss: client_email, scope, aud: token_uri, iat, exp: iat + 3600 };
  const signed = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`;
  const signature = createSign('RSA-SHA256').update(signed).sign(private_key, 'base64url');
  return `${signed}.${signature}`;
}
