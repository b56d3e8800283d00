import { createRootRoute, Outlet } from '@tanstack/react-router';
import { SkipLink } from '../shell/skip-link.tsx';
import { SnackbarHost } from '../ui/snackbar.tsx';

export const Route = createRootRoute({ component: Root });

function Root() {
  return (
    <>
      <SkipLink />
      <Outlet />
      <SnackbarHost />
    </>
  );
}
