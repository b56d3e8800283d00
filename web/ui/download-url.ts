import { type CallDefinition, type CallInput, pathOf, queryOf } from '../../contract/call.ts';
import { prefixOf } from '../../contract/calls.ts';

/** Where a call that answers with a file is fetched by the browser itself, for links. */
export function downloadUrl<C extends CallDefinition & { download: true }>(
  call: C,
  input: CallInput<C>,
): string {
  const { params, query } = input as { params?: Record<string, unknown>; query?: Record<string, unknown> };
  return `${prefixOf(call)}${pathOf(call, params)}${queryOf(query)}`;
}
