import { getPriority } from 'node:os';
import { hash } from '@node-rs/argon2';
import { afterAll, expect, it } from 'vitest';
import { Refusal } from '../../contract/errors.ts';
import { askHasher, hashElsewhere } from './ask-hasher.ts';

const elsewhere = hashElsewhere();
afterAll(() => elsewhere.stop());

it('hashes and compares in a process with a low priority', async () => {
  const hashed = String(await askHasher({ password: 'correct-horse-7' }));
  expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await askHasher({ password: 'correct-horse-7', hashed })).toBe(true);
  expect(await askHasher({ password: 'correct-horse-8', hashed })).toBe(false);
  const pid = elsewhere.pid() ?? 0;
  expect(pid).not.toBe(process.pid);
  await expect.poll(() => getPriority(pid), { timeout: 15_000 }).toBe(10);
  const problem = await askHasher({ password: 'correct-horse-7', hashed: 'no hash' }).catch(String);
  expect(problem).toBe('Error: a password hash could not be read');
});

it('loses no question when it is killed, and refuses once too many wait', async () => {
  // As cheap as argon2 can be.
  const hashed = await hash('a', { memoryCost: 8, timeCost: 1, parallelism: 1 });
  const before = elsewhere.pid() ?? 0;
  process.kill(before, 'SIGSTOP');
  const asked = Array.from({ length: 300 }, (_, index) =>
    askHasher({ password: index % 2 === 0 ? 'a' : 'b', hashed }).then(
      (isRight) => isRight === (index % 2 === 0),
      (error: unknown) => error,
    ),
  );
  process.kill(before, 'SIGKILL');
  const answers = await Promise.all(asked);
  const refused = answers.filter((answer) => answer instanceof Refusal);
  expect(refused.length).toBe(100);
  expect(refused[0]).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('Please try') });
  expect(answers.slice(0, 200)).toEqual(Array(200).fill(true));
  expect(elsewhere.pid()).not.toBe(before);
});
