// Shared by the tests of calls: a sandbox whose calls go fast, documents in Muster's place, and the telephone's side.
import { afterEach, beforeEach, expect } from 'vitest';
import {
  authToken,
  type Client,
  createClient,
  type Hook,
  loadOracle,
  type Receiver,
  startReceiver,
  startTestSandbox,
  twilioBase,
} from './testing.ts';
import { signTwilio } from './twilio-signature.ts';

export const oracle = loadOracle('twilio-calls.json');
export const numbersOracle = loadOracle('twilio-numbers.json');
export const callSchema = 'api.v2010.account.call';
export let muster: Receiver;
export let client: Client;

/** Starts a sandbox and a receiver for each test of the file that calls this, and ends them. */
export function callSandboxForEachTest(): void {
  beforeEach(async () => {
    muster = await startReceiver();
    client = createClient(
      await startTestSandbox({
        SANDBOX_CALL_SPEED: '100',
        SANDBOX_CALL_STARTS_PER_SECOND: '1000',
        TWILIO_VOICE_URL: `${muster.url}/in`,
        TWILIO_VOICE_STATUS_URL: `${muster.url}/status`,
      }),
    );
    document('/doc', '<Say>Hello, this is Harlow Creek Schools.</Say>');
  });
  afterEach(async () => {
    await client.sandbox.close();
    await muster.close();
  });
}

export type Resource = {
  sid: string;
  status: string;
  queue_time: string;
  duration: string;
  answered_by: string | null;
};
export type Phone = {
  CallID: string;
  State: string;
  Result: string | null;
  Keys: string;
  Heard: { Text?: string; Seconds: number; Into: string; Length: number; Sound: string }[];
  Voicemail: { Seconds: number; Parts: { Text?: string }[] } | null;
  Troubles: { Code: number }[];
  Recording: boolean;
  AnsweredAt: string | null;
  EndedAt: string | null;
  From: string;
  To: string;
};

export function document(path: string, verbs: string | ((fields: Record<string, string>) => string)): void {
  const compose = (text: string) => ({ type: 'text/xml', body: `<Response>${text}</Response>` });
  muster.files.set(path, (hook: Hook) => {
    const fields = check(hook, 'x-webhook-call-twiml-request');
    return compose(typeof verbs === 'string' ? verbs : verbs(fields));
  });
}

/** The webhook's fields: known names only, and signed. */
export function check(hook: Hook, schema: string): Record<string, string> {
  const fields = Object.fromEntries(new URLSearchParams(hook.body));
  oracle?.expectValid(schema, fields);
  oracle?.expectKnown(schema, fields);
  expect(hook.headers['x-twilio-signature']).toBe(signTwilio(authToken, muster.url + hook.path, fields));
  return fields;
}

export async function place(to: string, more: Record<string, string | string[]> = {}): Promise<Resource> {
  const answer = await client.form(`${twilioBase}/Calls.json`, {
    To: `+1423555${to}`,
    From: '+14235550120',
    Url: `${muster.url}/doc?c=${to}`,
    StatusCallback: `${muster.url}/status`,
    StatusCallbackEvent: ['initiated', 'ringing', 'answered', 'completed'],
    ...more,
  });
  expect(answer.text).toContain('"sid"');
  expect(answer.status).toBe(201);
  oracle?.expectValid(callSchema, answer.json);
  expect(Object.keys(answer.json as object)).toEqual(
    expect.arrayContaining(oracle?.publishedNames(callSchema) ?? []),
  );
  return answer.json as Resource;
}

export const isStatus = (status: string, sid?: string) => (hook: Hook) =>
  hook.path.startsWith('/status') &&
  hook.body.includes(`CallStatus=${status}`) &&
  (sid === undefined || hook.body.includes(sid));
export const isLast = (sid: string) => (hook: Hook) =>
  hook.path.startsWith('/status') &&
  hook.body.includes('CallDuration') &&
  hook.body.includes(`CallSid=${sid}`);

export async function lastStatus(sid: string): Promise<Record<string, string>> {
  const [hook] = await muster.waitFor(1, isLast(sid));
  if (!hook) throw new Error('No webhook');
  return check(hook, 'x-webhook-call-status');
}

export async function phoneCalls(to: string): Promise<Phone[]> {
  const { json } = await client.call('GET', `/phones/423555${to}/calls`);
  return (json as { Items: Phone[] }).Items;
}

export async function until(to: string, state: string): Promise<Phone> {
  for (;;) {
    const found = (await phoneCalls(to)).at(-1);
    if (found?.State === state) return found;
    await new Promise(setImmediate);
  }
}

export const use = (to: string, id: string, Do: string, Keys?: string) =>
  client.call('POST', `/phones/423555${to}/calls/${id}`, { Do, ...(Keys !== undefined && { Keys }) });
