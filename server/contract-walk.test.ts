/** Calls every call of the contract, with the examples in testing/: a call without one fails to compile. */

import { beforeAll, describe, expect, it } from 'vitest';
import type { CallDefinition, CallInput } from '../contract/call.ts';
import { everyCall } from '../contract/calls.ts';
import { errorBody } from '../contract/error-body.ts';
import { accountExamples, makeExamplesFor } from './testing/account-examples.ts';
import { type BuiltAccount, buildAccount } from './testing/builders.ts';
import type { CallExample, CallName } from './testing/call-names.ts';
import { addressOf, type Given, withEachLeaf } from './testing/every-leaf.ts';
import { messageExamples } from './testing/message-examples.ts';
import { type Ids, oneOfEverything } from './testing/one-of-everything.ts';
import { type TestApp, testApp } from './testing/test-app.ts';

const numbers = { '14235550100': 'infobip' } as const;
let app: TestApp;
let mine: BuiltAccount;
let other: BuiltAccount;
/** Ids of the other account, by their names in paths. */
let foreign: Ids;

beforeAll(async () => {
  app = await testApp(numbers, { TRUST_PROXY: '1' });
  mine = await walker(app, { numbers });
  makeExamplesFor(mine);
  other = await walker(app, { numbers: {} });
  foreign = await oneOfEverything(app, other.accountId);
});

/** Input with which each call succeeds. A call that is missing in both doesn't compile. */
const examples: { [Name in CallName]: CallExample } = { ...accountExamples, ...messageExamples };

/** No integration is connected here. */
const ofIntegration = { IntegrationID: 1, Group: 'all', SyncID: 1 };

const byName = new Map(everyCall.map((entry) => [entry.name, entry.call]));

/** Changes nothing, so that others can run in the same account. Signing out is a GET by the spec. */
function isReading(name: string): boolean {
  return byName.get(name)?.method === 'GET' && name !== 'logout';
}

let addresses = 0;
/** Public calls are limited by address: with one each, every request is judged by the call itself. */
function fromNewAddress(): Record<string, string> {
  addresses += 1;
  return { 'x-forwarded-for': `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}` };
}

function make(name: string, input: object, as?: { cookie: string }) {
  const call = byName.get(name) as CallDefinition;
  return app.call(call, input as CallInput<CallDefinition>, as);
}

/** An organization with all features that calls may need. */
async function walker(...args: Parameters<typeof buildAccount>) {
  const account = await buildAccount(...args);
  await app.database.system
    .updateTable('accounts')
    .set({
      features: ['DripCampaignsBeta', 'LabsUser', 'PromotionalTextMessaging'],
      is_api_authorized: true,
    })
    .where('account_id', '=', account.accountId)
    .execute();
  return account;
}

describe('every call', () => {
  it('succeeds for a user with permission, with a reply that fits its schema', async () => {
    const reader = await accountWithEverything();
    for (const [name, example] of Object.entries(examples)) {
      if (example === 'elsewhere') continue;
      const { account, ids } = isReading(name) ? reader : await accountWithEverything();
      const reply = await make(name, example(ids), account.owner);
      expect([name, reply.status, reply.body]).toEqual([name, 200, expect.anything()]);
      expect(byName.get(name)?.reply.safeParse(reply.body).error, name).toBeUndefined();
    }
  });

  it('requires a session when it isn’t public', async () => {
    for (const { name } of everyCall.filter(({ call }) => call.allow !== 'public')) {
      const example = examples[name as CallName];
      const input =
        example === 'elsewhere'
          ? {
              params: {
                ...foreign,
                FileName: 'a.png',
                Number: '4235550103',
                Code: '123456',
                PhoneLaunchID: '4711',
                ...ofIntegration,
              },
            }
          : example(foreign);
      const reply = await make(name, input);
      expect([name, reply.status]).toEqual([name, 401]);
      expect(errorBody.safeParse(reply.body).success, name).toBe(true);
    }
  });

  it('does not find what belongs to another account', async () => {
    for (const { name, call } of everyCall) {
      const example = examples[name as CallName];
      if (example === 'elsewhere' || call.allow === 'public') continue;
      const usesForeignId =
        /:(\w+ID)/.test(call.path) ||
        [
          ...['createConversation', 'scheduleConversation', 'countSegment', 'moveConversations'],
          ...['createBroadcast', 'createTemplateMerge', 'listsToNewDraft', 'previewQuickSend', 'quickSend'],
          ...['previewEmergency', 'startEmergency', 'updateEmergencySettings'],
        ].includes(name);
      if (!usesForeignId) continue;
      const reply = await make(name, example(foreign), mine.owner);
      expect([name, reply.status]).toEqual([name, 404]);
    }
  });

  it('answers malformed input with 400 and never with 500', async () => {
    const bad: unknown[] = [
      '',
      'x',
      -1,
      1e300,
      null,
      [],
      {},
      '\u0000',
      'a'.repeat(100_000),
      { $ne: 1 },
      true,
    ];
    const reader = await walker(app, { numbers: { '18655550999': 'infobip' } });
    for (const [index, { name, call }] of everyCall.entries()) {
      if (call.uploadBytes !== undefined) continue;
      // Has its own session: one of the calls signs out. With a text number, because many calls are refused
      // before validation without one.
      const own = { [`1865555${1000 + index}`]: 'infobip' } as const;
      const { cookie } = (isReading(name) ? reader : await walker(app, { numbers: own })).owner;
      for (const value of bad) {
        const answer = await fetch(app.url + badPath(call, value), {
          method: call.method,
          headers: { cookie, 'content-type': 'application/json', ...fromNewAddress() },
          ...(call.method === 'GET' ? {} : { body: JSON.stringify(value) }),
        });
        expect([name, String(value).slice(0, 20), answer.status < 500]).toEqual([
          name,
          String(value).slice(0, 20),
          true,
        ]);
        if (answer.status >= 400) expect(errorBody.safeParse(await answer.json()).success, name).toBe(true);
      }
      if (call.method !== 'GET') {
        const answer = await fetch(app.url + badPath(call, 1), {
          method: call.method,
          headers: { cookie, 'content-type': 'application/json', ...fromNewAddress() },
          body: '{ not json',
        });
        expect([name, answer.status]).toEqual([name, 400]);
      }
    }
  });

  it('refuses text that PostgreSQL can’t store, in every string', async () => {
    const wrong = await walkRequests(({ call, given }) => {
      const nul = withEachLeaf(call, given, 'nul \0');
      // In a URL half of a surrogate pair isn't UTF-8, and is decoded as U+FFFD, which can be stored.
      const half = withEachLeaf(call, given, 'half \ud83d', ['body']);
      const names = ['nul \0', 'half \udc4d'].map((name) => ({
        ...given,
        body: { ...Object(given.body), [name]: 1 },
      }));
      return call.method === 'GET' || call.uploadBytes !== undefined ? nul : [...nul, ...half, ...names];
    });
    expect(wrong(({ status }) => status !== 400)).toEqual([]);
  });

  it('has no 5xx for bodies nested to any depth', async () => {
    const depths = [1, 2, 5, 16, 32, 33, 500, 2_400, 100_000];
    const wrong = await walkRequests(({ call, given }) => {
      if (call.method === 'GET' || call.uploadBytes !== undefined) return [];
      const [key = 'Items'] = Object.keys(Object(given.body));
      return depths.flatMap((depth) => [
        { ...given, body: '['.repeat(depth) + ']'.repeat(depth) },
        { ...given, body: `${`{"${key}":`.repeat(depth)}1${'}'.repeat(depth)}` },
      ]);
    });
    expect(wrong(({ status }) => status >= 500)).toEqual([]);
  });

  it('has no 5xx for ids beyond every size of integer', async () => {
    const ids = [2 ** 31, -(2 ** 31) - 1, 2 ** 63];
    const wrong = await walkRequests(({ call, given }) => ids.flatMap((id) => withEachLeaf(call, given, id)));
    expect(wrong(({ status }) => status >= 500)).toEqual([]);
  });
});

interface Example {
  name: string;
  call: CallDefinition;
  given: Given;
  as: { cookie: string };
}

/** Created once for all walks: their requests are refused, so the next one finds everything unchanged. */
let shared: Promise<Example[]> | undefined;

/** Makes requests to every call, several at a time; returns the requested part of the replies. */
async function walkRequests(requestsOf: (example: Example) => Given[]) {
  const answers: { name: string; call: CallDefinition; request: Given; status: number }[] = [];
  shared ??= everyExample();
  const left = [...(await shared)];
  const work = async () => {
    for (let example = left.pop(); example !== undefined; example = left.pop()) {
      const { name, call, as } = example;
      for (const request of requestsOf(example)) {
        answers.push({ name, call, request, status: await statusOf(call, request, as) });
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  expect(answers.length).toBeGreaterThan(everyCall.length);
  return (isWrong: (answer: (typeof answers)[number]) => boolean) =>
    answers
      .filter(isWrong)
      .map(({ name, request, status }) => `${name} ${status} ${JSON.stringify(request).slice(0, 300)}`);
}

/**
 * Each call by a user with permission, with valid input as far as an example has any. Reading calls share an
 * account; each of the others has its own.
 */
async function everyExample(): Promise<Example[]> {
  const found: Example[] = [];
  const reader = await accountWithEverything();
  for (const { name, call } of everyCall) {
    const { account, ids } = isReading(name) ? reader : await accountWithEverything();
    const example = examples[name as CallName];
    const given =
      example === 'elsewhere'
        ? { params: { ...ids, ...ofIntegration, FileName: 'a.png', Number: '4235550103' } }
        : (example(ids) as Given);
    found.push({ name, call, given, as: account.owner });
  }
  return found;
}

async function accountWithEverything() {
  const account = await walker(app, { numbers: {} });
  return { account, ids: await oneOfEverything(app, account.accountId) };
}

async function statusOf(call: CallDefinition, given: Given, as: { cookie: string }): Promise<number> {
  const { body } = given;
  const answer = await fetch(app.url + addressOf(call, given), {
    method: call.method,
    headers: { cookie: as.cookie, 'content-type': 'application/json', ...fromNewAddress() },
    ...(call.method === 'GET' || body === undefined
      ? {}
      : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  // A download is read to its end: an error midway aborts it.
  const text = await answer.text();
  if (answer.status >= 400) expect(errorBody.safeParse(JSON.parse(text)).success).toBe(true);
  return answer.status;
}

/** The path with a value for each of its parameters and in its query. */
function badPath(call: CallDefinition, value: unknown): string {
  const text = encodeURIComponent(String(value).slice(0, 500)) || '%20';
  const prefix = call.allow === 'public' ? '/proxy/public' : '/proxy/api';
  const query = `page=${text}&pagesize=${text}&next=${text}&isDone=${text}&textNumberId=${text}&include=${text}&sortby=${text}&q=${text}`;
  return `${prefix}${call.path.replace(/:\w+/g, text)}?${query}`;
}
