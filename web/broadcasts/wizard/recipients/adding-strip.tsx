import Box from '@mui/material/Box';
import MuiCard from '@mui/material/Card';
import LinearProgress from '@mui/material/LinearProgress';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId } from 'react';
import { getWork, listWork } from '../../../../contract/addresses/contacts.gen.ts';
import { useTimeLeft } from '../../../pieces/work/use-time-left.ts';
import { useCallQuery } from '../../../queries/calls.ts';
import { freshenDraft } from '../../../queries/draft-recipients.ts';
import { countOf, formatCount } from '../../../ui/format.ts';
import { Notice } from '../../../ui/notice.tsx';

/** The socket reports the progress; this polling only covers a lost notice. */
const LOOK_EVERY_MS = 5_000;

/**
 * People who are being added in the background: how many, how fast, and how much longer. Shown again when
 * somebody comes back to the page.
 */
export function AddingStrip({ draftId }: { draftId: number }) {
  const underWay = useCallQuery(listWork, {}, { refetchInterval: LOOK_EVERY_MS, staleTime: 0 });
  const works = (underWay.data?.Items ?? []).filter(({ Kind }) => Kind.startsWith('draft'));
  return (
    <MuiCard component="section" aria-label="People are being added" sx={{ px: 2.5, py: 1.5 }}>
      {works.length === 0 ? (
        <Box sx={{ typography: 'body2', color: 'text.secondary' }}>
          People are being added. You can keep working.
          <LinearProgress aria-label="People are being added" sx={{ mt: 1, height: 6 }} />
        </Box>
      ) : (
        works.map(({ WorkID }) => <WorkLine key={WorkID} draftId={draftId} workId={WorkID} />)
      )}
    </MuiCard>
  );
}

function WorkLine({ draftId, workId }: { draftId: number; workId: number }) {
  const client = useQueryClient();
  const id = useId();
  const { data: work } = useCallQuery(
    getWork,
    { params: { WorkID: workId } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  const left = useTimeLeft(work);
  const hasEnded = work !== undefined && work.Status !== 'InProgress';
  useEffect(() => {
    if (hasEnded) void freshenDraft(client, draftId);
  }, [hasEnded, client, draftId]);
  if (!work || work.Status === 'Complete') return null;
  if (work.Status === 'Error')
    return <Notice kind="error">{work.ErrorMessage || 'There was an error adding your contacts.'}</Notice>;
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 2,
        rowGap: 0.5,
        minHeight: 28,
        typography: 'body2',
        fontVariantNumeric: 'tabular-nums',
      }}
    >
      <Box id={id} sx={{ flex: 'none' }}>
        {formatCount(work.Done)} of {countOf(work.Total, 'person', 'people')} added
      </Box>
      <LinearProgress
        variant="determinate"
        aria-labelledby={id}
        value={work.Total > 0 ? Math.min(100, (100 * work.Done) / work.Total) : 0}
        sx={{ flex: '1 1 120px', height: 6 }}
      />
      <Box sx={{ flex: 'none', color: 'text.secondary' }}>{left}</Box>
    </Box>
  );
}
