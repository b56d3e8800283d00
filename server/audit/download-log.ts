import type { downloadAuditLog as definition } from '../../contract/audit-log.ts';
import type { Input } from '../../contract/call.ts';
import { localDay } from '../../contract/time/local-day.ts';
import { nowMs } from '../clock.ts';
import { csvDownload } from '../csv.ts';
import { type Cursor, readCursor } from '../cursor.ts';
import { asAccount, type Database, mayLag } from '../db.ts';
import { recordEvents } from '../record-events.ts';
import type { Actor, App, Download } from '../serve.ts';
import { ownLabel } from './own-label.ts';
import { type AuditEntry, listEntries } from './queries.ts';

const entriesAtOnce = 1_000;

const header = ['Time (UTC)', 'Entry', 'Who', 'What', 'Object', 'Count', 'Changes', 'Address', 'From'];

/** The log as a file, written while it is sent, a page at a time. No page waits for the reader. */
export async function downloadLog(
  { database }: App,
  actor: Actor,
  { query }: Input<typeof definition>,
): Promise<Download> {
  await asAccount(database, actor.accountId, (trx) =>
    recordEvents(trx, actor, [{ kind: 'auditLog.exported' }]),
  );
  const name = `audit-log-${localDay(nowMs(), actor.timeZone)}.csv`;
  return csvDownload(name, header, lines(mayLag(database), actor, query), actor);
}

async function* lines(database: Database, actor: Actor, query: Input<typeof definition>['query']) {
  const inOwn = ownLabel(actor);
  let after: Cursor | undefined;
  for (;;) {
    const { items, next } = await asAccount(database, actor.accountId, (trx) =>
      listEntries(trx, actor, query, { size: entriesAtOnce, after }),
    );
    for (const entry of items) yield cellsOf({ ...entry, What: inOwn(entry.What) });
    if (next === null) return;
    after = readCursor(next);
  }
}

function cellsOf(entry: AuditEntry): string[] {
  const changes = entry.Changes.map(({ Field, Before, After }) =>
    Before === null ? `${Field}: ${After}` : `${Field}: ${Before} → ${After}`,
  );
  return [
    new Date(entry.Timestamp).toISOString(),
    String(entry.Number),
    entry.Who.Name,
    entry.What,
    entry.Object?.Name ?? '',
    String(entry.Count),
    changes.join('; '),
    entry.Address,
    entry.Agent,
  ];
}
