import { type RawBuilder, sql } from 'kysely';
import type { SelectionOfIds } from '../contract/selection.ts';

/**
 * A selection as a condition: only the listed ids, all rows of the list, or all of them except the listed.
 * `all` is the condition of the list itself, so that rows outside it are never affected.
 */
export function selectedRows(id: RawBuilder<unknown>, selection: SelectionOfIds, all: RawBuilder<unknown>) {
  if (selection.Type === 'SelectedAll') return all;
  const listed = sql`${id} = any(${selection.Items}::bigint[])`;
  return selection.Type === 'Selected' ? sql`${all} and ${listed}` : sql`${all} and not ${listed}`;
}
