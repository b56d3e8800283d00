import type { Worker } from 'node:worker_threads';

/** A busy machine gets this many times as long. */
const patience = 15;

/**
 * Calls `giveUp` when a thread has used this much CPU time: on a busy machine a good file may wait for its
 * turn much longer than it takes. Returns a function that cancels it.
 */
export function limitThread(thread: Worker, ms: number, giveUp: () => void): () => void {
  // A thread that has not started yet has used nothing.
  const used = (since?: NodeJS.CpuUsage) => thread.cpuUsage(since).catch(() => ({ user: 0, system: 0 }));
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    isOver = true;
    clearTimeout(timer);
    clearTimeout(last);
  };
  const stop = () => {
    if (isOver) return;
    end();
    giveUp();
  };
  // However little CPU time it has used, or if that is unknown.
  const last = setTimeout(stop, patience * ms);
  const before = used();
  const lookIn = (inMs: number) => {
    timer = setTimeout(async () => {
      const { user, system } = await used(await before);
      const leftMs = ms - (user + system) / 1000;
      if (isOver) return;
      if (leftMs <= 0) stop();
      else lookIn(Math.max(leftMs, 50));
    }, inMs);
  };
  lookIn(ms);
  return end;
}
