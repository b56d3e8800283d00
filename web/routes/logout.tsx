import { createFileRoute } from '@tanstack/react-router';
import { LogoutPage } from '../auth/logout-page.tsx';
import { pushKey } from '../notifications/notice-choice.ts';

export const Route = createFileRoute('/logout')({ component: Logout });

function Logout() {
  return <LogoutPage beforeLeaving={leaveBrowser} />;
}

/** The next user of this browser must not get this user's notifications. */
async function leaveBrowser(): Promise<void> {
  if (localStorage.getItem(pushKey) === null) return;
  const { unsubscribe } = await import('../notifications/push-subscription.ts');
  await unsubscribe();
}
