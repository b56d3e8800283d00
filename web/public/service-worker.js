// Shows new texts while no page of Muster is in front, and opens the conversation when one is pressed. It keeps no
// files: pages always come from the server.

self.addEventListener('push', (event) => {
  event.waitUntil(show(event.data));
});

async function show(data) {
  const said = data?.json() ?? {};
  // Firebase wraps what it brings, and all its values are words.
  const notice = said.data ?? said;
  const id = Number(notice.ConversationID);
  if (!id) return;
  const unread = Number(notice.UnreadCount);
  if (unread > 0) await self.navigator.setAppBadge?.(unread).catch(() => undefined);
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  // The page in front tells of it itself, or shows it already.
  if (pages.some((page) => page.focused && page.visibilityState === 'visible')) return;
  await self.registration.showNotification(notice.Title || 'New text', {
    body: notice.Body,
    // One a conversation; the same one that an open page shows, so that nobody sees two.
    tag: `c${id}`,
    icon: '/mark.svg',
    data: { ConversationID: id },
  });
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.ConversationID));
});

async function open(id) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = pages.find(({ url }) => !new URL(url).pathname.startsWith('/login'));
  if (!page) return self.clients.openWindow(`/inbox/${id}`);
  page.postMessage({ type: 'muster.open', ConversationID: id });
  return page.focus();
}
