import { describe, expect, it } from 'vitest';
import { createSteps, formatDuration } from './steps.ts';

function record(isTTY: boolean) {
  const written: string[] = [];
  return { written, steps: createSteps({ isTTY, write: (text: string) => written.push(text) }) };
}

describe('createSteps', () => {
  it('prints one line a step, with its notes and its time', async () => {
    const { written, steps } = record(false);
    const result = await steps.run('PostgreSQL', async (say) => {
      say('port 5432');
      return 7;
    });
    expect(result).toBe(7);
    expect(written.join('')).toMatch(/^✓ PostgreSQL \(port 5432\) {2}\d+\.\d s\n$/);
  });

  it('marks a step that failed and passes its error on', async () => {
    const { written, steps } = record(false);
    await expect(steps.run('Web', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(written.join('')).toMatch(/^✗ Web /);
  });

  it('says nothing of a step that was broken off', async () => {
    const { written, steps } = record(false);
    await expect(steps.run('Web', () => Promise.reject(AbortSignal.abort().reason))).rejects.toThrow();
    expect(written.join('')).toBe('');
  });

  it('writes no control characters where nobody watches', async () => {
    const { written, steps } = record(false);
    await Promise.all([steps.run('a', async () => {}), steps.run('b', async () => {})]);
    steps.note('done');
    expect(written.join('')).not.toContain('\u001b');
    expect(written.join('').split('\n')).toHaveLength(4);
  });

  it('names on a terminal what is under way, and leaves no trace of it', async () => {
    const { written, steps } = record(true);
    const first = Promise.withResolvers<void>();
    const running = steps.run('first', () => first.promise);
    await steps.run('second', async () => {});
    expect(written.join('')).toContain('first, second …');
    expect(written.at(-1)).toContain('first …');
    first.resolve();
    await running;
    expect(written.at(-1)).toBe('\r\u001b[K');
  });
});

describe('formatDuration', () => {
  it.each([
    [0, '0.0 s'],
    [1_240, '1.2 s'],
    [59_900, '59.9 s'],
    [59_960, '1 min 0 s'],
    [125_000, '2 min 5 s'],
  ])('says %i ms as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});
