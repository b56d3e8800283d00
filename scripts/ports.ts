import { createServer } from 'node:net';
import { errorCode, PlainError } from './plain-error.ts';

/** On every address: a listener on any one of them is in the way. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((done, failed) => {
    const probe = createServer();
    probe.once('error', (error) => {
      if (errorCode(error) === 'EADDRINUSE') done(false);
      else if (errorCode(error) === 'EACCES') {
        failed(
          new PlainError(`This user may not listen on port ${port}: choose one from 1024 up with PORT.`),
        );
      } else failed(error);
    });
    probe.listen(port, '0.0.0.0', () => probe.close(() => done(true)));
  });
}

/** Free ports in a row, the first of them; below those that systems give to outgoing connections. */
export async function findPorts(count: number): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const first = 20_000 + count * Math.floor((Math.random() * 10_000) / count);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    if ((await Promise.all(ports.map(isPortFree))).every(Boolean)) return first;
  }
  throw new PlainError(`No ${count} free ports in a row were found.`);
}
