import { expect, it } from 'vitest';
import { runOnce } from './run-once.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Steps that wait until the test lets them end. */
function heldSteps() {
  const open: { end: (isMore: boolean) => void; fail: (error: Error) => void }[] = [];
  let begun = 0;
  const work = runOnce(() => {
    begun += 1;
    return new Promise<boolean>((resolve, reject) => open.push({ end: resolve, fail: reject }));
  });
  return {
    work,
    begun: () => begun,
    /** The current step; there is never more than one. */
    async current() {
      await settle();
      expect(open).toHaveLength(1);
      const [step] = open.splice(0);
      if (step === undefined) throw new Error('no step is under way');
      return step;
    },
  };
}

it('runs steps until nothing is left, for all callers', async () => {
  const { work, current, begun } = heldSteps();
  const all = Promise.all([work.run(), work.run()]);
  (await current()).end(true);
  (await current()).end(false);
  await all;
  expect(begun()).toBe(2);
});

it('checks once more when it was woken meanwhile, however often, and never twice at once', async () => {
  const { work, current, begun } = heldSteps();
  const first = work.run();
  const step = await current();
  let isDone = false;
  const others = Promise.all([first, work.run(), work.run()]).then(() => {
    isDone = true;
  });
  step.end(false);
  const second = await current();
  expect([begun(), isDone]).toEqual([2, false]);
  second.end(false);
  await others;
  expect(begun()).toBe(2);
});

it('loses no wake-up at the moment of the end', async () => {
  let seen = 0;
  let waiting = 0;
  const work = runOnce(async () => {
    seen += waiting;
    waiting = 0;
    return false;
  });
  for (let turns = 0; turns < 12; turns += 1) {
    const running = work.run();
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    waiting += 1;
    await Promise.all([running, work.run()]);
    expect([turns, waiting]).toEqual([turns, 0]);
  }
  expect(seen).toBe(12);
});

it('ends with a step that fails, and starts over when it is woken again', async () => {
  const { work, current } = heldSteps();
  const failed = expect(work.run()).rejects.toThrow('database away');
  (await current()).fail(new Error('database away'));
  await failed;
  const again = work.run();
  (await current()).end(false);
  await again;
});

it('starts no further step when it is stopped, and waits for the current one', async () => {
  const { work, current, begun } = heldSteps();
  const running = work.run();
  const step = await current();
  let hasStopped = false;
  const stopped = work.stop().then(() => {
    hasStopped = true;
  });
  await settle();
  expect(hasStopped).toBe(false);
  step.end(true);
  await Promise.all([running, stopped]);
  await work.run();
  expect(begun()).toBe(1);
});
