import { sql } from 'kysely';
import type pg from 'pg';

/**
 * Marks a statement that runs many times a second and whose plan is the same whatever its values are: found by keys,
 * never by how many there are of something. Each connection then reads and plans it once instead of every time, which of
 * looking up one conversation is five sixths of the work. Its text must be the same every time.
 *
 * In front of a statement, or by `modifyFront` of a query.
 */
export const prepared = sql`/* prepared */`;

const marked = /^\s*(select )?\/\* prepared \*\//;

/** A plan that was made for an empty table would be kept while it fills: after so long it is made again. */
const keepMs = 10_000;

/** Of one process. A text that differs from call to call must not fill the memory of every connection. */
const names = new Map<string, string>();
const mostNames = 200;

function nameOf(text: string): string | undefined {
  if (!marked.test(text)) return undefined;
  const known = names.get(text);
  if (known !== undefined || names.size >= mostNames) return known;
  const name = `muster_${names.size}`;
  names.set(text, name);
  return name;
}

/** Lets a new connection prepare what is marked. */
export function prepareMarked(client: pg.PoolClient): void {
  const plain = client.query.bind(client) as (...parts: unknown[]) => unknown;
  let plannedMs = performance.now();
  const query = (text: unknown, values?: unknown, ...rest: unknown[]) => {
    const name = typeof text === 'string' ? nameOf(text) : undefined;
    if (name === undefined) return plain(text, values, ...rest);
    if (performance.now() - plannedMs > keepMs) {
      plannedMs = performance.now();
      // In a transaction that has failed it is refused, as the statement after it will be.
      (plain('discard plans') as Promise<unknown>).catch(() => undefined);
    }
    return plain({ name, text, values }, ...rest);
  };
  client.query = query as typeof client.query;
}
