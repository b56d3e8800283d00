import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getUser, updateUser } from '../../contract/accounts.ts';
import { listAuditLog } from '../../contract/audit-log.ts';
import { listSessions, login } from '../../contract/auth.ts';
import { finishSso, getSso, startSso, updateSso } from '../../contract/sso.ts';
import { makeCertificate } from '../../scripts/test-certificates.ts';
import { type BuiltAccount, buildAccount, buildUser, password } from '../testing/builders.ts';
import { createSamlDirectory, type Said, sha1, signAnswer, writeAnswer } from '../testing/saml-directory.ts';
import { refusalOf, type TestApp, type TestReply, testApp } from '../testing/test-app.ts';

const signInUrl = 'https://login.school.example/saml';
const directory = createSamlDirectory('https://login.school.example', signInUrl);
/** Another organization's, which is valid only there. */
const elsewhere = createSamlDirectory('https://login.library.example', 'https://login.library.example/saml');
const startAgain = 'This sign-in is over. Start again from the sign-in page.';
const distrusted = 'can’t be trusted';

let app: TestApp;
let account: BuiltAccount;
let other: BuiltAccount;
/** The URL of the directory's metadata. */
let described: Server;
let metadataUrl: string;
let description: () => [number, string] = () => [200, directory.metadata];

beforeAll(async () => {
  described = createServer((_request, response) => {
    const [status, body] = description();
    response.writeHead(status).end(body);
  });
  described.listen(0, '127.0.0.1');
  await once(described, 'listening');
  const host = `127.0.0.1:${(described.address() as AddressInfo).port}`;
  metadataUrl = `http://${host}/metadata`;
  app = await testApp({}, { SSO_ALLOWED_HOSTS: host, SSO_ONLY_GROUP_CODES: 'ford', SIGNUP: '0' });
  account = await buildAccount(app);
  other = await buildAccount(app);
  await sql`update users set email = 'own@school.example' where user_id = ${account.owner.userId}`.execute(
    app.database.system,
  );
  expect((await save()).status).toBe(200);
  const theirs = { Metadata: elsewhere.metadata, Domains: ['library.example'] };
  expect((await save(theirs, other.owner)).status).toBe(200);
});
afterAll(() => {
  described.close();
});
beforeEach(async () => {
  description = () => [200, directory.metadata];
  await sql`delete from sign_in_attempts`.execute(app.database.system);
});

const settings = () => ({
  IsEnabled: true,
  Protocol: 'saml' as const,
  MetadataUrl: '',
  Metadata: directory.metadata,
  Domains: ['school.example'],
  CreatesUsers: true,
  DefaultRole: 'user' as const,
  GroupsClaim: 'groups',
  GroupRoles: [{ Group: 'office', Role: 'admin' as const }],
});
const save = (change: Partial<ReturnType<typeof settings>> = {}, by = account.owner) =>
  app.call(updateSso, { body: { ...settings(), ...change } }, by);
const cookieOf = ({ headers }: TestReply<unknown>, name: string) =>
  new RegExp(`${name}=[^;]+`).exec(headers.getSetCookie().join())?.[0] ?? '';
const ownMetadata = async () => (await fetch(`${app.url}/sso/saml/metadata`)).text();

async function begin(email = 'ann@school.example', at: typeof directory = directory) {
  const begun = await app.call(startSso, { body: { Email: email } });
  expect(begun.status).toBe(200);
  const request = await at.readRequest(begun.body.Url, await ownMetadata());
  return { ...begun, requestId: request.id, cookie: cookieOf(begun, 'muster-sso') };
}

function said(requestId: string, change: Partial<Said> = {}): Said {
  return {
    ...{ requestId, acsUrl: `${app.url}/sso/saml`, audience: `${app.url}/sso/saml/metadata` },
    ...{ issuer: 'https://login.school.example', until: 300, status: 'Success', nameId: 'ann-1' },
    nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    attributes: { mail: ['ann@school.example'], givenName: ['Ann'], sn: ['Lee'], groups: ['staff'] },
    ...change,
  };
}

/** Like the directory's page in the browser: without our cookies, and following redirects. */
async function post(xml: string): Promise<string> {
  const answer = await fetch(`${app.url}/sso/saml`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: 'https://login.school.example', 'sec-fetch-site': 'cross-site' },
    body: new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64') }),
  });
  expect(answer.status).toBe(303);
  expect(answer.headers.getSetCookie()).toEqual([]);
  const page = new URL(answer.headers.get('location') ?? '', app.url);
  expect([page.origin, page.pathname]).toEqual([app.url, '/sso/callback']);
  return page.search.slice(1);
}

const finish = (Query: string, cookie: string) => app.call(finishSso, { body: { Query } }, { cookie });

async function signInAs(change: Partial<Said> = {}, sign = (xml: string) => signAnswer(xml, directory)) {
  const { requestId, cookie } = await begin();
  return finish(await post(sign(writeAnswer(said(requestId, change)))), cookie);
}

/** Nobody gets in, and the user reads why. */
async function expectRefused(reply: Promise<TestReply<unknown>>, sentence: string) {
  const refused = await reply;
  expect(refusalOf(refused)).toMatchObject({ status: 422, Message: expect.stringContaining(sentence) });
  expect(refused.headers.getSetCookie()).toEqual([]);
}

describe('a valid response', () => {
  it('creates a user at the first sign-in, with the role of their group, and finds them later', async () => {
    const reply = await signInAs();
    expect(reply.status).toBe(200);
    const ann = { cookie: cookieOf(reply, 'muster-session') };
    const { body: user } = await app.call(getUser, {}, ann);
    expect(user).toMatchObject({ FirstName: 'Ann', LastName: 'Lee', Email: 'ann@school.example' });
    expect(user.IsAccountAdmin).toBe(false);
    expect((await app.call(listSessions, {}, ann)).body.Items[0]?.Method).toBe('sso');
    // The whole response signed instead, under the names that Microsoft uses, with another address and in
    // another group.
    const claim = (name: string) => `http://schemas.xmlsoap.org/ws/2005/05/identity/claims/${name}`;
    const attributes = { [claim('emailaddress')]: ['a.lee@school.example'], groups: ['staff', 'office'] };
    const again = await signInAs({ attributes }, (xml) => signAnswer(xml, directory, { whole: true }));
    expect(again.body.UserID).toBe(user.UserID);
    expect(
      (await app.call(getUser, {}, { cookie: cookieOf(again, 'muster-session') })).body.IsAccountAdmin,
    ).toBe(true);
    const { body: log } = await app.call(listAuditLog, { query: { who: user.UserID } }, account.owner);
    expect(log.Items.map(({ Kind }) => Kind)).toContain('user.created');
  });

  it('is also accepted from the sandbox’s directory, which has its own signing code', async () => {
    const theirs = await buildAccount(app);
    const there = 'https://sandbox.example/saml/sso';
    const metadata = await (await fetch(`${app.sandbox.url}/saml/metadata`)).text();
    const Metadata = metadata.replace(`${app.sandbox.url}/saml/sso`, there);
    expect((await save({ Metadata, Domains: ['secondstreet.example'] }, theirs.owner)).status).toBe(200);
    const begun = await app.call(startSso, { body: { Email: 'noah@secondstreet.example' } });
    const asked = begun.body.Url.replace(there, `${app.sandbox.url}/saml/sso`);
    const choices = await (await fetch(asked)).text();
    const choice = /href="([^"]+noah)"/.exec(choices)?.[1]?.replaceAll('&#38;', '&') ?? '';
    const page = await (await fetch(app.sandbox.url + choice)).text();
    expect(page).toContain(`action="${app.url}/sso/saml"`);
    const answer = Buffer.from(/value="([^"]+)"/.exec(page)?.[1] ?? '', 'base64').toString();
    const reply = await finish(await post(answer), cookieOf(begun, 'muster-sso'));
    expect(reply.body.AccountID).toBe(theirs.accountId);
    const { body: noah } = await app.call(getUser, {}, { cookie: cookieOf(reply, 'muster-session') });
    expect(noah).toMatchObject({ FirstName: 'Noah', LastName: 'Lindqvist', IsAccountAdmin: true });
  });

  it('finds an existing user by mail, and an owner stays owner, whatever their groups', async () => {
    const reply = await signInAs({
      ...{ nameId: 'own@school.example', attributes: { groups: ['staff'] } },
      nameIdFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
    });
    expect(reply.body.UserID).toBe(account.owner.userId);
    const { body } = await app.call(getUser, {}, { cookie: cookieOf(reply, 'muster-session') });
    expect(body.IsMasterUser).toBe(true);
  });

  it('is refused for another domain, a deactivated user, a temporary name, or by the directory', async () => {
    const as = (nameId: string, mail: string) => ({ nameId, attributes: { mail: [mail] } });
    await expectRefused(signInAs(as('mal-1', 'mal@elsewhere.example')), 'isn’t of a domain');
    await expectRefused(signInAs({ nameId: 'nobody', attributes: {} }), 'verified email');
    const off = await buildUser(app, account.accountId, 'user', { isActive: false });
    await sql`update users set email = 'off@school.example' where user_id = ${off.userId}`.execute(
      app.database.system,
    );
    await expectRefused(signInAs(as('off-1', 'off@school.example')), 'was turned off');
    // A user who enters a colleague's address as their own doesn't share their account with the colleague.
    const mal = await buildUser(app, account.accountId, 'user');
    await app.call(updateUser, { body: { Email: 'head@school.example' } }, mal);
    await expectRefused(signInAs(as('head-1', 'head@school.example')), 'hasn’t verified it');
    const nameIdFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
    await expectRefused(signInAs({ nameIdFormat }), 'another name each time');
    await expectRefused(signInAs({ status: 'Responder' }), 'didn’t let you in');
    await save({ CreatesUsers: false });
    await expectRefused(signInAs(as('new-1', 'new@school.example')), 'Ask your account owner to add you');
    await save();
  });
});

describe('an attack', () => {
  it('without a signature, with a stranger’s key, or changed after it was signed', async () => {
    await expectRefused(
      signInAs({}, (xml) => xml),
      distrusted,
    );
    // The stranger's certificate comes with the response; it is ignored.
    await expectRefused(
      signInAs({}, (xml) => signAnswer(xml, makeCertificate('https://login.school.example'))),
      distrusted,
    );
    const owner = (xml: string) => xml.replace('ann@school.example', 'own@school.example');
    await expectRefused(
      signInAs({}, (xml) => owner(signAnswer(xml, directory))),
      distrusted,
    );
    await expectRefused(
      signInAs({}, (xml) => owner(signAnswer(xml, directory, { whole: true }))),
      distrusted,
    );
    // Signed with a hash that two documents can share.
    await expectRefused(
      signInAs({}, (xml) => signAnswer(xml, directory, { algorithm: sha1 })),
      'no longer safe',
    );
  });

  it('with a wrapped signature: the signed part is moved aside, a forged one takes its place', async () => {
    const part = (xml: string) => /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)?.[0] ?? '';
    const unsigned = (assertion: string) => assertion.replace(/<ds:Signature.*<\/ds:Signature>/s, '');
    const forge = (assertion: string) =>
      unsigned(assertion).replace('ann-1', 'own-1').replace('ann@school.example', 'own@school.example');
    const signature = (xml: string) => /<ds:Signature.*<\/ds:Signature>/s.exec(xml)?.[0] ?? '';
    const otherId = (assertion: string) => assertion.replace(/ ID="[^"]+"/, ' ID="_forged"');
    const wraps: ((xml: string, assertion: string) => string)[] = [
      // Beside it, before and after.
      (xml, assertion) => xml.replace(assertion, otherId(forge(assertion)) + assertion),
      (xml, assertion) => xml.replace(assertion, assertion + otherId(forge(assertion))),
      // With the same ID.
      (xml, assertion) => xml.replace(assertion, forge(assertion) + assertion),
      // The signed one inside of the forged one's signature, or of its subject, or of extensions.
      (xml, assertion) =>
        xml.replace(
          assertion,
          otherId(forge(assertion)).replace(
            '<saml:Subject>',
            `${signature(assertion).replace('</ds:Signature>', `<ds:Object>${unsigned(assertion)}</ds:Object></ds:Signature>`)}<saml:Subject>`,
          ),
        ),
      (xml, assertion) =>
        xml.replace(
          assertion,
          otherId(forge(assertion)).replace(
            '</saml:Subject>',
            `</saml:Subject><saml:Advice>${assertion}</saml:Advice>`,
          ),
        ),
      (xml, assertion) =>
        xml
          .replace(assertion, otherId(forge(assertion)))
          .replace('<samlp:Status>', `<samlp:Extensions>${assertion}</samlp:Extensions><samlp:Status>`),
      // A second answer around the first.
      (xml, assertion) =>
        xml
          .replace(assertion, otherId(forge(assertion)))
          .replace('</samlp:Response>', `${xml}</samlp:Response>`),
    ];
    for (const whole of [false, true]) {
      for (const wrap of wraps) {
        await expectRefused(
          signInAs({}, (xml) => {
            const signed = signAnswer(xml, directory, { whole });
            return wrap(signed, part(signed));
          }),
          distrusted,
        );
      }
    }
    // A comment that cuts off a name for a careless parser, and a document type.
    const nameId = 'own@school.example.evil.example';
    await expectRefused(
      signInAs({ nameId, attributes: {} }, (xml) =>
        signAnswer(xml, directory).replace(nameId, 'own@school.example<!-- -->.evil.example'),
      ),
      distrusted,
    );
    await expectRefused(
      signInAs({}, (xml) => `<!DOCTYPE x [<!ENTITY e "own">]>${signAnswer(xml, directory)}`),
      distrusted,
    );
  });

  it('made out to another recipient, too late, or to another address', async () => {
    for (const change of [
      { audience: 'https://other.example/metadata' },
      { until: -600 },
      // Not yet good.
      { until: 3600 },
      { acsUrl: 'https://other.example/sso/saml' },
      { issuer: 'https://login.library.example' },
    ]) {
      await expectRefused(signInAs(change), distrusted);
    }
  });

  it('replayed: it opens one session, in the browser that started', async () => {
    const { requestId, cookie } = await begin();
    const xml = signAnswer(writeAnswer(said(requestId)), directory);
    const first = await post(xml);
    // Another browser, which started its own sign-in or none.
    const theirs = await begin('bob@school.example');
    await expectRefused(finish(first, ''), startAgain);
    await expectRefused(finish(first, theirs.cookie), startAgain);
    const second = await post(xml);
    expect((await finish(second, cookie)).status).toBe(200);
    await expectRefused(finish(await post(xml), cookie), startAgain);
    await expectRefused(finish(second, (await begin()).cookie), startAgain);
    await expectRefused(finish(await post(xml), (await begin()).cookie), startAgain);
  });

  it('that nobody here requested, signed for another request inside, or too large', async () => {
    const { cookie, requestId } = await begin();
    const unasked = signAnswer(writeAnswer(said('')).replaceAll(' InResponseTo=""', ''), directory);
    await expectRefused(finish(await post(unasked), cookie), 'didn’t begin in Muster');
    const made = signAnswer(writeAnswer(said('_made-up')), directory);
    await expectRefused(finish(await post(made), cookie), 'didn’t begin in Muster');
    // The envelope isn't signed: only the data inside of the assertion counts.
    const old = await begin();
    const inside = signAnswer(writeAnswer(said(old.requestId)), directory);
    const swapped = inside.replace(`InResponseTo="${old.requestId}"`, `InResponseTo="${requestId}"`);
    await expectRefused(finish(await post(swapped), cookie), distrusted);
    const missing = signAnswer(
      writeAnswer(said(old.requestId)).replace(
        /(<saml:SubjectConfirmationData.*) InResponseTo="[^"]+"/,
        '$1',
      ),
      directory,
    );
    await expectRefused(finish(await post(missing), old.cookie), distrusted);
    for (const junk of ['', 'not xml', '<a/>', `<a>${'<b>'.repeat(5000)}`, 'x'.repeat(100_000)]) {
      expect(await post(junk)).toBe('problem=distrusted');
    }
  });

  it('by another account’s directory, for this account’s users or its own', async () => {
    const { requestId, cookie } = await begin();
    const forged = (issuer: string) => signAnswer(writeAnswer(said(requestId, { issuer })), elsewhere);
    await expectRefused(finish(await post(forged('https://login.school.example')), cookie), distrusted);
    await expectRefused(finish(await post(forged('https://login.library.example')), cookie), distrusted);
    // Its own sign-in can't name a user of ours, nor end our sign-in.
    const own = await begin('x@library.example', elsewhere);
    const issuer = 'https://login.library.example';
    const query = await post(signAnswer(writeAnswer(said(own.requestId, { issuer })), elsewhere));
    await expectRefused(finish(query, (await begin()).cookie), startAgain);
    const again = await post(signAnswer(writeAnswer(said(own.requestId, { issuer })), elsewhere));
    await expectRefused(finish(again, own.cookie), 'isn’t of a domain');
  });
});

describe('its settings', () => {
  it('come from metadata, pasted or at a URL, and show the effective values', async () => {
    const { body } = await app.call(getSso, {}, account.owner);
    expect(body.Provider).toMatchObject({
      ...{ Protocol: 'saml', Issuer: 'https://login.school.example', ClientID: '', MetadataUrl: '' },
      Certificates: [
        { Fingerprint: expect.stringMatching(/^([\dA-F]{2}:){31}/), ValidTo: '2049-12-31T23:59:59.000Z' },
      ],
    });
    expect(body.Saml).toEqual({
      EntityID: `${app.url}/sso/saml/metadata`,
      AcsUrl: `${app.url}/sso/saml`,
      MetadataUrl: `${app.url}/sso/saml/metadata`,
    });
    expect((await save({ Metadata: '' })).status).toBe(200);
    expect((await signInAs()).status).toBe(200);
    const fresh = await buildAccount(app);
    const none = refusalOf(await save({ Metadata: '', Domains: ['fresh.example'] }, fresh.owner));
    expect(none.Errors?.[0]?.Field).toBe('MetadataUrl');
    const taken = refusalOf(await save({}, fresh.owner));
    expect(taken.Errors?.[0]?.Message).toBe('Another organization here uses school.example already.');
  });

  it('refuse invalid metadata, or an unusable directory', async () => {
    const bad = async (change: Parameters<typeof save>[0], field: string, sentence: string) => {
      const { Errors } = refusalOf(await save(change));
      expect(Errors?.[0]).toMatchObject({ Field: field, Message: expect.stringContaining(sentence) });
    };
    const { metadata } = directory;
    await bad({ Metadata: 'hello' }, 'Metadata', 'isn’t the metadata');
    await bad({ Metadata: await ownMetadata() }, 'Metadata', 'isn’t the metadata');
    await bad({ Metadata: `<!DOCTYPE x>${metadata}` }, 'Metadata', 'isn’t the metadata');
    const twice = metadata.replace(/^(<\?xml[^>]*>)?/, '');
    const both = `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">${twice}${twice}</EntitiesDescriptor>`;
    await bad({ Metadata: both }, 'Metadata', 'more than one');
    await bad({ Metadata: metadata.replace('HTTP-Redirect', 'SOAP') }, 'Metadata', 'where people sign in');
    await bad({ Metadata: metadata.replace(signInUrl, 'http://a.example') }, 'Metadata', 'https://');
    await bad({ Metadata: metadata.replace(signInUrl, 'javascript:alert(1)') }, 'Metadata', 'https://');
    const weak = makeCertificate('weak', 1024).certificate.replace(/-----[A-Z ]+-----|\s/g, '');
    const withWeak = metadata.replace(/(X509Certificate>)[^<]+/, `$1${weak}`);
    await bad({ Metadata: withWeak }, 'Metadata', 'no certificate');
    const signing = metadata.replace('WantAuthnRequestsSigned="false"', 'WantAuthnRequestsSigned="true"');
    await bad({ Metadata: signing }, 'Metadata', 'signed requests');
    for (const [MetadataUrl, sentence] of [
      ['login', 'Enter an address'],
      ['http://login.example.org/metadata', 'https://'],
      ['https://169.254.169.254/latest', 'private network'],
      ['https://localhost:8443/metadata', 'private network'],
    ] as const) {
      await bad({ Metadata: '', MetadataUrl }, 'MetadataUrl', sentence);
    }
    description = () => [503, ''];
    await bad({ Metadata: '', MetadataUrl: metadataUrl }, 'MetadataUrl', 'doesn’t answer');
    description = () => [404, ''];
    await bad({ Metadata: '', MetadataUrl: metadataUrl }, 'MetadataUrl', 'no metadata');
  });

  it('follow a changed key, and keep the old one if the metadata is unavailable or another’s', async () => {
    expect((await save({ Metadata: '', MetadataUrl: metadataUrl })).status).toBe(200);
    expect((await signInAs()).status).toBe(200);
    const renewed = createSamlDirectory('https://login.school.example', signInUrl);
    const byNew = () => signInAs({}, (xml) => signAnswer(xml, renewed));
    await expectRefused(byNew(), distrusted);
    description = () => [200, renewed.metadata];
    expect((await byNew()).status).toBe(200);
    await expectRefused(signInAs(), distrusted);
    for (const answer of [
      [503, ''],
      [200, 'not metadata'],
      [200, elsewhere.metadata],
    ] as const) {
      description = () => [...answer];
      expect((await byNew()).status).toBe(200);
    }
    await save();
  });

  it('a group code with IsSsoLoginOnly refuses passwords with SAML too', async () => {
    const own = await buildAccount(app);
    await sql`update accounts set group_code = 'Ford' where account_id = ${own.accountId}`.execute(
      app.database.system,
    );
    const enter = () => app.call(login, { body: { UserName: own.owner.userName, Password: password } });
    expect((await enter()).status).toBe(200);
    expect((await save({ Domains: ['ford.example'] }, own.owner)).status).toBe(200);
    expect(refusalOf(await enter()).Message).toContain('single sign-on');
  });
});
