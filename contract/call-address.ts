import type { CallDefinition } from './call.ts';

/** Prefixes of calls: one for calls before sign-in, the other for calls with the session cookie. */
export const publicPrefix = '/proxy/public';
export const authorizedPrefix = '/proxy/api';
/** The same calls for programs, with an API key instead of the cookie. */
export const keyPrefix = '/api/v1';

export function prefixOf(call: CallDefinition): string {
  return call.allow === 'public' ? publicPrefix : authorizedPrefix;
}

/** The path with its parts filled in. */
export function pathOf(definition: CallDefinition, params: Record<string, unknown> = {}): string {
  return definition.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${definition.path} needs ${name}`);
    return encodeURIComponent(String(value));
  });
}

/** `?a=1&b=2` from the parameters that are not empty, as the specification asks; lists repeat the name. */
export function queryOf(query: Record<string, unknown> = {}): string {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null && item !== '') parts.append(name, String(item));
    }
  }
  const text = parts.toString();
  return text === '' ? '' : `?${text}`;
}
