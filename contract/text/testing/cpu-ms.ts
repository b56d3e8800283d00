/**
 * The processor time that `run` takes on this thread, in milliseconds. For limits on hostile input: unlike a clock
 * it doesn't grow when other programs are busy.
 */
export function cpuMs(run: () => void): number {
  const start = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}
