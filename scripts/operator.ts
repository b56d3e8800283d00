import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../server/db.ts';
import { OperatorError, operatorUsage, runOperator } from '../server/operator.ts';
import { PlainError, runMain } from './plain-error.ts';
import { urlOf } from './postgres-process.ts';

/** `npm run operator -- …`: feature flags and other switches of an account, on the installation's database. */
await runMain(async () => {
  const words = process.argv.slice(2);
  if (words.length === 0) {
    console.log(operatorUsage);
    return 0;
  }
  const database = openDatabase(process.env.DATABASE_URL ?? embeddedUrl(), { connections: 4 });
  try {
    for (const line of await runOperator(database, words)) console.log(line);
    return 0;
  } catch (error) {
    if (error instanceof OperatorError) throw new PlainError(error.message);
    throw error;
  } finally {
    await database.close();
  }
});

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
