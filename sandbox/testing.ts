// Shared by the tests: a sandbox on a free port, a Muster that keeps what it is sent, and the providers'
// published descriptions where they lie beside the checkout.
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type Sandbox, startSandbox } from './app.ts';
import { parseConfig } from './config.ts';

export const infobipKey = 'App sandbox-api-key';
export const accountSid = `AC${'0'.repeat(31)}1`;
export const authToken = 'sandbox-auth-token';
export const twilioBase = `/2010-04-01/Accounts/${accountSid}`;
export const basic = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;

type File = { type: string; body: string | Buffer };
export type Hook = { path: string; headers: IncomingHttpHeaders; body: string; at: number };

/** A receiver of webhooks in Muster's place. */
export type Receiver = {
  url: string;
  port: number;
  hooks: Hook[];
  /** Its answer: a status, or undefined to cut the connection. */
  answer: (hook: Hook) => number | undefined;
  /** Documents and sounds by their path, for calls. */
  files: Map<string, File | ((hook: Hook) => File)>;
  /** Waits for so many webhooks in all. */
  waitFor: (count: number, where?: (hook: Hook) => boolean) => Promise<Hook[]>;
  close: () => Promise<void>;
};

export async function startReceiver(port = 0): Promise<Receiver> {
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const hook: Hook = {
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(pieces).toString('utf8'),
        at: Date.now(),
      };
      const status = receiver.answer(hook);
      receiver.hooks.push(hook);
      if (status === undefined) request.socket.resetAndDestroy();
      else {
        const found = receiver.files.get(hook.path.split('?')[0] ?? '');
        const file = typeof found === 'function' ? found(hook) : found;
        response.writeHead(status, file && { 'content-type': file.type }).end(file?.body);
      }
      for (const check of waiting) check();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const taken = (server.address() as AddressInfo).port;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    hooks: [],
    answer: () => 200,
    files: new Map(),
    waitFor: (count, where = () => true) =>
      new Promise((resolve) => {
        const check = () => {
          const found = receiver.hooks.filter(where);
          if (found.length < count) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

export type Client = {
  sandbox: Sandbox;
  call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  /** Twilio's way: form encoded, Basic. */
  form: (path: string, fields: Record<string, string | string[]>) => Promise<Answer>;
  /** Waits until nothing is on its way. */
  settle: () => Promise<void>;
};
type Answer = { status: number; headers: Headers; text: string; json: unknown };

export function createClient(sandbox: Sandbox): Client {
  const request = async (method: string, path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(sandbox.url + path, { method, ...init });
    const text = await response.text();
    const json: unknown = response.headers.get('content-type')?.includes('json')
      ? JSON.parse(text)
      : undefined;
    return { status: response.status, headers: response.headers, text, json };
  };
  return {
    sandbox,
    call: (method, path, body, headers = {}) =>
      request(method, path, {
        headers: { authorization: /^\/(2010|v2)/.test(path) ? basic : infobipKey, ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    form: (path, fields) => {
      const body = new URLSearchParams();
      for (const [name, value] of Object.entries(fields)) {
        for (const each of [value].flat()) body.append(name, each);
      }
      return request('POST', path, { headers: { authorization: basic }, body });
    },
    settle: async () => {
      while (sandbox.carrier.unfinished.size > 0) await new Promise(setImmediate);
    },
  };
}

/** A sandbox on a free port with nothing to wait for: texts arrive at once, retries follow in milliseconds. */
export async function startTestSandbox(environment: Record<string, string> = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(
    parseConfig({
      SANDBOX_PORT: '0',
      SANDBOX_SEED: '1',
      SANDBOX_RETRY_UNIT_MS: '5',
      SANDBOX_DELIVERY_DELAY_MS: '0,0',
      SANDBOX_NUMBERS: '14235550100=infobip:Harlow Creek Schools,14235550120=twilio',
      ...environment,
    }),
  );
  sandbox.carrier.settings.AutoAnswerDelayMs = [0, 0];
  return sandbox;
}

export function textMessage(destinations: unknown[], text: string, more: Record<string, unknown> = {}) {
  return { messages: [{ sender: '14235550100', destinations, content: { text }, ...more }] };
}

const protocols = new URL('../../shared/protocols/', import.meta.url);

type Description = { components: { schemas: Record<string, SchemaObject> } };
type SchemaObject = Record<string, unknown>;

/** The providers' own descriptions, or undefined where they don't lie beside the checkout. */
export type Oracle = {
  expectValid: (schema: string, value: unknown) => void;
  publishedNames: (schema: string) => string[];
  /** Refuses names that the description does not know. */
  expectKnown: (schema: string, value: Record<string, unknown>) => void;
};

export function loadOracle(
  file:
    | 'infobip.json'
    | 'infobip-voice.json'
    | 'twilio-messages.json'
    | 'twilio-lookups.json'
    | 'twilio-calls.json'
    | 'twilio-numbers.json',
): Oracle | undefined {
  const url = new URL(file, protocols);
  if (!existsSync(url)) return undefined;
  const description = allowNulls(JSON.parse(readFileSync(url, 'utf8'))) as Description;
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { uri: true }, validateFormats: false });
  ajv.addSchema(description, 'api');
  const compiled = new Map<string, ValidateFunction>();
  const getSchema = (schema: string) => {
    const found = description.components.schemas[schema];
    if (!found) throw new Error(`${file} has no schema ${schema}`);
    return found;
  };
  return {
    expectValid: (schema, value) => {
      getSchema(schema);
      let validate = compiled.get(schema);
      if (!validate) {
        validate = ajv.compile({ $ref: `api#/components/schemas/${schema}` });
        compiled.set(schema, validate);
      }
      if (!validate(value)) {
        throw new Error(`${schema}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value, null, 1)}`);
      }
    },
    publishedNames: (schema) =>
      (getSchema(schema)['x-in-every-published-example'] as string[] | undefined) ?? [],
    expectKnown: (schema, value) => {
      const { properties = {}, patternProperties = {} } = getSchema(schema) as Record<string, SchemaObject>;
      for (const name of Object.keys(value)) {
        const known =
          name in properties ||
          Object.keys(patternProperties).some((pattern) => new RegExp(pattern).test(name));
        if (!known) throw new Error(`${schema} has no ${name}`);
      }
    },
  };
}

/** Twilio's document is OpenAPI 3.0: `nullable` there is a null among the types here. */
function allowNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(allowNulls);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, allowNulls(each)]));
  if (copy.nullable !== true) return copy;
  if (typeof copy.type === 'string') return { ...copy, type: [copy.type, 'null'] };
  // Beside a reference, or alone: then anything goes.
  const { nullable: _, ...open } = copy;
  return 'allOf' in open ? { anyOf: [open, { type: 'null' }] } : open;
}

export const noProtocols =
  'SKIPPED: the published descriptions (shared/protocols) do not lie beside this checkout';
