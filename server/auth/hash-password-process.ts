/**
 * Hashes passwords in a separate process with the lowest priority: users working in the inbox while many sign
 * in don't wait for a processor that is busy with a hash. server/auth/ask-hasher.ts sends it questions, and
 * it ends with its parent process.
 */
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { HashAnswer, HashQuestion } from './ask-hasher.ts';
import { hashPasswordHere } from './hash-password.ts';

/** Everything else comes first, and a tenth of a busy processor is left. */
const niceness = 10;

const may = (lower: () => void) => {
  try {
    lower();
  } catch {
    // Then passwords are hashed at normal priority.
  }
};
may(() => setPriority(niceness));
// On Linux outside of containers a session is a group, and only the group's niceness counts against other sessions, such as
// PostgreSQL's.
if (process.platform === 'linux') may(() => writeFileSync('/proc/self/autogroup', String(niceness)));

process.on('message', async ({ id, ...task }: HashQuestion) => {
  const answer: HashAnswer = await hashPasswordHere(task).then(
    (value) => ({ id, value }),
    // Without the error's own words: only the answer about a password may leave this process.
    () => ({ id }),
  );
  process.send?.(answer);
});
// Ctrl-C reaches the parent process, which decides when to end.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
