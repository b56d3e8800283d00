import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as read } from 'node:stream/consumers';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { addContact } from '../contract/contacts.ts';
import { shiftClock } from './clock.ts';
import { plainForMs } from './page-replies.ts';
import { type BuiltAccount, buildAccount, buildUser } from './testing/builders.ts';
import { closeAtEnd } from './testing/closers.ts';
import { type TestApp, testApp } from './testing/test-app.ts';
import { asOwner } from './testing/test-db.ts';
import { waitUntil } from './testing/wait-until.ts';

const html = `<!doctype html>
<html lang="en">
  <head>
    <script src="/color-scheme.js"></script>
    <script type="module" crossorigin src="/assets/index.js"></script>
    <link rel="modulepreload" crossorigin href="/assets/start.js">
    <link rel="stylesheet" crossorigin href="/assets/start.css">
  </head>
  <body>
    <div id="root"></div>
  </body>
</html>
`;
const split = (file: string) => `routes/${file}.tsx?tsr-split=component---loader`;
const manifest = {
  'index.html': { file: 'assets/index.js', imports: ['_start.js'] },
  '_start.js': { file: 'assets/start.js' },
  [split('_app')]: { file: 'assets/app.js', imports: ['_start.js'] },
  [split('_app/inbox')]: { file: 'assets/inbox.js', imports: ['_start.js'] },
  [split('_app/emergency')]: { file: 'assets/emergency.js', imports: ['_start.js'] },
  [split('_app/contacts')]: { file: 'assets/contacts.js', imports: ['_start.js'] },
};
const phone = '14235550100';
const words = 'Is there <!-- school?\u2028Or\u2029not?';
const writer = '4235550109';
const account = '/proxy/api/account?include=currentuser';
const conversations = '/proxy/api/conversations?isDone=false&notags=true&pagesize=15';
const hourMs = 3_600_000;
const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

let app: TestApp;
let school: BuiltAccount;

beforeAll(async () => {
  const web = await mkdtemp(join(tmpdir(), 'muster-web-'));
  closeAtEnd(() => rm(web, { recursive: true }));
  await mkdir(join(web, '.vite'));
  await writeFile(join(web, 'index.html'), html);
  await writeFile(join(web, '.vite/manifest.json'), JSON.stringify(manifest));
  app = await testApp({ [phone]: 'infobip' }, { WEB_DIR: web });
  school = await buildAccount(app, { numbers: { [phone]: 'infobip' } });
  const names = { FirstName: '</script><script>alert(1)</script>', LastName: '$&' };
  await app.call(addContact, { body: { ...names, PrimaryPhone: writer } }, school.owner);
  await app.sandbox.text(writer, phone, words);
  await app.until(async () => {
    const { rows } = await sql`select 1 from conversations where account_id = ${school.accountId}`.execute(
      app.database.system,
    );
    return rows.length > 0;
  });
});

interface Page {
  headers: IncomingMessage['headers'];
  html: string;
  /** The content of its JSON block, if it has one. */
  first: { Scripts: string[]; Replies: Record<string, unknown> } | undefined;
}

async function open(
  path: string,
  cookie?: string,
  headers: Record<string, string> = navigation,
): Promise<Page> {
  const request = get(app.url + path, { headers: { ...headers, ...(cookie ? { cookie } : {}) } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  const page = await read(response);
  const [, json] = /<script type="application\/json" id="first-replies">(.*?)<\/script>/s.exec(page) ?? [];
  return { headers: response.headers, html: page, first: json === undefined ? undefined : JSON.parse(json) };
}

/** On a machine under load a call may take longer than a page waits for it. */
async function openWithReplies(path: string, cookie: string, headers = navigation) {
  return waitUntil(async () => {
    const page = await open(path, cookie, headers);
    return page.first && { ...page, first: page.first };
  });
}

function expectPlain(page: Page): void {
  expect(page.html).toBe(html);
  expect(page.headers['cache-control']).toBe('no-cache');
  expect(page.headers.vary).toBe('Accept-Encoding, Accept-Language, Cookie');
  expect(page.headers.etag).toBeDefined();
}

describe('a page that somebody opens with a session', () => {
  it('begins with the replies of the calls that it makes first, and is kept nowhere', async () => {
    const { headers, html: page, first } = await openWithReplies('/inbox', school.owner.cookie);
    expect(Object.keys(first.Replies)).toEqual([account, conversations]);
    for (const path of [account, conversations]) {
      const reply = await fetch(app.url + path, { headers: { cookie: school.owner.cookie } });
      expect(first.Replies[path]).toEqual(await reply.json());
    }
    expect(headers['cache-control']).toBe('no-store');
    // No version of the service worker can put it into its cache: the Cache API refuses such a reply.
    expect(headers.vary).toBe('*');
    expect(headers.etag).toBeUndefined();
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    expect(page).toContain('<html data-replies lang="en">');
  });

  it('has its scripts started by the last one in it, in an order in which none waits for another', async () => {
    const { headers, html: page, first } = await openWithReplies('/inbox', school.owner.cookie);
    expect(first.Scripts.slice(0, 1)).toEqual(['/assets/start.js']);
    expect(first.Scripts.slice(1, -1).sort()).toEqual(['/assets/app.js', '/assets/inbox.js']);
    expect(first.Scripts.at(-1)).toBe('/assets/index.js');
    expect(headers.link).toBeUndefined();
    expect(page).not.toMatch(/type="module"|modulepreload/);
    expect(page).toMatch(/<script src="\/first-replies\.js"><\/script>\s*<\/body>/);
    expect(page).toContain('<link rel="stylesheet"');
  });

  it('contains nothing that ends its script, whatever people are called', async () => {
    const { html: page, first } = await openWithReplies('/inbox', school.owner.cookie);
    expect(first.Replies[conversations]).toMatchObject({
      Items: [
        { FirstName: '</script><script>alert(1)</script>', LastName: '$&', LastMessage: { Message: words } },
      ],
    });
    expect(page).not.toMatch(/alert\(1\)<\/script>|<!-- school|[\u2028\u2029]/);
  });

  it('has the account only, where it begins with nothing else', async () => {
    for (const path of ['/emergency', '/emergency/', '/inbox?unread=true']) {
      const { headers, first } = await openWithReplies(path, school.owner.cookie);
      expect([path, Object.keys(first.Replies)]).toEqual([path, [account]]);
      expect(headers['cache-control']).toBe('no-store');
    }
  });

  it('has only the replies that its user gets', async () => {
    const other = await buildAccount(app, { numbers: { '14235550120': 'infobip' } });
    const stranger = (await openWithReplies('/inbox', other.owner.cookie)).first.Replies[conversations];
    expect(stranger).toMatchObject({ Items: [] });
    // Without text numbers the call refuses.
    const user = await buildUser(app, school.accountId, 'user');
    expect(Object.keys((await openWithReplies('/inbox', user.cookie)).first.Replies)).toEqual([account]);
  });
});

describe('the plain page', () => {
  it('is sent without a session, and with one that has ended', async () => {
    expectPlain(await open('/inbox'));
    const user = await buildUser(app, school.accountId, 'user');
    await openWithReplies('/inbox', user.cookie);
    await sql`update sessions set expires_at = now() - interval '1 minute' where user_id = ${user.userId}`.execute(
      app.database.system,
    );
    expectPlain(await open('/inbox', user.cookie));
    expectPlain(await open('/inbox', user.cookie.replace(/=.*/, '=unknown')));
  });

  it('is sent for all other pages', async () => {
    for (const path of ['/contacts', '/inbox/17', '/inbox/scheduled-conversations', '/login', '/'])
      expectPlain(await open(path, school.owner.cookie));
  });

  it('is what a script fetches, and what a service worker of an earlier version gets', async () => {
    const script = { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
    expectPlain(await open('/inbox', school.owner.cookie, script));
    expectPlain(await open('/inbox', school.owner.cookie, {}));
    const earlier = { ...navigation, 'service-worker-navigation-preload': 'true' };
    expectPlain(await open('/inbox', school.owner.cookie, earlier));
    const [, version = ''] =
      /setHeaderValue\('(\w+)'\)/.exec(
        await readFile(join(import.meta.dirname, '../web/public/service-worker.js'), 'utf8'),
      ) ?? [];
    const own = { ...navigation, 'service-worker-navigation-preload': version };
    await openWithReplies('/inbox', school.owner.cookie, own);
  });

  it('is sent when a call is slow, and to everybody for some seconds after that', async () => {
    await asOwner(app.databaseUrl, async (client) => {
      await client.query('begin; lock table conversations in access exclusive mode');
      expectPlain(await open('/inbox', school.owner.cookie));
      await client.query('rollback');
    });
    // As if the slow page had been a moment ago, however busy the machine is.
    shiftClock(-hourMs);
    expectPlain(await open('/emergency', school.owner.cookie));
    expectPlain(await open('/inbox', school.owner.cookie));
    shiftClock(hourMs + plainForMs);
    await openWithReplies('/inbox', school.owner.cookie);
    shiftClock(-plainForMs);
  });
});

it('a call that fails is left to the application', async () => {
  await asOwner(app.databaseUrl, async (client) => {
    await client.query('alter table conversations rename to conversations_elsewhere');
    try {
      const { first } = await openWithReplies('/inbox', school.owner.cookie);
      expect(Object.keys(first.Replies)).toEqual([account]);
    } finally {
      await client.query('alter table conversations_elsewhere rename to conversations');
    }
  });
});

it('web/public/first-replies.js asks for the same where the page has no replies', async () => {
  const script = await readFile(join(import.meta.dirname, '../web/public/first-replies.js'), 'utf8');
  expect([...script.matchAll(/ask\('([^']+)'\)/g)].map(([, url]) => url)).toEqual([account, conversations]);
});
