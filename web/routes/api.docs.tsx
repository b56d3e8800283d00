import { createFileRoute } from '@tanstack/react-router';
import { loadReference } from '../reference/read-reference.ts';
import { ReferencePage } from '../reference/reference-page.tsx';

export const Route = createFileRoute('/api/docs')({
  validateSearch: ({ q }: Record<string, unknown>): { q?: string } =>
    typeof q === 'string' && q ? { q } : {},
  loader: ({ abortController }) => loadReference(abortController.signal),
  // It changes only with a release; otherwise every jump to a hash would fetch it again.
  staleTime: Number.POSITIVE_INFINITY,
  component: Reference,
});

function Reference() {
  const { q = '' } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <ReferencePage
      {...Route.useLoaderData()}
      asked={q}
      onAsk={(next) => navigate({ search: next ? { q: next } : {}, replace: true })}
    />
  );
}
