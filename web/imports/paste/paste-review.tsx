import MuiCard from '@mui/material/Card';
import Link from '@mui/material/Link';
import { CircleAlert, Copy, Languages } from 'lucide-react';
import { useMemo } from 'react';
import { countOf, formatCount } from '../../ui/format.ts';
import { StepHead, TwoColumns } from '../../ui/wizard-frame.tsx';
import { Noticed, ReadyCard } from '../file/ready-card.tsx';
import { type CheckedRow, nonAsciiLines, nonAsciiSentence } from './paste-rows.ts';
import { PasteTable } from './paste-table.tsx';

/** REVIEW: contacts found, duplicates, invalid numbers, and unusual characters. */
export function PasteReview({
  text,
  rows,
  onEdit,
}: {
  text: string;
  rows: readonly CheckedRow[];
  onEdit: () => void;
}) {
  const unusual = useMemo(() => nonAsciiLines(text), [text]);
  const of = (state: CheckedRow['state']) => rows.filter((row) => row.state === state);
  const good = of('good').length;
  const duplicates = of('duplicate').length;
  const invalid = of('invalid').length;
  return (
    <TwoColumns
      isSideFirst
      head={<StepHead title="Check your list" sentence="Nothing has been added yet." />}
      main={
        <MuiCard>
          <PasteTable rows={rows} label="Pasted contacts" />
        </MuiCard>
      }
      side={
        <ReadyCard
          ready={good}
          words={good === 1 ? 'contact is ready' : 'contacts are ready'}
          duplicates={duplicates}
          wrong={invalid}
          total={rows.length}
          sentence={`${formatCount(good)} of ${formatCount(rows.length)} are ready, ${formatCount(duplicates)} are duplicates, ${formatCount(invalid)} have no valid number.`}
        >
          {duplicates > 0 && (
            <Noticed
              icon={Copy}
              color="warning.main"
              title={countOf(duplicates, 'duplicate number', 'duplicate numbers')}
            >
              Each phone becomes one contact. We use the first line.
            </Noticed>
          )}
          {invalid > 0 && (
            <Noticed
              icon={CircleAlert}
              color="error.main"
              title={countOf(invalid, 'without a valid number', 'without a valid number')}
            >
              {invalid === 1 ? 'It’s left out unless you fix it.' : 'They’re left out unless you fix them.'}{' '}
              <Link component="button" variant="body2" onClick={onEdit}>
                {invalid === 1 ? 'Fix it' : 'Fix them'}
              </Link>
            </Noticed>
          )}
          {unusual.length > 0 && (
            <Noticed
              icon={Languages}
              color="ink.two"
              title={countOf(
                unusual.length,
                'line with an unusual character',
                'lines with unusual characters',
              )}
            >
              {nonAsciiSentence(unusual)}. We keep them. Check that the names are right.
            </Noticed>
          )}
        </ReadyCard>
      }
    />
  );
}
