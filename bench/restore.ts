/**
 * A backup of many texts, restored into a PostgreSQL of its own and proven equal by counts and sums.
 *
 *   node bench/restore.ts [texts]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTemporaryPostgres } from '../scripts/postgres.ts';
import { restoreBackup } from '../server/backups/restore-backup.ts';
import { writeBackup } from '../server/backups/write-backup.ts';
import { report, startBench } from './harness.ts';
import { addPeople } from './people.ts';
import { addTexts, makeSender } from './texts.ts';

const texts = Number(process.argv[2] ?? 1_000_000);
const number = '14235550100';
const folder = mkdtempSync(join(tmpdir(), 'muster-restore-bench-'));
const bench = await startBench({ port: 4280, numbers: { [number]: 'infobip' } });
const empty = await startTemporaryPostgres(tmpdir());
try {
  const sender = await makeSender(bench.db, number, 5);
  await addPeople(bench.db, sender.accountId, Math.ceil(texts / 10));
  await addTexts(bench.db, sender, 5, texts);
  let start = performance.now();
  const written = await writeBackup(bench.databaseUrl, { to: join(folder, 'all'), dataDir: bench.dataDir });
  const backupS = (performance.now() - start) / 1000;
  const peakMb = process.resourceUsage().maxRSS / 1024;
  start = performance.now();
  await restoreBackup(empty.url, { from: join(folder, 'all') });
  const restoreS = (performance.now() - start) / 1000;
  const bytes = written.tables.reduce((sum, table) => sum + table.bytes, 0);
  const rows = written.tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(
    `${rows} rows, ${Math.round(bytes / 1e6)} MB compressed; memory at most ${Math.round(peakMb)} MB`,
  );
  const restored = written.tables.find(({ name }) => name === 'public.messages')?.rows ?? 0;
  const holds = [
    report('texts restored with the same count and sum', restored, { least: texts, most: texts }, 'texts'),
    report('backup', backupS, { most: texts / 5000 + 10 }, 's'),
    report('restore, with the proof', restoreS, { most: texts / 1500 + 30 }, 's'),
    report('memory of a backup', peakMb, { most: 400 }, 'MB'),
  ];
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await empty.stop();
  await bench.close();
  rmSync(folder, { recursive: true, force: true });
}
