import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiCard from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Notice } from '../../../ui/notice.tsx';
import { FoundButtons, MergeBar, mergeWords } from './merge-card.tsx';
import { MergeDialog, type MergeFilter } from './merge-dialog.tsx';
import type { Merging } from './merge-state.ts';

interface MergeBandProps {
  merging: Merging;
  limit: number;
  /** Nothing can be merged while people are still being added. */
  isAdding: boolean;
}

/**
 * Above the review: the progress of the merge, then the people whose texts don't work. Hidden if all is well.
 */
export function MergeBand({ merging, limit, isAdding }: MergeBandProps) {
  const { merge, problem, begin } = merging;
  const [filter, setFilter] = useState<MergeFilter>();
  if (isAdding)
    return <Notice title="People are still being added">This continues once everyone has been added.</Notice>;
  if (problem !== '')
    return (
      <Notice
        kind="error"
        actions={
          <Button size="small" onClick={begin}>
            Try again
          </Button>
        }
      >
        {problem}
      </Notice>
    );
  if (merge?.Status === 'Complete') {
    const isAny = merge.InvalidMessageCount > 0 || merge.ExcludedMessageCount > 0;
    return (
      <>
        {isAny && (
          <Notice
            kind={merge.InvalidMessageCount > 0 ? 'warning' : 'info'}
            actions={<FoundButtons merge={merge} onSee={setFilter} />}
          >
            {mergeWords(merge)}
          </Notice>
        )}
        <MergeDialog merge={merge} filter={filter} limit={limit} onFilter={setFilter} />
      </>
    );
  }
  return (
    <MuiCard sx={{ p: 2.5 }}>
      <Typography variant="h2">Personalizing texts</Typography>
      <Typography
        role="status"
        sx={{ mt: 0.5, mb: 1.5, color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}
      >
        {merge
          ? mergeWords(merge)
          : 'Each person gets a personalized text. You can leave this page while this runs.'}
      </Typography>
      {merge ? <MergeBar merge={merge} /> : <Box sx={{ height: 4 }} />}
    </MuiCard>
  );
}
