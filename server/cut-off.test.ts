import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cutOffSlowBody, cutOffStalledReader } from './cut-off.ts';

async function serve(listener: RequestListener) {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    open(text: string) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(text);
      onTestFinished(() => void socket.destroy());
      return socket;
    },
  };
}

/** More than the buffers at both ends can hold. */
function* manyBytes() {
  for (let megabyte = 0; megabyte < 64; megabyte += 1) yield Buffer.alloc(1024 * 1024, 'x');
}

describe('a reply', () => {
  it('ends when its reader stops reading', async () => {
    const closed = Promise.withResolvers<boolean>();
    const { open } = await serve((_request, response) => {
      cutOffStalledReader(response, 100);
      Readable.from(manyBytes()).pipe(response);
      response.once('close', () => closed.resolve(response.writableFinished));
    });
    open('GET / HTTP/1.1\r\nHost: a\r\n\r\n').pause();
    expect(await closed.promise).toBe(false);
  });

  it('continues for a slow reader, and while it is still being generated', async () => {
    const { url } = await serve(async (_request, response) => {
      cutOffStalledReader(response, 100);
      response.write('first ');
      // Three times as long as a reader may pause.
      setTimeout(() => Readable.from(manyBytes()).pipe(response), 300);
    });
    const text = await (await fetch(url)).text();
    expect(text.length).toBe('first '.length + 64 * 1024 * 1024);
  });
});

describe('a body', () => {
  it('that is incomplete is aborted', async () => {
    const closed = Promise.withResolvers<boolean>();
    const { open } = await serve((request) => {
      cutOffSlowBody(request, 100);
      request.on('error', () => undefined).resume();
      request.once('close', () => closed.resolve(request.complete));
    });
    const socket = open('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n');
    expect(await closed.promise).toBe(false);
    await once(socket, 'close');
  });

  it('that is complete leaves as much time as the reply takes', async () => {
    const { url, open } = await serve((request, response) => {
      cutOffSlowBody(request, 50);
      request.resume();
      setTimeout(() => response.end('done'), 150);
    });
    // In one piece with its headers, so that no delay can come between them.
    const socket = open('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nall of it');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toContain('\r\n\r\ndone');
    expect(await (await fetch(url)).text()).toBe('done');
  });
});
