import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { primaryOf } from '../server/database-hosts.ts';
import { openDatabase } from '../server/db.ts';
import { OperatorError, operatorUsage, restore, runOperator } from '../server/operator.ts';
import { PlainError, runMain } from './plain-error.ts';
import { startTemporaryPostgres } from './postgres.ts';
import { urlOf } from './postgres-process.ts';

/** `npx muster …`: what the operator does on the installation's database, account by account or as a whole. */
await runMain(async () => {
  const words = process.argv.slice(2);
  if (words.length === 0) {
    console.log(operatorUsage);
    return 0;
  }
  if (words[0] === 'drill') return drill(words[1] ?? '');
  const url = process.env.DATABASE_URL ?? embeddedUrl();
  const database = openDatabase((await primaryOf(url)) ?? url, { connections: 4 });
  try {
    for (const line of await runOperator(database, words, console.log)) console.log(line);
    return 0;
  } catch (error) {
    if (error instanceof OperatorError) throw new PlainError(error.message);
    throw error;
  } finally {
    await database.close();
  }
});

/**
 * Restores a backup, since nothing else proves that it can be restored: into a PostgreSQL of its own, which goes away
 * again.
 */
async function drill(folder: string): Promise<number> {
  // On the disk: a backup may be larger than the memory.
  const postgres = await startTemporaryPostgres(tmpdir());
  try {
    for (const line of await restore(postgres.url, folder)) console.log(line);
    return 0;
  } catch (error) {
    if (error instanceof OperatorError) throw new PlainError(error.message);
    throw error;
  } finally {
    await postgres.stop();
  }
}

/** The database that `npm start` runs in DATA_DIR. */
function embeddedUrl(): string {
  const file = join(process.env.DATA_DIR ?? './.data', 'postgres.json');
  try {
    const { port, password } = JSON.parse(readFileSync(file, 'utf8'));
    return urlOf(port, password, 'muster');
  } catch {
    throw new PlainError(
      `Set DATABASE_URL, or DATA_DIR to a folder that "npm start" uses: ${file} can't be read.`,
    );
  }
}
