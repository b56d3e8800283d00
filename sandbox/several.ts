import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Sandbox, startSandbox } from './app.ts';
import { parseConfig } from './config.ts';
import { readBody, sendJson } from './http.ts';

/**
 * Several sandboxes in one process, each with ports and state of its own, for Muster's tests: most of them are
 * shorter than the start of a process. `POST /` with a sandbox's environment starts one; `DELETE /{port}` ends it
 * as kill would, with every connection cut. It ends when whoever started it does.
 */
const running = new Map<number, Sandbox>();

const server = createServer(async (request, response) => {
  try {
    if (request.method === 'POST') {
      const sandbox = await startSandbox(parseConfig(JSON.parse((await readBody(request)).toString())));
      running.set(sandbox.port, sandbox);
      sendJson(response, 200, { port: sandbox.port, mailPort: sandbox.mailPort });
      return;
    }
    const port = Number(request.url?.slice(1));
    const sandbox = running.get(port);
    running.delete(port);
    await sandbox?.close();
    sendJson(response, 200, {});
  } catch (error) {
    sendJson(response, 500, { Message: String(error) });
  }
});
server.keepAliveTimeout = 75_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
