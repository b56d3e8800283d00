import * as calls from '../../contract/audit-log.ts';
import { readCursor } from '../cursor.ts';
import { type App, serve, serveDownload } from '../serve.ts';
import { downloadLog } from './download-log.ts';
import { countDays, findEntry, listEntries } from './queries.ts';

export function auditRoutes(app: App): void {
  const KeptMonths = app.config.EVENT_MONTHS;

  serve(app, calls.listAuditLog, async (trx, actor, { query }) => {
    const { pagesize, next, entry, ...filters } = query;
    if (entry !== undefined)
      return { Items: await findEntry(trx, actor, entry), Next: null, Days: [], KeptMonths };
    const after = next === undefined ? undefined : readCursor(next);
    const found = await listEntries(trx, actor, filters, { size: pagesize, after });
    const Days = await countDays(trx, actor, filters, { ...found, isFirst: after === undefined });
    return { Items: found.items, Next: found.next, Days, KeptMonths };
  });

  serveDownload(app, calls.downloadAuditLog, downloadLog);
}
