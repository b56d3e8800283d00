import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of processor that a process and its children have used; 0 where the kernel doesn't say. */
export function processorMs(pid: number | undefined): number {
  const own = readTimes(pid);
  if (own === undefined) return 0;
  let ticks = own.used + own.ofEnded;
  for (const name of readdirSync('/proc')) {
    const other = /^\d+$/.test(name) ? readTimes(Number(name)) : undefined;
    if (other?.parent === pid) ticks += other?.used ?? 0;
  }
  // The kernel counts in hundredths of a second.
  return ticks * 10;
}

const lookMs = 2_000;

/**
 * Watches what a host gives of the processors to its other guests: a figure in milliseconds says nothing of us while they
 * are gone. Ends in a sentence, or in nothing where the kernel doesn't say or none were taken.
 */
export function watchOthers(): () => string | undefined {
  const first = readStolen();
  let last = first;
  let worst = 0;
  const timer = setInterval(() => {
    const now = readStolen();
    worst = Math.max(worst, shareOf(last, now));
    last = now;
  }, lookMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    const share = shareOf(first, readStolen());
    const percent = (part: number) => `${Math.round(100 * part)} %`;
    return share < 0.005
      ? undefined
      : `Others on this machine’s host took ${percent(share)} of its processors, ${percent(worst)} for two seconds.`;
  };
}

/** Ticks of all processors since the machine started: those taken by other guests, and all. */
function readStolen(): { stolen: number; all: number } {
  const [line = ''] = read('/proc/stat').split('\n', 1);
  // user, nice, system, idle, iowait, irq, softirq, steal; what follows is counted in these already.
  const ticks = line.split(/\s+/).slice(1, 9).map(Number);
  return { stolen: ticks[7] ?? 0, all: ticks.reduce((sum, each) => sum + each, 0) };
}

function shareOf(from: ReturnType<typeof readStolen>, to: ReturnType<typeof readStolen>): number {
  return to.all === from.all ? 0 : (to.stolen - from.stolen) / (to.all - from.all);
}

/** The first process whose command line holds all of these. */
export function findProcess(...words: string[]): number | undefined {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const line = read(`/proc/${name}/cmdline`);
    if (words.every((word) => line.includes(word))) return Number(name);
  }
  return undefined;
}

function readTimes(pid: number | undefined) {
  const text = read(`/proc/${pid}/stat`);
  if (text === '') return undefined;
  // The name is in brackets and may contain anything.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
    (place) => fields[place],
  );
  return { parent, used: user + system, ofEnded: endedUser + endedSystem };
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
