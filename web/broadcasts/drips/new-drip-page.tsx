import Box from '@mui/material/Box';
import { Navigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { getSequence } from '../../../contract/addresses/sequences.gen.ts';
import { errorCatalog } from '../../../contract/reference/error-catalog.ts';
import type { WholeSequence } from '../../../contract/sequences.ts';
import { isNotFound, shownMessage } from '../../api.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { NotFoundPage } from '../../shell/not-found-page.tsx';
import { OnlyFor } from '../../shell/restricted-page.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { DripEditor } from './drip-editor.tsx';

/** A new campaign, or a draft that is opened again. */
export function NewDripPage({ sequenceId }: { sequenceId: number | undefined }) {
  return (
    <OnlyFor capability="createDripCampaign">
      <Opened sequenceId={sequenceId} />
    </OnlyFor>
  );
}

function Opened({ sequenceId }: { sequenceId: number | undefined }) {
  // A new campaign gets its address while it is being written; that doesn't fetch it again.
  const isNew = useRef(sequenceId === undefined).current;
  const { data, error, refetch } = useCallQuery(
    getSequence,
    { params: { SequenceID: sequenceId ?? 0 } },
    { enabled: !isNew },
  );
  if (isNew) return <DripEditor saved={undefined} />;
  if (isNotFound(error)) return <NotFoundPage />;
  if (data) return <Draft key={data.SequenceID} saved={data} />;
  return (
    <Box sx={{ p: 4 }}>
      {error ? (
        <RetryNotice onRetry={() => void refetch()}>{shownMessage(error, errorCatalog.getDrip)}</RetryNotice>
      ) : (
        <SkeletonRows rows={8} label="Loading the drip campaign" />
      )}
    </Box>
  );
}

/** Whoever goes back after Start comes to a campaign that runs: its page shows what can still be changed. */
function Draft({ saved }: { saved: WholeSequence }) {
  // Not while it is open: the editor says who was left out after the start.
  const [wasStarted] = useState(saved.Status !== 'draft');
  if (!wasStarted) return <DripEditor saved={saved} />;
  return <Navigate to="/drip-campaigns/$sequenceId" params={{ sequenceId: saved.SequenceID }} replace />;
}
