import { createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { routeTree } from './route-tree.gen.ts';
import { PageError } from './shell/page-error.tsx';
import { PagePending } from './shell/page-pending.tsx';

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  // Queries hold the data and know when it is stale; the router must not keep a second copy.
  defaultPreloadStaleTime: 0,
  defaultNotFoundComponent: lazyRouteComponent(() => import('./shell/not-found-page.tsx'), 'NotFoundPage'),
  defaultErrorComponent: PageError,
  defaultPendingComponent: PagePending,
  defaultPendingMs: 200,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
