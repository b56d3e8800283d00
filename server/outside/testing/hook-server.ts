import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Carrier, Hook } from '../carrier.ts';

/** A tiny receiver of webhooks: requests are stored in the format that the adapters read. */
export async function startHookServer() {
  const hooks: { path: string; hook: Hook }[] = [];
  const waiting = new Set<() => void>();
  const carriers = new Map<string, Carrier>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const path = request.url ?? '/';
    const { pathname, searchParams } = new URL(path, url);
    const [, , provider = '', kind = '', secret = ''] = pathname.split('/');
    hooks.push({
      path: `${provider}/${kind}`,
      hook: {
        url: url + path,
        secret: decodeURIComponent(secret),
        query: Object.fromEntries(searchParams),
        headers: request.headers,
        body: Buffer.concat(chunks),
      },
    });
    const reply = carriers.get(provider)?.hookReply;
    response.writeHead(200, { 'content-type': reply?.contentType ?? 'text/plain' }).end(reply?.body);
    for (const look of waiting) look();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    carriers,
    list: (path: string) => hooks.filter((each) => each.path === path).map(({ hook }) => hook),
    /** Resolves with the result of `read` once it is defined; checks every webhook. */
    until: <T>(read: () => T | undefined) =>
      new Promise<T>((resolve, reject) => {
        const look = () => {
          try {
            const value = read();
            if (value === undefined) return;
            waiting.delete(look);
            resolve(value);
          } catch (error) {
            waiting.delete(look);
            reject(error);
          }
        };
        waiting.add(look);
        look();
      }),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export type HookServer = Awaited<ReturnType<typeof startHookServer>>;
