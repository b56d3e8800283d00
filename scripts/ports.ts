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

/** Two free ports in a row, for a server and its sandbox; below those that systems give to outgoing connections. */
export async function findPortPair(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = 20_000 + 2 * Math.floor(Math.random() * 5_000);
    if ((await isPortFree(port)) && (await isPortFree(port + 1))) return port;
  }
  throw new PlainError('No two free ports in a row were found.');
}
