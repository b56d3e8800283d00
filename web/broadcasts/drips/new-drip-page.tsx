import Box from '@mui/material/Box';
import { useRef } from 'react';
import { getSequence } from '../../../contract/addresses/sequences.gen.ts';
import { errorCatalog } from '../../../contract/reference/error-catalog.ts';
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
  if (data) return <DripEditor key={data.SequenceID} saved={data} />;
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
