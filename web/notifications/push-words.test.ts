import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';

/** The service worker in a browser that keeps this page. */
function startWorker(page: string) {
  const listeners = new Map<string, (event: object) => void>();
  const shown: string[] = [];
  const self = {
    addEventListener: (kind: string, listener: (event: object) => void) => listeners.set(kind, listener),
    navigator: {},
    clients: { matchAll: async () => [] },
    registration: { showNotification: async (title: string) => shown.push(title) },
  };
  const caches = { match: async () => new Response(page) };
  runInNewContext(readFileSync('web/public/service-worker.js', 'utf8'), { self, caches, URL, Number });
  return async (notice: object) => {
    let work: Promise<unknown> = Promise.resolve();
    const waitUntil = (promise: Promise<unknown>) => {
      work = promise;
    };
    listeners.get('push')?.({ data: { json: () => notice }, waitUntil });
    await work;
    return shown.at(-1);
  };
}

it('shows a notice without a title in the language of the page', async () => {
  const inEnglish = startWorker('<!doctype html><html lang="en">');
  expect(await inEnglish({ ConversationID: 7 })).toBe('New text');
  expect(await inEnglish({ ConversationID: 7, Title: 'Renee Castellano' })).toBe('Renee Castellano');
  expect(await startWorker('<html lang="es">')({ ConversationID: 7 })).toBe('Mensaje nuevo');
});
