import { createFileRoute } from '@tanstack/react-router';
import { DripPage } from '../../../broadcasts/drips/drip-page.tsx';
import { NotFoundPage } from '../../../shell/not-found-page.tsx';

export const Route = createFileRoute('/_app/drip-campaigns/$sequenceId')({
  params: {
    parse: ({ sequenceId }) => ({
      sequenceId: /^\d{1,15}$/.test(sequenceId) ? Number(sequenceId) : Number.NaN,
    }),
    stringify: ({ sequenceId }) => ({ sequenceId: String(sequenceId) }),
  },
  component: DripRoute,
});

function DripRoute() {
  const { sequenceId } = Route.useParams();
  return Number.isNaN(sequenceId) ? <NotFoundPage /> : <DripPage key={sequenceId} sequenceId={sequenceId} />;
}
