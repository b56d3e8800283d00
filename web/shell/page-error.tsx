import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useLayoutEffect } from 'react';
import { connectivity, somethingWrong } from '../../contract/reference/outage-sentences.ts';
import { ApiError, shownMessage } from '../api.ts';
import { removeFirstPaint } from '../ui/first-paint.ts';
import { usePageTitle } from '../ui/page-title.ts';
import { usePageElement } from './in-shell.ts';

const reloadedKey = 'muster-reloaded-for';

/** A page's code failed to load. After an update the old files are gone, and a reload finds the new ones. */
function isCodeMissing(error: unknown): boolean {
  const text = error instanceof Error ? error.message : '';
  return /dynamically imported module|module script failed|error loading dynamically|preload CSS/i.test(text);
}

/** The error fetch throws without a response. */
function isUnreachable(error: unknown): boolean {
  return (
    !navigator.onLine || (error instanceof TypeError && /fetch|network|load failed/i.test(error.message))
  );
}

/** Every page needs the account, and the user comes with it. */
function wordsFor(error: unknown): string {
  return error instanceof ApiError && error.url.endsWith('/account')
    ? 'There was an error getting your account information.'
    : somethingWrong;
}

/** Shown when a page fails. Missing code reloads the page once; after that there is a button. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const { pathname } = globalThis.location;
  // Offline, a reload would end on the browser's own error page.
  const reloads =
    isCodeMissing(error) && navigator.onLine && sessionStorage.getItem(reloadedKey) !== pathname;
  const page = usePageElement();
  usePageTitle('Something went wrong');
  useLayoutEffect(removeFirstPaint, []);
  useEffect(() => {
    if (!reloads) return;
    sessionStorage.setItem(reloadedKey, pathname);
    globalThis.location.reload();
  }, [reloads, pathname]);
  const again = useCallback(() => {
    reset();
    void router.invalidate();
  }, [reset, router]);
  const isOffline = isUnreachable(error);
  useEffect(() => {
    if (!isOffline) return;
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [isOffline, again]);
  if (reloads || (error instanceof ApiError && error.status === 401)) return null;
  return (
    <Box {...page} sx={{ flex: 1, display: 'grid', placeItems: 'center', minHeight: '60vh' }}>
      {/* Plain, without EmptyState and its icon, because the sign-in page loads this too. */}
      <Box sx={{ textAlign: 'center', maxWidth: 420, px: 3 }}>
        <Box component="h1" sx={{ typography: 'h3' }}>
          This page couldn’t be shown
        </Box>
        <Box component="p" sx={{ color: 'text.secondary', mt: 1, mb: 2.5 }}>
          {shownMessage(error, isOffline ? connectivity : wordsFor(error))}
        </Box>
        <Button
          variant="contained"
          color="primary"
          onClick={() => {
            if (isCodeMissing(error) && navigator.onLine) globalThis.location.reload();
            else again();
          }}
        >
          Try again
        </Button>
      </Box>
    </Box>
  );
}

/** Once a page has loaded, a later failure may reload again. */
export function forgetReload(): void {
  sessionStorage.removeItem(reloadedKey);
}
