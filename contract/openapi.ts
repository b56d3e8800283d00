import { z } from 'zod';
import type { CallDefinition } from './call.ts';
import { keyPrefix, prefixOf } from './call-address.ts';
import { everyCall } from './calls.ts';
import { errorBody } from './error-body.ts';
import { type ErrorName, errorKinds } from './errors.ts';
import { scopeOf } from './scopes.ts';

type Json = Record<string, unknown>;

/** Errors that every call can give, beside its own. */
const commonErrors: readonly ErrorName[] = ['invalid', 'unknown', 'unavailable'];
const signedInErrors: readonly ErrorName[] = ['signInRequired', 'forbidden'];
const keyErrors: readonly ErrorName[] = [
  ...(['apiKeyMissing', 'apiKeyMistyped', 'apiKeyUnknown', 'apiKeyExpired', 'apiKeyElsewhere'] as const),
  ...(['apiSwitchedOff', 'forbidden', 'scopeMissing', 'tooManyCalls'] as const),
];
const repeatErrors: readonly ErrorName[] = ['keyBodyDiffers', 'repeatRunning'];

/** The whole product as OpenAPI 3.1, made from the calls. docs/openapi.json is this, committed. */
export function openapi(): Json {
  const paths: Record<string, Json> = {};
  for (const { domain, name, call } of everyCall) {
    const prefix = scopeOf(name, call) === undefined ? prefixOf(call) : keyPrefix;
    const path = prefix + call.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(domain, name, call) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Muster',
      version: '1',
      description:
        'Reach everyone at once, by voice call and by text, and answer those who write back. Programs make calls under /api/v1 with an API key in the header Authorization: Bearer. Muster’s own pages make the same calls under /proxy/api, with the session cookie that POST /proxy/public/login sets; calls that only make sense for a person are there alone.',
    },
    tags: [...new Set(everyCall.map(({ domain }) => domain))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Error: jsonSchema(errorBody, 'output') },
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'mk_live_…',
          description: 'An API key, made under Settings, Developers.',
        },
        session: { type: 'apiKey', in: 'cookie', name: 'muster-session' },
      },
    },
  };
}

function operation(domain: string, name: string, call: CallDefinition): Json {
  const scope = scopeOf(name, call);
  return {
    operationId: name,
    tags: [domain],
    summary: call.summary,
    'x-allow': call.allow,
    ...(scope === undefined ? {} : { 'x-scope': scope }),
    ...securityOf(call, scope !== undefined),
    parameters: [
      ...parameters(call.params, 'path'),
      ...parameters(call.query, 'query'),
      ...parameters(call.headers, 'header'),
      ...(call.takesIdempotencyKey || (scope !== undefined && call.method !== 'GET')
        ? [
            {
              name: 'Idempotency-Key',
              in: 'header',
              required: false,
              description:
                'Repeating a request with the same key and body has no further effect and returns the same reply. A different body is rejected.',
              schema: { type: 'string', maxLength: 200 },
            },
          ]
        : []),
    ],
    ...requestBody(call),
    responses: {
      200: {
        description: 'Done',
        content: call.download
          ? { 'application/octet-stream': {} }
          : { 'application/json': { schema: jsonSchema(call.reply, 'output') } },
      },
      ...refusals(call, scope !== undefined),
    },
  };
}

function securityOf({ allow }: CallDefinition, isForKeys: boolean): Json {
  if (allow === 'public') return {};
  return { security: [isForKeys ? { key: [] } : { session: [] }] };
}

function requestBody(call: CallDefinition): Json {
  if (call.uploadBytes !== undefined) {
    return {
      requestBody: {
        required: true,
        description: `The raw file, at most ${call.uploadBytes} bytes.`,
        content: { 'application/octet-stream': {} },
      },
    };
  }
  if (call.body === undefined) return {};
  return {
    requestBody: {
      required: true,
      content: { 'application/json': { schema: jsonSchema(call.body, 'input') } },
    },
  };
}

function refusals(call: CallDefinition, isForKeys: boolean): Json {
  const ofSession = call.allow === 'public' ? [] : signedInErrors;
  const ofKey = call.method === 'GET' ? keyErrors : [...keyErrors, ...repeatErrors];
  const names = new Set([...commonErrors, ...(isForKeys ? ofKey : ofSession), ...(call.errors ?? [])]);
  const byStatus = Map.groupBy([...names], (name) => errorKinds[name].status);
  return Object.fromEntries(
    [...byStatus].map(([status, kinds]) => [
      status,
      {
        description: kinds
          .map((kind) => `${errorKinds[kind].ErrorCode}: ${errorKinds[kind].Message}`)
          .join('\n'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

function parameters(schema: z.ZodType | undefined, place: 'path' | 'query' | 'header'): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, described]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: described,
  }));
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: made }) => {
      const kind = zodSchema._zod.def.type;
      // A Date in a reply travels as text; coerced numbers are described as numbers.
      if (kind === 'date') Object.assign(made, { type: 'string', format: 'date-time' });
      if (kind === 'number' && io === 'input' && made.type === undefined) made.type = 'number';
    },
  }) as Json;
  return rest;
}
