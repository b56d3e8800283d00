import { exampleOf } from './example-of.ts';
import type { Parameter } from './openapi.ts';
import type { ReferenceCall } from './read-reference.ts';

/** The placeholder for a key in examples. */
const placeholder = 'mk_live_…';

const ofPlace = (call: ReferenceCall, place: Parameter['in']) =>
  call.parameters.filter((parameter) => parameter.in === place);

/** The values that an example uses: those in the path, and those that the call requires. */
function examples(call: ReferenceCall, place: Parameter['in']): [string, unknown][] {
  return ofPlace(call, place)
    .filter(({ required }) => required)
    .map(({ name, schema }) => [name, exampleOf(schema, name)]);
}

/** The path with examples in its places, and after it what the query needs. */
function examplePath(call: ReferenceCall): string {
  const values = Object.fromEntries(examples(call, 'path'));
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  const query = new URLSearchParams(examples(call, 'query').map(([name, value]) => [name, String(value)]));
  return query.size > 0 ? `${path}?${query}` : path;
}

const indented = (value: unknown, by: number) =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(by)}`);

export function curlOf(call: ReferenceCall, origin: string): string {
  const isChange = call.method !== 'GET';
  const lines = [
    `curl ${call.method === 'GET' ? '' : `-X ${call.method} `}"${origin}${examplePath(call)}"`,
    `-H "Authorization: Bearer ${placeholder}"`,
    ...(isChange ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(call.body ? ['-H "Content-Type: application/json"', `-d '${quoted(call)}'`] : []),
    ...(call.fileBody ? ['-H "Content-Type: application/octet-stream"', '--data-binary @file'] : []),
  ];
  return lines.join(' \\\n  ');
}

function quoted({ body }: ReferenceCall): string {
  // A shell ends the text at an apostrophe.
  return body === undefined ? '' : indented(exampleOf(body), 2).replaceAll("'", "'\\''");
}

export function typescriptOf(call: ReferenceCall, origin: string): string {
  const input = {
    ...part('params', examples(call, 'path')),
    ...part('query', examples(call, 'query')),
    ...(call.body ? { body: exampleOf(call.body) } : {}),
  };
  const text = Object.keys(input).length > 0 ? withoutQuotes(indented(input, 0)) : '';
  const given = call.fileBody ? '{ body: file }' : text;
  return [
    "import { createMuster } from '@muster/client';",
    '',
    `const muster = createMuster({ url: '${origin}', key: '${placeholder}' });`,
    `const reply = await muster.${call.group}.${call.id}(${given});`,
  ].join('\n');
}

function part(name: string, values: [string, unknown][]): Record<string, unknown> {
  return values.length > 0 ? { [name]: Object.fromEntries(values) } : {};
}

/** As written by hand: names without quotes, strings in single quotes. */
function withoutQuotes(text: string): string {
  return text
    .replace(/^( *)"([A-Za-z_]\w*)":/gm, '$1$2:')
    .replace(
      /"((?:[^"\\]|\\.)*)"/g,
      (_, inner: string) => `'${inner.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`,
    );
}
