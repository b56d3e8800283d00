import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname, join, normalize, resolve, sep } from 'node:path';
import { send } from './http.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
};

const policy =
  "default-src 'self'; img-src 'self' data: blob: http: https:; style-src 'self' 'unsafe-inline'";
const notBuilt =
  'The page of the telephones is not built yet: run "vite build --config sandbox/page/vite.config.ts".\n';

/** The built page. False when there is no such file. */
export async function servePage(webDir: string, path: string, response: ServerResponse): Promise<boolean> {
  const root = resolve(webDir);
  const file = normalize(join(root, path === '/' ? 'index.html' : path));
  const type = types[extname(file)];
  if (!file.startsWith(root + sep) || type === undefined) return false;
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch {
    if (path !== '/') return false;
    send(response, 503, 'text/plain; charset=utf-8', notBuilt);
    return true;
  }
  response.setHeader('content-security-policy', policy);
  // Vite names the files under assets after their content; the page itself is always asked for again.
  if (path.startsWith('/assets/')) response.setHeader('cache-control', 'public, max-age=31536000, immutable');
  send(response, 200, type, bytes);
  return true;
}
