import Box from '@mui/material/Box';
import MuiCard from '@mui/material/Card';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { CircleAlert, Copy, Languages, type LucideIcon } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { countOf, formatCount } from '../ui/format.ts';
import { Meter } from '../ui/meter.tsx';
import { type CheckedRow, nonAsciiLines, nonAsciiSentence } from './paste-rows.ts';
import { PasteTable } from './paste-table.tsx';
import { SideCard } from './where-card.tsx';
import { StepHead, TwoColumns } from './wizard-frame.tsx';

/** REVIEW: what was found, what stands there twice, what is no number, and unusual characters. */
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
          <PasteTable rows={rows} label="What was found" />
        </MuiCard>
      }
      side={
        <SideCard>
          <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1, mb: 1.25 }}>
            <Typography variant="h4">{formatCount(good)}</Typography>
            <Typography sx={{ color: 'text.secondary' }}>
              {good === 1 ? 'contact is ready' : 'contacts are ready'}
            </Typography>
          </Box>
          <Meter
            height={6}
            total={rows.length}
            sentence={`${formatCount(good)} of ${formatCount(rows.length)} are ready, ${formatCount(duplicates)} stand there twice, ${formatCount(invalid)} have no valid number.`}
            pieces={[
              { key: 'good', count: good, colour: 'chart.one' },
              { key: 'duplicate', count: duplicates, colour: 'chart.warn' },
              { key: 'invalid', count: invalid, colour: 'chart.fail' },
            ]}
          />
          <Box sx={{ '& > div + div': { borderTop: '1px solid', borderColor: 'line.hair' }, mb: -1.5 }}>
            {duplicates > 0 && (
              <Found
                icon={Copy}
                colour="warning.main"
                title={countOf(duplicates, 'stands there twice', 'stand there twice')}
              >
                One phone, one contact: the first one counts.
              </Found>
            )}
            {invalid > 0 && (
              <Found
                icon={CircleAlert}
                colour="error.main"
                title={countOf(invalid, 'without a valid number', 'without a valid number')}
              >
                {invalid === 1
                  ? 'It is left out unless you mend it.'
                  : 'They are left out unless you mend them.'}{' '}
                <Link component="button" variant="body2" onClick={onEdit}>
                  {invalid === 1 ? 'Mend it' : 'Mend them'}
                </Link>
              </Found>
            )}
            {unusual.length > 0 && (
              <Found
                icon={Languages}
                colour="ink.two"
                title={countOf(
                  unusual.length,
                  'line with an unusual character',
                  'lines with unusual characters',
                )}
              >
                {nonAsciiSentence(unusual)}. They are kept; see that the names are right.
              </Found>
            )}
          </Box>
        </SideCard>
      }
    />
  );
}

function Found({
  icon: Icon,
  colour,
  title,
  children,
}: {
  icon: LucideIcon;
  colour: string;
  title: string;
  children: ReactNode;
}) {
  return (
    <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 1.5, py: 1.75 }}>
      <Box
        component={Icon}
        size={18}
        strokeWidth={1.75}
        aria-hidden
        sx={{ color: colour, mt: '1px', flex: 'none' }}
      />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography sx={{ fontWeight: 550 }}>{title}</Typography>
        <Typography variant="body2" component="div" sx={{ mt: 0.25, color: 'text.secondary' }}>
          {children}
        </Typography>
      </Box>
    </Box>
  );
}
