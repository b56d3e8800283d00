import { createFileRoute } from '@tanstack/react-router';
import { LogoutPage } from '../auth/logout-page.tsx';
import { pushKey } from '../notifications/notice-choice.ts';

export const Route = createFileRoute('/logout')({ component: Logout });

function Logout() {
  return <LogoutPage beforeLeaving={leaveBrowser} />;
}

/** Whoever uses this browser next must not be told of this user's texts. */
async function leaveBrowser(): Promise<void> {
  if (localStorage.getItem(pushKey) === null) return;
  const { unsubscribe } = await import('../notifications/push-subscription.ts');
  await unsubscribe();
}
