import type { PushNotice } from '../../contract/notifications.ts';
import { findWorker } from './push-subscription.ts';

/** A notification from an open page. The service worker's notification for the same conversation replaces it. */
export async function showNotice(
  notice: Omit<PushNotice, 'UnreadCount'>,
  onOpen: (conversationId: number) => void,
): Promise<void> {
  const { ConversationID, Title, Body } = notice;
  const options = {
    body: Body,
    tag: `c${ConversationID}`,
    icon: '/icons/192.png',
    badge: '/icons/badge.png',
    data: { ConversationID },
  };
  const worker = await findWorker().catch(() => undefined);
  if (worker) return worker.showNotification(Title, options);
  const shown = new Notification(Title, options);
  shown.onclick = () => {
    window.focus();
    shown.close();
    onOpen(ConversationID);
  };
}
