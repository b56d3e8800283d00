/** The URLs and fields that scripts rely on, called as a script calls them, on the demo. */
import { beforeAll, expect, it } from 'vitest';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { demoPassword, loadDemo } from './load-demo.ts';

type Fields = Record<string, unknown>;
let app: TestApp;

beforeAll(async () => {
  const codeNumber = '14235550191';
  app = await testApp({ [codeNumber]: 'infobip' }, { CODE_NUMBER: codeNumber });
  await loadDemo(app.databaseUrl, app.dataDir, { sandboxUrl: app.sandbox.url, publicUrl: app.url });
});

async function ask(
  method: string,
  path: string,
  { body, cookie = '' }: { body?: object; cookie?: string } = {},
) {
  const answer = await fetch(app.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(cookie === '' ? {} : { cookie }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const cookies = answer.headers.getSetCookie().map((each) => each.split(';')[0]);
  return { status: answer.status, body: (await answer.json()) as Fields, cookie: cookies.join('; ') };
}

async function itemsAt(path: string): Promise<Fields[]> {
  const { Items } = (await (await app.sandbox.control('GET', path)).json()) as { Items: Fields[] };
  return Items;
}

const signIn = (UserName: string) =>
  ask('POST', '/proxy/public/login', { body: { UserName, Password: demoPassword } });

it('the demo’s users can sign in, including one who has just signed up', async () => {
  for (const name of ['demo-owner', 'demo-admin', 'demo-user', 'new-owner']) {
    expect((await signIn(name)).status, name).toBe(200);
  }
  const { cookie } = await signIn('new-owner');
  const { body } = await ask('GET', '/proxy/api/user/onboardingprogress', { cookie });
  expect(body.RedirectUrl).toBe('/onboarding');
  const mail = await app.until(async () =>
    (await itemsAt('/mails')).find(({ To }) => (To as string[]).includes('tessa@riverbend.example')),
  );
  const Token = /verify-email\?token=([\w-]+)/.exec(String(mail.Text))?.[1];
  expect((await ask('POST', '/proxy/public/verify-email', { body: { Token } })).status).toBe(200);
});

it('signing up creates an account; the mail and the code are in the sandbox', async () => {
  const body = {
    ...{ CompanyName: 'Script Club', FirstName: 'Ada', LastName: 'Script' },
    ...{ Email: 'ada@script.example', Password: 'a-good-horse-7' },
  };
  expect((await ask('POST', '/proxy/public/signup', { body })).status).toBe(200);
  const mail = await app.until(async () =>
    (await itemsAt('/mails')).find(({ To }) => (To as string[]).includes('ada@script.example')),
  );
  expect(mail).toMatchObject({
    ...{ From: 'muster@example.org', Subject: expect.any(String), Text: expect.any(String) },
  });
  const text = String(mail.Text);
  const UserName = /Your username is (\S+)\. /.exec(text)?.[1];
  const Token = /verify-email\?token=([\w-]+)/.exec(text)?.[1];
  const signedIn = await ask('POST', '/proxy/public/login', { body: { UserName, Password: body.Password } });
  expect(signedIn.status).toBe(200);
  expect((await ask('POST', '/proxy/public/verify-email', { body: { Token } })).status).toBe(200);
  const { cookie } = signedIn;
  const code = { Channel: 'sms', PhoneNumber: '4235550143' };
  expect((await ask('POST', '/proxy/api/user/sendmfa', { body: code, cookie })).status).toBe(200);
  const arrived = await app.until(async () => (await itemsAt('/phones/4235550143/messages')).at(-1));
  const digits = /\b\d{6}\b/.exec(String(arrived.Text))?.[0];
  expect((await ask('POST', `/proxy/api/user/verifymfa/${digits}`, { cookie })).status).toBe(200);
});

it('area code 423 has many numbers and 999 none', async () => {
  const { cookie } = await signIn('demo-owner');
  const many = await ask('GET', '/proxy/api/account/localnumbers?areacode=423', { cookie });
  expect((many.body.Items as Fields[]).length).toBeGreaterThan(5);
  expect((await ask('GET', '/proxy/api/account/localnumbers?areacode=999', { cookie })).status).toBe(404);
});
