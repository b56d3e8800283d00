import { z } from 'zod';
import type { CallDefinition } from '../../contract/call.ts';
import { prefixOf } from '../../contract/call-address.ts';

/** The parts of a request, before they are written as a URL and JSON. */
export interface Given {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

type Path = string[];
interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

/**
 * The request of an example, once for each value that its call accepts, with that value replaced: the values
 * of the example, and others from the schemas. Lists have one item.
 */
export function withEachLeaf(
  call: CallDefinition,
  example: Given,
  value: unknown,
  parts: (keyof Given)[] = ['params', 'query', 'body'],
): Given[] {
  const requests: Given[] = [];
  for (const part of parts) {
    const schema = call[part];
    if (schema === undefined || (part === 'body' && call.uploadBytes !== undefined)) continue;
    const known = pathsOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema);
    const paths = new Map([...known, ...leafPaths(example[part])].map((path) => [path.join('.'), path]));
    for (const path of paths.values()) {
      if (part === 'params' && !call.path.includes(`:${path[0]}`)) continue;
      requests.push({ ...example, [part]: withLeaf(example[part], path, value) });
    }
  }
  return requests;
}

function pathsOf(schema: JsonSchema, depth = 0): Path[] {
  if (depth > 6) return [];
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const under = (name: string, inner: JsonSchema) => pathsOf(inner, depth + 1).map((path) => [name, ...path]);
  const inner = [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) => under(name, property)),
    ...(schema.items === undefined ? [] : under('0', schema.items)),
    ...(typeof schema.additionalProperties === 'object' ? under('Any', schema.additionalProperties) : []),
    ...choices.flatMap((choice) => pathsOf(choice, depth + 1)),
  ];
  return inner.length > 0 ? inner : [[]];
}

function leafPaths(value: unknown): Path[] {
  if (typeof value !== 'object' || value === null) return value === undefined ? [] : [[]];
  return Object.entries(value).flatMap(([name, item]) => leafPaths(item).map((path) => [name, ...path]));
}

function withLeaf(value: unknown, path: Path, leaf: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return leaf;
  const isList = Array.isArray(value) || (name === '0' && typeof value !== 'object');
  const inner = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  const changed = { ...(value as object), [name]: withLeaf(inner, rest, leaf) };
  return isList ? Object.values(changed) : changed;
}

/**
 * The URL of a request. Half of a surrogate pair is written as the three bytes that old programs write for
 * it.
 */
export function addressOf(call: CallDefinition, { params = {}, query = {} }: Given): string {
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => percent(String(params[name] ?? 1)) || '%20');
  const pairs = Object.entries(query).map(([name, value]) => `${percent(name)}=${percent(String(value))}`);
  return `${prefixOf(call)}${path}?${pairs.join('&')}`;
}

function percent(text: string): string {
  return Array.from(text, (letter) => {
    if (letter.isWellFormed()) return encodeURIComponent(letter);
    const unit = letter.charCodeAt(0);
    const bytes = [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)];
    return bytes.map((byte) => `%${byte.toString(16)}`).join('');
  }).join('');
}
