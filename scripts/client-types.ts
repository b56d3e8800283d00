/**
 * The types and the list of calls of client/, from the API description. A small generator of our own: those that exist
 * bring a compiler of another version.
 */
interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  additionalProperties?: boolean | Schema;
  $ref?: string;
}

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  'x-scope'?: string;
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}

interface Description {
  paths: Record<string, Record<string, Operation>>;
}

const prefix = '/api/v1';

/** client/operations.gen.ts: every call that an API key can make. */
export function clientFile(description: Description): string {
  const found = Object.entries(description.paths)
    .filter(([path]) => path.startsWith(`${prefix}/`))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...{ operation, method: method.toUpperCase(), path: path.slice(prefix.length) },
        group: operation.tags[0] ?? 'other',
      })),
    );
  const types = new Types();
  for (const { operation } of found) types.count(operation);
  const groups = [...Map.groupBy(found, ({ group }) => group)];
  const methods = groups.map(([group, calls]) => {
    const lines = calls.map(({ operation }) => signature(operation, types));
    return `  ${group}: {\n${lines.join('\n')}\n  };`;
  });
  const table = groups.map(([group, calls]) => {
    const lines = calls.map(
      ({ operation, method, path }) =>
        `    ${operation.operationId}: ['${method}', '${path}'${partsOf(operation)}],`,
    );
    return `  ${group}: {\n${lines.join('\n')}\n  },`;
  });
  return [
    '// Written by "npm run generate" from docs/openapi.json.',
    '',
    "import type { CallOptions, FileBody } from './muster.ts';",
    '',
    ...types.declarations(),
    '/** Every call that an API key can make, by domain. */',
    'export interface Operations {',
    ...methods,
    '}',
    '',
    '/** Method, path, and whether the body or the reply is a file. */',
    'export const operations = {',
    ...table,
    '} as const;',
    '',
  ].join('\n');
}

function partsOf({ requestBody, responses }: Operation): string {
  const takesFile = requestBody !== undefined && requestBody.content['application/json'] === undefined;
  const answersFile = responses['200']?.content?.['application/json'] === undefined;
  if (takesFile) return ", 'upload'";
  return answersFile ? ", 'download'" : '';
}

function signature(operation: Operation, types: Types): string {
  const { operationId, summary, requestBody, responses } = operation;
  const Name = capital(operationId);
  const parts = ['path', 'query'].flatMap((place) => {
    const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === place);
    if (parameters.length === 0) return [];
    const isOptional = parameters.every(({ required }) => !required);
    const fields = parameters.map(
      ({ name, required, schema }) =>
        `${key(name)}${required ? '' : '?'}: ${types.print(schema, `${Name}${capital(name)}`)}`,
    );
    return [{ name: place === 'path' ? 'params' : 'query', isOptional, type: `{ ${fields.join('; ')} }` }];
  });
  const json = requestBody?.content['application/json']?.schema;
  if (json !== undefined)
    parts.push({ name: 'body', isOptional: false, type: types.print(json, `${Name}Body`) });
  else if (requestBody !== undefined) parts.push({ name: 'body', isOptional: false, type: 'FileBody' });
  const input = parts
    .map(({ name, isOptional, type }) => `${name}${isOptional ? '?' : ''}: ${type}`)
    .join('; ');
  const isOptional = parts.every((part) => part.isOptional);
  const schema = responses['200']?.content?.['application/json']?.schema;
  const reply = schema === undefined ? 'Response' : types.print(schema, `${Name}Reply`);
  const given =
    parts.length === 0 ? 'input?: Record<string, never>' : `input${isOptional ? '?' : ''}: { ${input} }`;
  const scope = operation['x-scope'] === 'any' ? 'any key' : operation['x-scope'];
  return `    /** ${summary} (${scope}) */\n    ${operationId}(${given}, options?: CallOptions): Promise<${reply}>;`;
}

/** Shapes that occur more than once get a name, that of the first call that uses them. */
class Types {
  readonly #uses = new Map<string, number>();
  readonly #names = new Map<string, string>();
  readonly #declared: string[] = [];

  count({ parameters, requestBody, responses }: Operation): void {
    for (const { schema } of parameters ?? []) this.#count(schema);
    for (const content of [requestBody?.content, responses['200']?.content]) {
      const schema = content?.['application/json']?.schema;
      if (schema !== undefined) this.#count(schema);
    }
  }

  #count(schema: Schema): void {
    if (isLarge(schema)) {
      const text = JSON.stringify(schema);
      const uses = (this.#uses.get(text) ?? 0) + 1;
      this.#uses.set(text, uses);
      // The contents of a shape with a name are printed once.
      if (uses > 1) return;
    }
    for (const inner of insideOf(schema)) this.#count(inner);
  }

  print(schema: Schema, place: string): string {
    const text = JSON.stringify(schema);
    if (!isLarge(schema) || (this.#uses.get(text) ?? 0) < 2) return this.#shape(schema, place);
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const name = this.#freeName(place);
    this.#names.set(text, name);
    this.#declared.push(`export type ${name} = ${this.#shape(schema, name)};`);
    return name;
  }

  declarations(): string[] {
    return this.#declared.flatMap((line) => [line, '']);
  }

  #freeName(place: string): string {
    const taken = new Set(this.#names.values());
    let name = place;
    for (let next = 2; taken.has(name); next += 1) name = `${place}${next}`;
    return name;
  }

  #shape(schema: Schema, place: string): string {
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum !== undefined) return union(schema.enum.map((each) => JSON.stringify(each)));
    const choices = schema.anyOf ?? schema.oneOf;
    // An alternative that says nothing is one that JSON can't hold, such as a Date.
    if (choices !== undefined)
      return union(
        choices.filter((each) => Object.keys(each).length > 0).map((each) => this.print(each, place)),
      );
    if (schema.allOf !== undefined)
      return schema.allOf.map((each) => `(${this.print(each, place)})`).join(' & ');
    if (Array.isArray(schema.type))
      return union(schema.type.map((type) => this.#shape({ ...schema, type }, place)));
    return this.#plain(schema, place);
  }

  #plain(schema: Schema, place: string): string {
    switch (schema.type) {
      case 'string':
      case 'boolean':
      case 'null':
        return schema.type;
      case 'number':
      case 'integer':
        return 'number';
      case 'array':
        return schema.items === undefined
          ? 'unknown[]'
          : `Array<${this.print(schema.items, `${place}Item`)}>`;
      case 'object':
        return this.#object(schema, place);
      default:
        return 'unknown';
    }
  }

  #object({ properties = {}, required = [], additionalProperties }: Schema, place: string): string {
    const fields = Object.entries(properties).map(
      ([name, each]) =>
        `${key(name)}${required.includes(name) ? '' : '?'}: ${this.print(each, place + capital(name))}`,
    );
    if (fields.length > 0) return `{ ${fields.join('; ')} }`;
    if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0)
      return `Record<string, ${this.print(additionalProperties, `${place}Value`)}>`;
    return 'Record<string, unknown>';
  }
}

function isLarge({ properties = {} }: Schema): boolean {
  return Object.keys(properties).length >= 3;
}

function insideOf(schema: Schema): Schema[] {
  return [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items === undefined ? [] : [schema.items]),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.allOf ?? []),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
  ];
}

function union(types: string[]): string {
  const distinct = [...new Set(types)];
  if (distinct.length === 0 || distinct.includes('unknown')) return 'unknown';
  return distinct.length === 1 ? (distinct[0] ?? 'unknown') : `(${distinct.join(' | ')})`;
}

function capital(name: string): string {
  const plain = name.replace(/[^\w]+(\w?)/g, (_, next: string) => next.toUpperCase());
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

function key(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
}
