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
  // The name stands in brackets and may hold anything.
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
