import { createLoginToken } from '../../contract/addresses/sso.gen.ts';
import { callApi } from '../api.ts';
import { useInstallation } from '../pieces/support/contact-us.tsx';
import { useCan } from '../queries/current-user.ts';
import { showSnackbar } from '../ui/snackbar.tsx';

/** Opens Labs in a new tab, signed in. Undefined for those who don't have it. */
export function useOpenLabs(): (() => void) | undefined {
  const url = useInstallation()?.LabsUrl;
  const may = useCan('useLabs');
  return may && url ? () => void openLabs(url) : undefined;
}

async function openLabs(url: string): Promise<void> {
  // Opened by the press itself: a browser blocks what opens later.
  const tab = window.open('', '_blank');
  try {
    const { LoginToken } = await callApi(createLoginToken, {}, { missing: 'refuse' });
    const address = new URL(url);
    address.searchParams.set('LoginToken', LoginToken);
    if (!tab) throw new Error('the browser opened no tab');
    tab.opener = null;
    tab.location.href = address.href;
  } catch {
    tab?.close();
    showSnackbar('There was an error signing you in to Labs.');
  }
}
