import { createHash, createPublicKey, verify } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { oidcClientSecret } from './oidc.ts';
import { type Client, createClient, startTestSandbox } from './testing.ts';

let client: Client;
beforeEach(async () => {
  client = createClient(await startTestSandbox());
});
afterEach(() => client.sandbox.close());

it('a directory: a code for who is chosen, good once, for the one who began', async () => {
  const { url } = client.sandbox;
  const described = (await (await fetch(`${url}/oidc/.well-known/openid-configuration`)).json()) as Record<
    string,
    string
  >;
  expect(described.issuer).toBe(`${url}/oidc`);
  const verifier = 'v'.repeat(43);
  const asked = new URLSearchParams({
    ...{ client_id: 'muster', redirect_uri: 'http://127.0.0.1:9/sso/callback', state: 's', nonce: 'n' },
    ...{ response_type: 'code', code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  });
  const page = await (await fetch(`${described.authorization_endpoint}?${asked}`)).text();
  expect(page).toContain('Dana Whitfield');
  const sentBack = await fetch(`${url}/oidc/choose?${asked}&person=taylor`, { redirect: 'manual' });
  const back = new URL(sentBack.headers.get('location') ?? '');
  expect([back.origin, back.searchParams.get('state')]).toEqual(['http://127.0.0.1:9', 's']);
  const code = back.searchParams.get('code') ?? '';
  const exchange = (change: Record<string, string> = {}) =>
    fetch(described.token_endpoint ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        ...{ grant_type: 'authorization_code', code, code_verifier: verifier },
        ...{
          client_id: 'muster',
          client_secret: oidcClientSecret,
          redirect_uri: 'http://127.0.0.1:9/sso/callback',
        },
        ...change,
      }),
    });
  const answer = await exchange();
  expect(answer.status).toBe(200);
  const { id_token, access_token } = (await answer.json()) as { id_token: string; access_token: string };
  const [head = '', body = '', signature = ''] = id_token.split('.');
  const { keys } = (await (await fetch(described.jwks_uri ?? '')).json()) as { keys: object[] };
  const key = createPublicKey({ key: keys[0] as never, format: 'jwk' });
  expect(verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))).toBe(
    true,
  );
  expect(JSON.parse(Buffer.from(body, 'base64url').toString())).toMatchObject({
    ...{ iss: `${url}/oidc`, aud: 'muster', nonce: 'n', sub: 'taylor' },
  });
  const about = await fetch(described.userinfo_endpoint ?? '', {
    headers: { authorization: `Bearer ${access_token}` },
  });
  expect(await about.json()).toMatchObject({ email: 'taylor.reed@harlowcreek.example' });
  expect((await exchange()).status).toBe(400);
  const wrong = await fetch(`${url}/oidc/choose?${asked}&person=dana`, { redirect: 'manual' });
  const second = new URL(wrong.headers.get('location') ?? '').searchParams.get('code') ?? '';
  expect((await exchange({ code: second, code_verifier: 'w'.repeat(43) })).status).toBe(400);
  expect((await exchange({ client_secret: 'guessed' })).status).toBe(401);
});
