import { connect, createServer, type Socket } from 'node:net';

/** The provider's door: everything goes through it, and calls that are asked for are counted as they arrive. */
export interface Door {
  url: string;
  /** Time when each call was asked for, by one clock, in ms. */
  arrivedMs: number[];
  /** Times when the door itself was late, and by how much: what arrived meanwhile seems to arrive together. */
  late: { atMs: number; byMs: number }[];
  close(): Promise<void>;
}

const tickMs = 10;

/**
 * The sandbox can't tell how many calls arrive in a second: while it is busy with a call, the next ones wait in their
 * sockets and then seem to come together.
 */
export async function openDoor(port: number, sandboxUrl: string): Promise<Door> {
  const arrivedMs: number[] = [];
  const late: Door['late'] = [];
  let dueMs = performance.now() + tickMs;
  const ticks = setInterval(() => {
    const atMs = performance.now();
    if (atMs - dueMs > tickMs) late.push({ atMs, byMs: atMs - dueMs });
    dueMs = atMs + tickMs;
  }, tickMs);
  const { hostname, port: behind } = new URL(sandboxUrl);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    const inner = connect(Number(behind), hostname);
    socket.setNoDelay(true);
    inner.setNoDelay(true);
    // A request begins with its first line, and the next one on a connection only comes after an answer.
    socket.on('data', (chunk) => {
      if (/^POST \S+\/Calls\.json /.test(chunk.toString('latin1', 0, 200))) arrivedMs.push(performance.now());
    });
    socket.pipe(inner).pipe(socket);
    socket.on('error', () => inner.destroy());
    inner.on('error', () => socket.destroy());
    socket.on('close', () => {
      open.delete(socket);
      inner.destroy();
    });
    inner.on('close', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    arrivedMs,
    late,
    async close() {
      clearInterval(ticks);
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The second in which the most arrived: one that comes a whole second after another is in the next. */
export function fullestSecond(arrivedMs: readonly number[]): { most: number; fromMs: number } {
  let fullest = { most: 0, fromMs: 0 };
  let first = 0;
  for (const [index, at] of arrivedMs.entries()) {
    while (at - (arrivedMs[first] ?? at) >= 1000) first += 1;
    const most = index - first + 1;
    if (most > fullest.most) fullest = { most, fromMs: arrivedMs[first] ?? at };
  }
  return fullest;
}

/** Most milliseconds by which the door was late around a second that began then. */
export function doorLateMs({ late }: Door, fromMs: number): number {
  return Math.max(0, ...late.filter(({ atMs }) => Math.abs(atMs - fromMs) < 1000).map(({ byMs }) => byMs));
}
