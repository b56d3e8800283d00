import { describe, expect, it } from 'vitest';
import { everyCall } from '../../contract/calls.ts';
import { openapi } from '../../contract/openapi.ts';
import { curlOf, typescriptOf } from './code-examples.ts';
import { exampleOf } from './example-of.ts';
import type { OpenApi } from './openapi.ts';
import { readReference, searchReference } from './read-reference.ts';
import { shapeOf } from './schema-shape.ts';

// The real description, as the server gives it.
const description: OpenApi = JSON.parse(JSON.stringify(openapi()));
const groups = readReference(description);
const calls = groups.flatMap((group) => group.calls);

describe('the reference', () => {
  it('has every call of the contract, each once', () => {
    expect(calls.map(({ id }) => id).sort()).toEqual(everyCall.map(({ name }) => name).sort());
  });

  it('reads each refusal with its code', () => {
    const login = calls.find(({ id }) => id === 'login');
    expect(login?.refusals.map(({ code }) => code)).toEqual(expect.arrayContaining(['1001', '1002', '1004']));
    expect(login?.refusals.every(({ message }) => !/^\d+:/.test(message))).toBe(true);
  });

  it('finds by all words, also in fields of body and reply', () => {
    const found = searchReference(groups, 'post MmsOutboundMedia').flatMap((group) =>
      group.calls.map(({ id }) => id),
    );
    expect(found.sort()).toEqual(['createConversation', 'sendTextMessage']);
    expect(searchReference(groups, 'nothing-of-the-kind')).toEqual([]);
  });
});

describe('code', () => {
  const find = (id: string) => calls.find((call) => call.id === id) as (typeof calls)[number];

  it('of a call that changes something has its key, a way to repeat it, and its body', () => {
    const call = find('addContact');
    expect([call.path, call.whoMay]).toEqual(['/api/v1/contacts', 'API keys with the scope contacts:write']);
    const curl = curlOf(call, 'https://muster.example.org');
    expect(curl).toMatch(/^curl -X POST "https:\/\/muster\.example\.org\/api\/v1\/contacts" \\\n/);
    for (const part of ['Authorization: Bearer mk_live_…', 'Idempotency-Key: ', '"FirstName": "Renee"'])
      expect(curl).toContain(part);
    expect(typescriptOf(call, 'https://muster.example.org')).toContain("    FirstName: 'Renee',\n");
  });

  it('fills in the places of a path', () => {
    expect(curlOf(find('getContact'), '')).toContain('"/api/v1/contacts/42"');
    expect(typescriptOf(find('getContact'), '')).toContain(
      'getContact({\n  params: {\n    PersonID: 42\n  }\n})',
    );
  });

  it('is there for keys only', () => {
    expect([find('login').isForKeys, find('createApiKey').isForKeys, find('getUser').isForKeys]).toEqual([
      ...[false, false, true],
    ]);
    expect(find('createApiKey').whoMay).toBe('Only people, signed in to Muster');
  });
});

describe('examples', () => {
  const samples = everyCall.flatMap(({ name, call }) => {
    const read = calls.find(({ id }) => id === name);
    return [
      ...(read?.body && call.body ? [{ what: `${name} body`, schema: read.body, check: call.body }] : []),
      ...(read?.reply ? [{ what: `${name} reply`, schema: read.reply, check: call.reply }] : []),
    ];
  });
  it.each(samples)('$what fits its own schema', ({ schema, check }) => {
    const { error } = check.safeParse(exampleOf(schema));
    expect(error?.issues ?? []).toEqual([]);
  });
});

describe('shapes', () => {
  it('joins what must hold all at once and drops alternatives that say nothing', () => {
    const part = (name: string) => ({
      type: 'object',
      properties: { [name]: { type: 'string' } },
      required: [name],
    });
    expect(shapeOf({ allOf: [part('a'), part('b')] }).fields.map(({ name }) => name)).toEqual(['a', 'b']);
    const moment = shapeOf({ anyOf: [{ type: 'string', format: 'date-time' }, {}, { type: 'null' }] });
    expect(moment).toMatchObject({ kind: 'date and time', isNullable: true });
  });
});
