import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { User } from '../../contract/accounts.ts';
import { askForPermission, browserPermission } from '../pieces/notifications/browser-permission.ts';
import { useUser } from '../queries/current-user.ts';
import { hearConnection, isReachable } from '../realtime.ts';
import { turnOn } from './browser-notices.ts';
import { noticeChoice } from './notice-choice.ts';
import { PermissionDialog } from './permission-dialog.tsx';
import { findWorker } from './push-subscription.ts';
import { startRinging } from './start-ringing.ts';

/**
 * Rendered once, in the shell: rings for new texts, keeps this browser subscribed, and shows the unread count on the
 * icon.
 */
export default function NotificationsHost({ unread }: { unread: number }) {
  const user = useUser();
  const userId = user?.UserID;
  const client = useQueryClient();
  const navigate = useNavigate();

  useEffect(() => {
    const open = (conversationId: number) =>
      void navigate({ to: '/inbox/$conversationId', params: { conversationId }, search: {} });
    const onMessage = ({ data, ports }: MessageEvent) => {
      if (data?.type !== 'muster.open') return;
      // Without an answer, the service worker loads the page again.
      ports[0]?.postMessage('opened');
      if (data.ConversationID) open(Number(data.ConversationID));
      else void navigate({ to: '/inbox', search: {} });
    };
    navigator.serviceWorker?.addEventListener('message', onMessage);
    const stop = startRinging(client, open);
    return () => {
      stop();
      navigator.serviceWorker?.removeEventListener('message', onMessage);
    };
  }, [client, navigate]);

  useEffect(() => {
    if (userId === undefined) return;
    // It also opens Muster and sends what was written without a connection.
    void findWorker().catch(() => undefined);
    // The push service may have changed the browser's address since the last visit. A new password brings a new session,
    // and with it a new socket: the subscription belongs to the session.
    const keepOn = () => {
      if (isReachable() && browserPermission() === 'granted' && noticeChoice(userId) === 'on')
        void turnOn(userId);
    };
    keepOn();
    return hearConnection(keepOn);
  }, [userId]);

  const isAsked = user !== undefined && isToBeAsked(user);
  useEffect(() => {
    if (isAsked) askForPermission();
  }, [isAsked]);

  useEffect(() => {
    const shown = unread > 0 ? navigator.setAppBadge?.(unread) : navigator.clearAppBadge?.();
    shown?.catch(() => undefined);
  }, [unread]);

  return userId === undefined ? null : <PermissionDialog userId={userId} />;
}

/** Only users with this feature are asked automatically, and only once. Others are asked when they turn it on. */
function isToBeAsked({ UserID, Features }: User): boolean {
  return Features.includes('BrowserNotificationOnboarding') && noticeChoice(UserID) === undefined;
}
