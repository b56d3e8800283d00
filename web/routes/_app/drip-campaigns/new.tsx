import { createFileRoute } from '@tanstack/react-router';
import { NewDripPage } from '../../../broadcasts/drips/new-drip-page.tsx';

export const Route = createFileRoute('/_app/drip-campaigns/new')({
  validateSearch: (search: Record<string, unknown>): { sequence?: number } => {
    const sequence = Number(search.sequence);
    return Number.isSafeInteger(sequence) && sequence > 0 ? { sequence } : {};
  },
  component: NewDripRoute,
});

function NewDripRoute() {
  return <NewDripPage sequenceId={Route.useSearch().sequence} />;
}
