import type { CallDefinition, CallInput } from '../../contract/call.ts';
import { pathOf, prefixOf, queryOf } from '../../contract/call-address.ts';

/** The address of a call that returns a file, for links. */
export function downloadUrl<C extends CallDefinition & { download: true }>(
  call: C,
  input: CallInput<C>,
): string {
  const { params, query } = input as { params?: Record<string, unknown>; query?: Record<string, unknown> };
  return `${prefixOf(call)}${pathOf(call, params)}${queryOf(query)}`;
}
