import { createFileRoute } from '@tanstack/react-router';
import { NeedsReviewPage } from '../../../registration/returning-page.tsx';
import { OnlyFor } from '../../../shell/restricted-page.tsx';

export const Route = createFileRoute('/_app/local-number-registration/returning-user/needs-review')({
  component: NeedsReviewRoute,
});

function NeedsReviewRoute() {
  return (
    <OnlyFor capability="setUpTexting">
      <NeedsReviewPage />
    </OnlyFor>
  );
}
