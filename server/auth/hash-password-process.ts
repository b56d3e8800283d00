/**
 * Hashes passwords in a process of its own, below everything else: whoever works in the inbox while many sign in doesn't
 * wait for a processor that a hash has taken. It is asked by server/auth/ask-hasher.ts and ends with whoever started it.
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
    // Then it is hashed at the priority of everything else.
  }
};
may(() => setPriority(niceness));
// On Linux outside of containers a session is a group, and only the group's niceness counts against other sessions, such as
// PostgreSQL's.
if (process.platform === 'linux') may(() => writeFileSync('/proc/self/autogroup', String(niceness)));

process.on('message', async ({ id, ...task }: HashQuestion) => {
  const answer: HashAnswer = await hashPasswordHere(task).then(
    (value) => ({ id, value }),
    // Without the error's own words: nothing about a password leaves this process but the answer.
    () => ({ id }),
  );
  process.send?.(answer);
});
// Ctrl-C reaches whoever started it, who says when it is over.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
