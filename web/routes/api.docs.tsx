import { createFileRoute } from '@tanstack/react-router';
import { loadReference } from '../reference/read-reference.ts';
import { ReferencePage } from '../reference/reference-page.tsx';

export const Route = createFileRoute('/api/docs')({
  loader: ({ abortController }) => loadReference(abortController.signal),
  // It changes with the program, not while one reads; every jump to a hash would fetch it again.
  staleTime: Number.POSITIVE_INFINITY,
  component: Reference,
});

function Reference() {
  return <ReferencePage {...Route.useLoaderData()} />;
}
