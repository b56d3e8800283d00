import type { TestApp } from './test-app.ts';

/** A file as a browser downloads it, with its byte order mark. */
export async function downloadFile(app: TestApp, as: { cookie: string }, path: string): Promise<string> {
  const reply = await fetch(`${app.url}/proxy/api${path}`, { headers: { cookie: as.cookie } });
  if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await reply.arrayBuffer());
}
