import type { OpenApi, Operation, Parameter, Schema } from './openapi.ts';
import { saidDescription } from './said-description.ts';

interface Refusal {
  status: string;
  code: string;
  message: string;
}

export interface ReferenceCall {
  id: string;
  group: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  summary: string;
  whoMay: string;
  /** A program can make it with an API key. */
  isForKeys: boolean;
  parameters: Parameter[];
  body: Schema | undefined;
  /** Shown in place of a JSON body: "The raw file, at most 5242880 bytes." */
  fileBody: string | undefined;
  reply: Schema | undefined;
  refusals: Refusal[];
}

export interface ReferenceGroup {
  name: string;
  label: string;
  calls: ReferenceCall[];
}

/** Says who can make a call: a program with a key, or a person only. */
function whoMay({ 'x-allow': allow, 'x-scope': scope }: Pick<Operation, 'x-allow' | 'x-scope'>): string {
  if (scope === 'any') return 'Every API key';
  if (scope !== undefined) return `API keys with the scope ${scope}`;
  return allow === 'public' ? 'Anyone, signed in or not' : 'Only people, signed in to Muster';
}

/** Groups by domain, in the description's own order. */
export function readReference(description: OpenApi): ReferenceGroup[] {
  const calls = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): ReferenceCall => {
      const body = operation.requestBody?.content;
      return {
        id: operation.operationId,
        group: operation.tags[0] ?? 'other',
        method: method.toUpperCase() as ReferenceCall['method'],
        path,
        summary: operation.summary,
        whoMay: whoMay(operation),
        isForKeys: operation['x-scope'] !== undefined,
        parameters: operation.parameters ?? [],
        body: body?.['application/json']?.schema,
        fileBody: body && !body['application/json'] ? operation.requestBody?.description : undefined,
        reply: operation.responses['200']?.content?.['application/json']?.schema,
        refusals: Object.entries(operation.responses)
          .filter(([status]) => status !== '200')
          .flatMap(([status, { description: lines }]) => readRefusals(status, lines)),
      };
    }),
  );
  const order = [
    ...new Set([...(description.tags ?? []).map(({ name }) => name), ...calls.map(({ group }) => group)]),
  ];
  return order.map((name) => ({
    name,
    label: name.charAt(0).toUpperCase() + name.slice(1),
    calls: calls.filter(({ group }) => group === name),
  }));
}

/** One line a refusal: "1001: That username and password don’t match." */
function readRefusals(status: string, lines: string): Refusal[] {
  return lines.split('\n').map((line) => {
    const [, code, message] = /^(\d+): (.*)$/s.exec(line) ?? [];
    return { status, code: code ?? status, message: message ?? line };
  });
}

/** Every word has to occur somewhere: in the path, the summary, the name, the method or a field's name. */
export function searchReference(groups: ReferenceGroup[], query: string): ReferenceGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return groups;
  return groups
    .map((group) => ({
      ...group,
      calls: group.calls.filter((call) => {
        const text = searchText(call);
        return words.every((word) => text.includes(word));
      }),
    }))
    .filter(({ calls }) => calls.length > 0);
}

function searchText(call: ReferenceCall): string {
  const fields = [call.body, call.reply].flatMap((schema) => (schema ? fieldNames(schema) : []));
  const names = call.parameters.map(({ name }) => name);
  return [call.method, call.path, call.summary, call.id, call.group, call.whoMay, ...names, ...fields]
    .join(' ')
    .toLowerCase();
}

function fieldNames(schema: Schema): string[] {
  const inside = [
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.allOf ?? []),
    ...(schema.items ? [schema.items] : []),
  ];
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [name, ...fieldNames(property)]),
    ...inside.flatMap(fieldNames),
  ];
}

/** Fetches the description, which the server makes from the contract. */
export async function loadReference(
  signal: AbortSignal,
): Promise<{ about: string; groups: ReferenceGroup[] }> {
  const response = await fetch('/api/openapi.json', { signal });
  if (!response.ok) throw new Error(`The API description couldn’t be loaded (${response.status}).`);
  const description = await saidDescription(await response.json());
  return { about: description.info.description ?? '', groups: readReference(description) };
}
