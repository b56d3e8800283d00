import { beforeAll, expect, it } from 'vitest';
import { getSso, mailDomainProofs, proveDomain, startSso, updateSso } from '../../contract/sso.ts';
import { type BuiltAccount, buildAccount } from '../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../testing/test-app.ts';

let app: TestApp;
let school: BuiltAccount;
let other: BuiltAccount;
let Metadata: string;

beforeAll(async () => {
  app = await testApp();
  const description = await (await fetch(`${app.sandbox.url}/saml/metadata`)).text();
  Metadata = description.replaceAll(app.sandbox.url, 'https://login.example.org');
  school = await buildAccount(app);
  other = await buildAccount(app);
});

const save = (Domains: string[], by = school.owner) =>
  app.call(
    updateSso,
    {
      body: {
        ...{ Protocol: 'saml' as const, Metadata, Domains },
      },
    },
    by,
  );
const unproved = async (by = school.owner) => (await app.call(getSso, {}, by)).body.Provider?.UnprovedDomains;
const start = (Email: string) => app.call(startSso, { body: { Email } });

/** The mails to an address, newest first: the tokens of their links. */
async function tokensTo(address: string): Promise<string[]> {
  const rows = await app.database.system
    .selectFrom('mails')
    .select('body_text')
    .where('to_address', '=', address)
    .orderBy('mail_id', 'desc')
    .execute();
  return rows.map(({ body_text }) => /prove-domain\?token=([\w.-]+)/.exec(body_text)?.[1] ?? '');
}

it('a domain leads to a directory once a person who runs it has agreed', async () => {
  expect((await save(['hill.example'])).status).toBe(200);
  expect(await unproved()).toEqual(['hill.example']);
  expect((await start('ann@hill.example')).status).toBe(422);
  const [Token = ''] = await tokensTo('postmaster@hill.example');
  expect(await tokensTo('admin@hill.example')).toEqual([Token]);
  // A program that opens links in mails doesn't agree to anything.
  for (let times = 0; times < 2; times += 1) {
    const shown = await app.call(proveDomain, { body: { Token } });
    expect(shown.body).toMatchObject({ Domain: 'hill.example' });
  }
  expect(await unproved()).toEqual(['hill.example']);
  expect((await app.call(proveDomain, { body: { Token, Agree: true } })).status).toBe(200);
  expect(await unproved()).toEqual([]);
  expect((await start('ann@hill.example')).status).toBe(200);
  const again = await app.call(proveDomain, { body: { Token, Agree: true } });
  expect(refusalOf(again)).toMatchObject({ status: 422, Message: expect.stringContaining('has expired') });
  // Saved again it stays verified, and nobody is asked again.
  expect((await save(['hill.example'])).status).toBe(200);
  expect(await unproved()).toEqual([]);
  expect(await tokensTo('postmaster@hill.example')).toHaveLength(1);
});

it('an unverified claim keeps nobody from their domain, and fails afterwards', async () => {
  expect((await save(['lake.example'], other.owner)).status).toBe(200);
  expect((await save(['hill.example', 'lake.example'])).status).toBe(200);
  const [mine = '', theirs = ''] = await tokensTo('postmaster@lake.example');
  expect((await app.call(proveDomain, { body: { Token: mine, Agree: true } })).status).toBe(200);
  const late = await app.call(proveDomain, { body: { Token: theirs, Agree: true } });
  expect(refusalOf(late).Message).toBe('Another organization here uses lake.example already.');
  expect(await unproved(other.owner)).toEqual(['lake.example']);
  const taken = await save(['lake.example'], other.owner);
  expect(refusalOf(taken).Message).toBe('Another organization here uses lake.example already.');
});

it('the mails are sent again, five times a day', async () => {
  expect((await save(['hill.example', 'dale.example'])).status).toBe(200);
  for (let times = 0; times < 5; times += 1) {
    const sent = await app.call(mailDomainProofs, {}, school.owner);
    expect(sent.body).toEqual({ Domains: ['dale.example'] });
  }
  expect(await tokensTo('postmaster@dale.example')).toHaveLength(6);
  expect((await app.call(mailDomainProofs, {}, school.owner)).status).toBe(429);
});

it('a domain of a mail provider belongs to everybody', async () => {
  expect(refusalOf(await save(['gmail.com'])).Message).toBe(
    'gmail.com is for everybody. Enter domains of your organization.',
  );
});
