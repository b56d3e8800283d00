import * as calls from '../../contract/audit-log.ts';
import { readCursor } from '../cursor.ts';
import { type App, serve, serveDownload } from '../serve.ts';
import { downloadLog } from './download-log.ts';
import { findEntry, listEntries } from './queries.ts';

export function auditRoutes(app: App): void {
  const KeptMonths = app.config.EVENT_MONTHS;

  serve(app, calls.listAuditLog, async (trx, actor, { query }) => {
    const { pagesize, next, entry, ...filters } = query;
    if (entry !== undefined) return { Items: await findEntry(trx, actor, entry), Next: null, KeptMonths };
    const after = next === undefined ? undefined : readCursor(next);
    const found = await listEntries(trx, actor, filters, { size: pagesize, after });
    return { Items: found.items, Next: found.next, KeptMonths };
  });

  serveDownload(app, calls.downloadAuditLog, downloadLog);
}
