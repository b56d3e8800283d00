import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { getRecipientTimeline } from '../../../contract/broadcast-results.ts';
import { createBroadcast, getBroadcast } from '../../../contract/broadcasts.ts';
import { addContact } from '../../../contract/contacts.ts';
import { addDraftNumbers } from '../../../contract/draft-recipients.ts';
import { createDraft, getDraft, updateDraft } from '../../../contract/drafts.ts';
import { getLinkHost, updateLinkHost } from '../../../contract/link-host.ts';
import { previewQuickSend, quickSend } from '../../../contract/quick-send.ts';
import {
  beginSequence,
  calculateSequenceCredits,
  createSequence,
  updateSequence,
} from '../../../contract/sequences.ts';
import { mergeDraft } from '../../../contract/template-merges.ts';
import { runOperator } from '../../operator.ts';
import { type BuiltAccount, buildAccount } from '../../testing/builders.ts';
import { refusalOf, type TestApp, testApp } from '../../testing/test-app.ts';
import { isPreview, newTokens } from './rules.ts';

const number = '14235550100';
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile Safari/604.1';
let app: TestApp;
let account: BuiltAccount;

beforeAll(async () => {
  app = await testApp({ [number]: 'infobip' });
  account = await buildAccount(app, { numbers: { [number]: 'infobip' }, credits: 500 });
  await sql`update accounts set quiet_hours_on = false`.execute(app.database.system);
});

const long = `https://school.example.com/forms/field-trip?${'x'.repeat(120)}`;

async function send(TextMessage: string, phones: string[]) {
  const { body: made } = await app.call(createDraft, { body: { BroadcastType: 'SMS' } }, account.owner);
  const params = { DraftBroadcastID: made.DraftBroadcastID };
  const { body: draft } = await app.call(
    updateDraft,
    {
      params,
      body: {
        ...{ BroadcastName: 'Trip', TextMessage, ShortenLinks: true, startOption: 'START_IMMEDIATELY' },
        TextNumberID: Object.values(account.numbers)[0] ?? 0,
      },
    },
    account.owner,
  );
  await app.call(
    addDraftNumbers,
    { params, body: { Items: phones.map((PrimaryPhone) => ({ PrimaryPhone, Name: 'Ana Diaz' })) } },
    account.owner,
  );
  if (TextMessage.includes('{{')) {
    await app.call(mergeDraft, { params, body: {} }, account.owner);
    await app.drain();
  }
  const sent = await app.call(createBroadcast, { body: params }, account.owner);
  expect([sent.status, sent.body]).toEqual([200, expect.anything()]);
  await app.drain();
  await app.drain();
  return { draft, BroadcastID: made.DraftBroadcastID };
}

async function textTo(phone: string): Promise<string> {
  const { rows } = await sql<{ body: string }>`
    select body from messages where phone = ${phone} and not is_inbound order by message_id desc limit 1`.execute(
    app.database.system,
  );
  return rows[0]?.body ?? '';
}

const open = (path: string, more: RequestInit & { headers?: Record<string, string> } = {}) =>
  fetch(app.url + path, { redirect: 'manual', ...more, headers: { 'user-agent': safari, ...more.headers } });

it('gives everybody their own links, counts who opens them, and machines separately', async () => {
  const phones = ['14235557001', '14235557002'];
  const { draft, BroadcastID } = await send(`Sign up: ${long}. Map: https://maps.example.com/a`, phones);
  expect(draft).toMatchObject({ ShortenLinks: true, LinkBase: expect.stringMatching(/\/l\/$/) });
  // 200 characters as written, one segment as sent.
  const weighed = await sql<{ segments: number }>`
    select segments from messages where broadcast_id = ${BroadcastID}`.execute(app.database.system);
  expect(weighed.rows).toEqual([{ segments: 1 }, { segments: 1 }]);
  const [first = '', second = ''] = await Promise.all(phones.map(textTo));
  const paths = [first, second].map((text) =>
    [...text.matchAll(/\/l\/[A-Za-z0-9]{10}\b/g)].map(([path]) => path),
  );
  expect(new Set(paths.flat()).size).toBe(4);
  expect(first).not.toContain('Muster0');
  const [signUp = '', map = ''] = paths[0] ?? [];

  const preview = { headers: { 'user-agent': 'facebookexternalhit/1.1 Facebot Twitterbot/1.0' } };
  for (const reply of [
    await open(signUp, preview),
    await open(signUp, { method: 'HEAD' }),
    await open(signUp),
  ])
    expect([reply.status, reply.headers.get('location')]).toEqual([302, long]);
  // Twice within seconds is once.
  await open(signUp);
  expect((await open(map)).headers.get('location')).toBe('https://maps.example.com/a');
  const { body } = await app.call(getBroadcast, { params: { BroadcastID } }, account.owner);
  expect(body.Links).toEqual([
    { Url: long, PeopleCount: 1, ClickCount: 1, PreviewCount: 2 },
    { Url: 'https://maps.example.com/a', PeopleCount: 1, ClickCount: 1, PreviewCount: 0 },
  ]);
  await sql`update link_tokens set last_clicked_at = now() - interval '1 minute' where clicks > 0`.execute(
    app.database.system,
  );
  await open(signUp);
  const { rows } = await sql<{ recipient_id: number }>`
    select recipient_id from broadcast_recipients where broadcast_id = ${BroadcastID} and phone = ${phones[0]}`.execute(
    app.database.system,
  );
  const timeline = await app.call(
    getRecipientTimeline,
    { params: { BroadcastID, RecipientID: rows[0]?.recipient_id ?? 0 } },
    account.owner,
  );
  expect(timeline.body.Events.filter(({ Kind }) => Kind === 'click')).toMatchObject([
    { Text: 'Opened a link 2 times', Note: long },
    { Text: 'Opened a link', Note: 'https://maps.example.com/a' },
  ]);
  // The page shows the text as it was written.
  expect(body.TextMessage).toContain(long);
});

it('returns not found for unknown links, and needs no session', async () => {
  for (const path of ['/l/AAAAAAAAAA', '/l/x', '/l/..%2f..%2fetc', `/l/${'a'.repeat(5000)}`])
    expect([400, 404, 414]).toContain((await open(path)).status);
});

it('merges fields beside links, and can use the account’s own host', async () => {
  expect(await runOperator(app.database, ['link-host', String(account.accountId), 'go.example.org'])).toEqual(
    [expect.stringContaining('go.example.org')],
  );
  await expect(
    runOperator(app.database, ['link-host', String(account.accountId), 'no host']),
  ).rejects.toThrow();
  const phone = '14235557003';
  await send('Hi {{FirstName}}, see https://a.example/x', [phone]);
  const text = await textTo(phone);
  expect(text).toMatch(/^Hi Ana, see https:\/\/go\.example\.org\/l\/[A-Za-z0-9]{10}$/);
  const reply = await open(new URL(text.split(' ').at(-1) ?? '').pathname, {
    headers: { host: 'go.example.org' },
  });
  expect([reply.status, reply.headers.get('location')]).toEqual([302, 'https://a.example/x']);
  await runOperator(app.database, ['link-host', String(account.accountId), '-']);
});

it('tells people from machines, and makes tokens that differ', () => {
  const person = { method: 'GET', userAgent: safari, purpose: '' };
  expect(isPreview(person)).toBe(false);
  expect(isPreview({ ...person, purpose: 'prefetch;prerender' })).toBe(true);
  for (const userAgent of ['', 'curl/8.0', 'WhatsApp/2.23', 'Mozilla/5.0 (compatible; Googlebot/2.1)'])
    expect([userAgent, isPreview({ ...person, userAgent })]).toEqual([userAgent, true]);
  const tokens = newTokens(5000);
  expect(new Set(tokens).size).toBe(5000);
  expect(tokens.every((token) => /^[A-Za-z0-9]{10}$/.test(token))).toBe(true);
});

it('shortens the links of a quick send and of a drip campaign’s steps, and counts their length', async () => {
  const TextNumberID = Object.values(account.numbers)[0] ?? 0;
  const phones = ['14235557011', '14235557012'];
  const { body: contact } = await app.call(
    addContact,
    { body: { FirstName: 'Ana', LastName: 'Diaz', PrimaryPhone: phones[0] ?? '' } },
    account.owner,
  );
  const quick = {
    ...{ People: [{ PersonID: contact.PersonID }], TextNumberID },
    TextMessage: `Sign up: ${long} or ${long}2`,
  };
  const weigh = async (ShortenLinks: boolean) =>
    (await app.call(previewQuickSend, { body: { ...quick, ShortenLinks } }, account.owner)).body.Cost.Credits;
  expect([await weigh(false), await weigh(true)]).toEqual([3, 1]);
  const sent = await app.call(quickSend, { body: { ...quick, ShortenLinks: true } }, account.owner);
  expect(sent.status).toBe(200);
  await app.drain();
  await app.drain();
  expect(await textTo(phones[0] ?? '')).toMatch(
    /^Sign up: https?:\/\/\S+\/l\/\w{10} or https?:\/\/\S+\/l\/\w{10}$/,
  );

  await sql`update accounts set features = '{DripCampaignsBeta}'`.execute(app.database.system);
  const { body: begun } = await app.call(beginSequence, { body: {} }, account.owner);
  const { DraftBroadcastID, SequenceID } = begun;
  await app.call(
    addDraftNumbers,
    {
      params: { DraftBroadcastID },
      body: { Items: [{ PrimaryPhone: phones[1] ?? '', Name: 'Ben Diaz' }] },
    },
    account.owner,
  );
  const form = {
    ...{ draftBroadcastId: DraftBroadcastID, name: 'Trip', textNumberId: TextNumberID },
    steps: [{ message: quick.TextMessage, hasWait: false }],
  };
  const reckon = async (shortenLinks: boolean) => {
    const kept = await app.call(
      updateSequence,
      { params: { SequenceID }, body: { shortenLinks } },
      account.owner,
    );
    expect(kept.body.ShortenLinks).toBe(shortenLinks);
    return (await app.call(calculateSequenceCredits, { body: form }, account.owner)).body.Credits;
  };
  expect([await reckon(true), await reckon(false)]).toEqual([1, 3]);
  const started = await app.call(createSequence, { body: { ...form, shortenLinks: true } }, account.owner);
  expect(started.status).toBe(200);
  for (let turn = 0; turn < 3; turn += 1) await app.drain();
  const text = await textTo(phones[1] ?? '');
  expect(text).toMatch(/^Sign up: https?:\/\/\S+\/l\/\w{10} or /);
  const reply = await open(new URL(text.split(' ')[2] ?? '').pathname);
  expect(reply.headers.get('location')).toBe(long);
});

it('an organization’s own host is accepted once it leads here', async () => {
  let answer = async (_path: string): Promise<string> => 'Welcome to our school!'.repeat(1000);
  const front = createServer((request, response) => {
    void answer(request.url ?? '').then((text) => response.end(text));
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const host = `127.0.0.1:${(front.address() as AddressInfo).port}`;
  const own = await testApp({}, { OUTSIDE_ALLOWED_HOSTS: host });
  const { owner } = await buildAccount(own);
  const save = (LinkHost: string) => own.call(updateLinkHost, { body: { LinkHost } }, owner);
  const said = async (LinkHost: string) => refusalOf(await save(LinkHost)).Message;

  expect(await said('go')).toBe('Enter a host such as go.example.org');
  // A private address isn't contacted.
  const closed = 'Set up its DNS entry and certificate first.';
  expect(await said('127.0.0.1:9')).toBe(`We can’t reach https://127.0.0.1:9. ${closed}`);
  expect(await said(host)).toBe(`https://${host} answers, but it doesn’t lead to Muster.`);
  expect((await own.call(getLinkHost, {}, owner)).body.LinkHost).toBe('');
  answer = async (path) => (await fetch(own.url + path)).text();
  const body = { BroadcastType: 'SMS', ShortenLinks: true } as const;
  const { DraftBroadcastID } = (await own.call(createDraft, { body }, owner)).body;
  const base = async () => (await own.call(getDraft, { params: { DraftBroadcastID } }, owner)).body.LinkBase;
  const ownBase = await base();
  expect((await save(`https://${host}/`)).body).toEqual({ LinkHost: host });
  // Drafts follow at once.
  expect(await base()).toBe(`https://${host}/l/`);
  expect((await own.call(getLinkHost, {}, owner)).body.LinkHost).toBe(host);
  front.close();
  // Removing it needs no reply from the host.
  expect((await save('')).body).toEqual({ LinkHost: '' });
  expect(await base()).toBe(ownBase);
});
