import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiCard from '@mui/material/Card';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import type { MissingField, TemplateMerge } from '../../../../contract/template-merges.ts';
import { fieldInWords } from '../../../pieces/broadcasts/broadcast-words.ts';
import { countOf, formatCount } from '../../../ui/format.ts';
import { Notice } from '../../../ui/notice.tsx';
import type { StepProps } from '../draft-state.ts';
import { MergeDialog, type MergeFilter } from './merge-dialog.tsx';
import { useMergeWhileWriting } from './merge-state.ts';

interface MergeCardProps extends Pick<StepProps, 'draft' | 'flush'> {
  limit: number;
}

/** Shows while writing whether the text works for everybody on the list. */
export function MergeCard({ draft, flush, limit }: MergeCardProps) {
  const { merge, isBeginning, isStale, problem, begin } = useMergeWhileWriting(draft, flush);
  const [filter, setFilter] = useState<MergeFilter>();
  const isRunning = merge?.Status === 'InProgress';
  return (
    <MuiCard component="section" aria-label="Personalized texts">
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5, px: 2, py: 1.75 }}>
        <Box sx={{ flex: '1 1 220px', minWidth: 0 }}>
          <Typography component="h2" sx={{ fontWeight: 550 }}>
            Personalized texts
          </Typography>
          <Typography
            variant="body2"
            role="status"
            sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}
          >
            {isRunning || (merge && !isStale)
              ? mergeWords(merge)
              : isBeginning
                ? 'Personalizing…'
                : `Personalize ${countOf(draft.TextNumberCount, 'text', 'texts')} now to check that each one works.`}
          </Typography>
        </Box>
        {merge && !isRunning && !isStale && <FoundButtons merge={merge} onSee={setFilter} />}
        {isStale && !isRunning && (
          <Button size="small" variant="outlined" disabled={isBeginning} onClick={begin}>
            Personalize now
          </Button>
        )}
      </Box>
      {isRunning && <MergeBar merge={merge} />}
      {problem !== '' && (
        <Notice isBand kind="error">
          {problem}
        </Notice>
      )}
      {merge && <MergeDialog merge={merge} filter={filter} limit={limit} onFilter={setFilter} />}
    </MuiCard>
  );
}

/** "1,859 texts are ready. 12 can’t be sent." */
export function mergeWords(merge: TemplateMerge): string {
  const { Status, Done, Total, InvalidMessageCount } = merge;
  if (Status === 'InProgress')
    return `${formatCount(Done)} of ${countOf(Total, 'text', 'texts')} personalized`;
  const ready = Total - InvalidMessageCount;
  const words = `${countOf(ready, 'text is', 'texts are')} ready.`;
  if (InvalidMessageCount === 0) return words;
  const invalid = `${formatCount(InvalidMessageCount)} can’t be sent.`;
  return [words, invalid, missingWords(merge.MissingFields)].join(' ').trim();
}

/** "12 people have no First name. There is no field Fristname." */
export function missingWords(missing: readonly MissingField[]): string {
  return missing
    .map(({ Field, Count, Exists }) =>
      Exists
        ? `${countOf(Count, 'person has', 'people have')} no ${fieldInWords(Field)}.`
        : `There is no personalized field {{${Field}}}.`,
    )
    .join(' ');
}

export function MergeBar({ merge }: { merge: TemplateMerge }): ReactNode {
  const value = Math.min(100, (100 * merge.Done) / Math.max(1, merge.Total));
  return <LinearProgress variant="determinate" value={value} aria-label="Personalizing texts" />;
}

interface FoundButtonsProps {
  merge: TemplateMerge;
  onSee: (filter: MergeFilter) => void;
}

/** Links to the texts that can't go out, and to those that somebody left out. */
export function FoundButtons({ merge, onSee }: FoundButtonsProps) {
  return (
    <Box sx={{ display: 'flex', gap: 1 }}>
      {merge.ExcludedMessageCount > 0 && (
        <Button size="small" variant="text" onClick={() => onSee('excluded')}>
          {formatCount(merge.ExcludedMessageCount)} left out
        </Button>
      )}
      {merge.InvalidMessageCount > 0 && (
        <Button size="small" variant="outlined" onClick={() => onSee('invalid')}>
          Fix {countOf(merge.InvalidMessageCount, 'text', 'texts')}
        </Button>
      )}
    </Box>
  );
}
