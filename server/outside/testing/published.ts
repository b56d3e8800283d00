import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** The providers' own API descriptions. They are beside the checkout, not in it. */
const folder = fileURLToPath(new URL('../../../../shared/protocols/', import.meta.url));
export const hasPublished = existsSync(folder);

type Schema = Record<string, unknown>;
type Document = { paths: Record<string, Record<string, Schema>>; components: { schemas: Schema } };
type FileName =
  | 'infobip.json'
  | 'infobip-numbers.json'
  | 'infobip-voice.json'
  | 'twilio-messages.json'
  | 'twilio-lookups.json'
  | 'twilio-numbers.json'
  | 'twilio-registration.json'
  | 'twilio-trusthub.json';

export function readPublished(name: string): string {
  return readFileSync(folder + name, 'utf8');
}

const ajv = new Ajv2020({ strict: false, logger: false, allErrors: true });
addFormats.default(ajv);
// Not dates of RFC 3339, and page links without a host: only the type of these is checked.
for (const format of ['date-time-rfc-2822', 'phone-number', 'uri']) ajv.addFormat(format, true);

const documents = new Map<FileName, Document>();
function getDocument(file: FileName): Document {
  const known = documents.get(file);
  if (known) return known;
  const document = JSON.parse(readPublished(file)) as Document;
  documents.set(file, document);
  ajv.addSchema({ ...document, $id: file });
  ajv.addSchema({
    components: { schemas: closed(document.components.schemas, file) },
    $id: `closed-${file}`,
  });
  return document;
}

/**
 * The schema with every object refusing unknown names, to detect a misspelled parameter. A schema in allOf
 * covers a part of the object only and stays open.
 */
function closed(value: unknown, file: string, isPart = false): unknown {
  if (Array.isArray(value)) return value.map((each) => closed(each, file, isPart));
  if (typeof value !== 'object' || value === null) return value;
  const copy: Schema = {};
  for (const [name, each] of Object.entries(value)) {
    if (name === '$ref') copy.$ref = `${isPart ? '' : 'closed-'}${file}${each}`;
    else copy[name] = closed(each, file, name === 'allOf');
  }
  if (!isPart && (copy.properties !== undefined || copy.allOf !== undefined) && copy.type === 'object') {
    copy.unevaluatedProperties = false;
  }
  return copy;
}

const compiled = new Map<string, ValidateFunction>();
function validate(id: string, schema: () => unknown, value: unknown, what: string): void {
  let check = compiled.get(id);
  if (!check) {
    check = ajv.compile(schema() as Schema);
    compiled.set(id, check);
  }
  const errors = check(value) ? [] : check.errors;
  expect({ [what]: errors }, JSON.stringify(value)).toEqual({ [what]: [] });
}

/** Checks a webhook's body by the name of its schema; unknown names are allowed, as in production. */
export function expectPublished(file: FileName, schemaName: string, value: unknown): void {
  if (!hasPublished) return;
  getDocument(file);
  validate(
    `${file} ${schemaName}`,
    () => ({ $ref: `${file}#/components/schemas/${schemaName}` }),
    value,
    schemaName,
  );
}

interface Made {
  method: string;
  path: string;
  body: string;
}

function expectRequest({ method, path, body }: Made): void {
  const url = new URL(path, 'http://carrier');
  const file = fileOf(url.pathname);
  const pattern = patternOf(url.pathname, getDocument(file).paths);
  const operation = getDocument(file).paths[pattern]?.[method.toLowerCase()] as
    | { requestBody?: { content: Record<string, { schema: Schema }> }; parameters?: ParameterSchema[] }
    | undefined;
  expect(operation, `${method} ${pattern} is published`).toBeDefined();
  const [type, content] = Object.entries(operation?.requestBody?.content ?? {})[0] ?? [];
  if (content && body !== '') {
    const value = type === 'application/json' ? JSON.parse(body) : readForm(content.schema, body, file);
    validate(`${method} ${pattern}`, () => closed(content.schema, file), value, `${method} ${pattern}`);
  }
  const byName = new Map(operation?.parameters?.map((each) => [each.name, each.schema]));
  for (const [name, text] of url.searchParams) {
    const schema = byName.get(name);
    expect(schema, `the parameter ${name} is published`).toBeDefined();
    const value = schema?.type === 'array' ? text.split(',') : readTyped(schema?.type, text);
    validate(`${pattern} ${name}`, () => closed(schema, file), value, name);
  }
}

/** The path as it is published: with names in braces where it has values. */
function patternOf(path: string, paths: Document['paths']): string {
  const parts = path.split('/');
  const fits = (pattern: string) => {
    const wanted = pattern.split('/');
    return (
      wanted.length === parts.length &&
      wanted.every((part, at) => part === parts[at] || /^\{\w+\}(\.json)?$/.test(part))
    );
  };
  const fitting = Object.keys(paths).filter(fits);
  // `numbers/available` before `numbers/{numberKey}`.
  const braces = (pattern: string) => pattern.split('{').length;
  return fitting.sort((one, other) => braces(one) - braces(other))[0] ?? path;
}

function fileOf(path: string): FileName {
  if (path.startsWith('/v2/')) return 'twilio-lookups.json';
  if (/^\/(numbers|number-registration)\//.test(path)) return 'infobip-numbers.json';
  if (/^\/v1\/(a2p|Services|Tollfree)/.test(path)) return 'twilio-registration.json';
  if (path.startsWith('/v1/')) return 'twilio-trusthub.json';
  if (/PhoneNumbers/.test(path)) return 'twilio-numbers.json';
  if (path.startsWith('/voice/') || path.startsWith('/tts/')) return 'infobip-voice.json';
  return path.startsWith('/2010-04-01/') ? 'twilio-messages.json' : 'infobip.json';
}

type ParameterSchema = { name: string; schema: Schema };

/** A form and a query contain only text. */
function readTyped(type: unknown, text: string): unknown {
  if (type === 'integer') return Number(text);
  if (type === 'boolean') return text === 'true';
  return type === 'object' || (type === undefined && text.startsWith('{')) ? JSON.parse(text) : text;
}

function readForm(schema: Schema, body: string, file: FileName): Schema {
  const form = new URLSearchParams(body);
  const properties = schema.properties as Record<string, Schema>;
  const value: Schema = {};
  for (const name of new Set(form.keys())) {
    const property = properties[name];
    const named =
      String(property?.$ref ?? '')
        .split('/')
        .at(-1) ?? '';
    const type = property?.type ?? (getDocument(file).components.schemas[named] as Schema | undefined)?.type;
    const text = form.get(name) ?? '';
    value[name] = type === 'array' ? form.getAll(name) : readTyped(type, text);
  }
  return value;
}

/**
 * Records every request of this test file's adapters and, at the end, checks them against the providers'
 * descriptions, in a separate test.
 */
export function checkEveryRequest(): void {
  const made: Made[] = [];
  const watch = (message: unknown) => {
    const { request } = message as { request: { method: string; path: string; body: unknown } };
    const { method, path, body } = request;
    const isProtocol =
      /^\/(sms|mms|tts|voice\/ivr)\/\d\/(messages|logs)|^\/2010-04-01\/.*(Messages|PhoneNumbers)|^\/v2\/PhoneNumbers\/|^\/number(s|-registration)\/|^\/v1\/(a2p|Services|Tollfree|CustomerProfiles|TrustProducts|EndUsers)/.test(
        path,
      );
    if (isProtocol) made.push({ method, path, body: body == null ? '' : String(body) });
  };
  beforeAll(() => subscribe('undici:request:create', watch));
  afterAll(() => unsubscribe('undici:request:create', watch));
  const place = hasPublished ? '' : ' (skipped: there is no ../shared/protocols beside the checkout)';
  it.skipIf(!hasPublished)(`makes only requests that the provider describes${place}`, () => {
    expect(made.length).toBeGreaterThan(0);
    for (const each of made) expectRequest(each);
  });
}
