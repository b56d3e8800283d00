// Works while no page of Muster is in front: shows new texts, opens the conversation when one is pressed, and sends
// texts that were written without a connection. Opens Muster without a connection too. It keeps the empty page only:
// nothing that people wrote or received.

const shell = 'muster-shell';
// Any page of the application: they all begin with the same file.
const shellPath = '/inbox';
// One that never contains replies. The browser's cache may keep it.
const emptyPath = '/home';
const elsewhere = /^\/(proxy|hooks|media|assets|metrics|readyz|healthz|socket\.io|api)(\/|$)/;

self.addEventListener('install', (event) => {
  // Only pages are looked at. Everything else goes straight to the network.
  const straight = ['/proxy/*', '/assets/*', '/media/*', '/socket.io/*'];
  event
    .addRoutes?.(straight.map((pathname) => ({ condition: { urlPattern: { pathname } }, source: 'network' })))
    ?.catch(() => undefined);
  event.waitUntil(keepEmptyPage().catch(() => undefined));
  self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([preloadPages(), self.clients.claim()]));
});

/** The header says that this worker doesn't keep what people wrote (server/page-replies.ts). */
async function preloadPages() {
  await self.registration.navigationPreload?.enable();
  await self.registration.navigationPreload?.setHeaderValue('2');
}

/** Asked for by a script: the server puts replies only into pages that a browser opens. */
async function keepEmptyPage() {
  await keepShell(await fetch(emptyPath, { cache: 'no-cache' }));
}

async function keepShell(response) {
  if (!response.ok || response.redirected) return;
  await (await caches.open(shell)).put(shellPath, response);
}

self.addEventListener('fetch', (event) => {
  const { mode, url } = event.request;
  const { pathname } = new URL(url);
  if (mode !== 'navigate' || elsewhere.test(pathname) || pathname.includes('.')) return;
  event.respondWith(openPage(event));
});

async function openPage(event) {
  try {
    const page = (await event.preloadResponse) ?? (await fetch(event.request));
    const isPersonal = /no-store/.test(page.headers.get('cache-control') ?? '');
    event.waitUntil(isPersonal ? keepEmptyPage() : keepShell(page.clone()));
    return page;
  } catch (error) {
    const kept = await caches.match(shellPath);
    if (kept) return kept;
    throw error;
  }
}

const english = {
  text: 'New text',
  one: 'A text wasn’t sent',
  several: 'Texts weren’t sent',
  why: 'Open Muster to see why.',
};
const spanish = {
  text: 'Mensaje nuevo',
  one: 'Un mensaje no se envió',
  several: 'Hay mensajes que no se enviaron',
  why: 'Abra Muster para ver por qué.',
};

/** In the language of the page that is kept: the one that this browser saw last. */
async function words() {
  const kept = await caches.match(shellPath);
  return kept && /<html[^>]* lang="es"/.test(await kept.text()) ? spanish : english;
}

self.addEventListener('push', (event) => {
  event.waitUntil(show(event.data));
});

async function show(data) {
  const said = data?.json() ?? {};
  // Firebase wraps the payload, and all its values are strings.
  const notice = said.data ?? said;
  const id = Number(notice.ConversationID);
  if (!id) return;
  const unread = Number(notice.UnreadCount);
  if (unread > 0) await self.navigator.setAppBadge?.(unread).catch(() => undefined);
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  // The visible page announces it itself, or shows it already.
  if (pages.some((page) => page.focused && page.visibilityState === 'visible')) return;
  await self.registration.showNotification(notice.Title || (await words()).text, {
    body: notice.Body,
    // One a conversation; the same one that an open page shows, so that nobody sees two.
    tag: `c${id}`,
    icon: '/icons/192.png',
    badge: '/icons/badge.png',
    data: { ConversationID: id },
  });
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const id = event.notification.data?.ConversationID;
  event.waitUntil(open(id ? `/inbox/${id}` : '/inbox', id));
});

/** Opens the conversation in a page that is there, otherwise in a new one. */
async function open(path, id) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const paths = pages.map((page) => ({ page, at: new URL(page.url).pathname }));
  const shows = paths.find(({ at }) => at === path);
  if (shows) return shows.page.focus();
  const found = paths.find(({ at }) => !/^\/(login|logout)/.test(at));
  if (!found) return self.clients.openWindow(path);
  const { page } = found;
  await page.focus().catch(() => undefined);
  if (await isTold(page, { type: 'muster.open', ConversationID: id, path })) return;
  // The page has not got so far yet that it listens.
  await page.navigate(path).catch(() => self.clients.openWindow(path));
}

/** Resolves to true if the page answers within a second. */
function isTold(page, message) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(true);
    setTimeout(() => resolve(false), 1_000);
    page.postMessage(message, [port2]);
  });
}

// Texts that were written without a connection. web/conversations/thread/text-store.ts keeps them, outbox.ts has the
// rules: one after the other in a conversation, each with its own key, alone among all pages.
const outbox = 'muster-outbox';
const sentByItselfMs = 30 * 60_000;
/** The conversation of texts to somebody new. Their texts don't wait for one another's decision. */
const beginning = 0;

self.addEventListener('sync', (event) => {
  if (event.tag === outbox) event.waitUntil(sendTexts());
});

async function sendTexts() {
  const database = await openOutbox();
  const texts = await run(database, 'readonly', (table) => table.getAll());
  const waiting = texts.filter(isWaiting).sort((a, b) => a.at.localeCompare(b.at));
  /** Conversations whose next text has to wait for one before it. */
  const held = new Set();
  let refused = 0;
  for (const { key, userId, conversationId } of waiting) {
    await self.navigator.locks.request(`${outbox}-${userId}-${conversationId}`, async () => {
      if (held.has(conversationId)) return;
      const text = await run(database, 'readonly', (table) => table.get(key));
      if (!text || !isWaiting(text)) return;
      // Whatever comes back, or nothing: from now on it may have arrived, and keeps its key.
      await run(database, 'readwrite', (table) => table.put({ ...text, isUnsure: true }));
      new BroadcastChannel(outbox).postMessage(userId);
      const isSent = await send(text);
      if (isSent) {
        await run(database, 'readwrite', (table) => table.delete(key));
        new BroadcastChannel(outbox).postMessage(userId);
      } else {
        // The page tries it once more when it is opened, and says why it was refused.
        if (conversationId !== beginning) held.add(conversationId);
        refused += 1;
      }
    });
  }
  database.close();
  if (refused === 0 || Notification.permission !== 'granted') return;
  const { one, several, why } = await words();
  await self.registration.showNotification(refused === 1 ? one : several, {
    body: why,
    tag: outbox,
    icon: '/icons/192.png',
    badge: '/icons/badge.png',
  });
}

function isWaiting({ state, at }) {
  return (state === 'waiting' || state === 'sending') && Date.now() - Date.parse(at) < sentByItselfMs;
}

/** Rejects when the server can't be reached: the browser then wakes us again later. */
async function send({ conversationId, idempotencyKey, body }) {
  const begins = conversationId === beginning;
  const path = begins ? '/conversations' : `/conversations/${conversationId}/textmessages`;
  const answer = await fetch(`/proxy/api${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
    body: JSON.stringify(body),
    credentials: 'same-origin',
    cache: 'no-store',
    signal: AbortSignal.timeout(20_000),
  });
  if (answer.status === 502 || answer.status === 503) throw new Error('The server can’t be reached.');
  const reply = await answer.json().catch(() => ({ ErrorCode: 0 }));
  // If some of several people didn't get it, the page is told the same once more and shows who.
  const gotAll = !begins || (reply.Items ?? []).every((item) => item.Error === '');
  return answer.ok && !('ErrorCode' in reply) && gotAll;
}

function openOutbox() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(outbox, 1);
    request.onupgradeneeded = () => request.result.createObjectStore('texts', { keyPath: 'key' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function run(database, mode, act) {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction('texts', mode);
    const request = act(transaction.objectStore('texts'));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  });
}
