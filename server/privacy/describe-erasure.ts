import type { Erasure } from './change-rows.ts';

const rows = (many: number) => `${many} ${many === 1 ? 'row' : 'rows'}`;

/** The operator's report, which they can give to the requester: it doesn't name the person. */
export function describeErasure(erasure: Erasure, options: { really: boolean; files: number }): string[] {
  const { deleted, changed, kept, remarks, found } = erasure;
  const isClean = found.places.length === 0;
  return [
    options.really ? 'Erased:' : 'This would be erased (say "really" to do it):',
    ...[...deleted].map(([table, many]) => `  ${table}: ${rows(many)} deleted`),
    ...[...changed].map(([table, many]) => `  ${table}: ${rows(many)} emptied or blacked out`),
    ...(options.really ? [`  files: ${options.files} removed`] : []),
    ...(kept.size === 0
      ? []
      : ['Kept, so that nobody texts or calls them again (phone, state and day; nothing else):']),
    ...[...kept].map(([table, many]) => `  ${table}: ${rows(many)}`),
    ...remarks,
    `Searched ${found.columns} columns of ${found.tables} tables for the phones and the name: ${isClean ? 'nothing was found.' : 'something is left.'}`,
    ...found.places.map(({ table, column, rows: many }) => `  ${table}.${column}: ${rows(many)}`),
  ];
}
