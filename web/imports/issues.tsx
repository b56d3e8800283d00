import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { CircleCheck, Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { pathOf } from '../../contract/call.ts';
import { authorizedPrefix } from '../../contract/calls.ts';
import { downloadRejectedRows, type FileSummary } from '../../contract/imports.ts';
import { useAccount } from '../queries/current-user.ts';
import { countOf, formatCount } from '../ui/format.ts';
import { Meter } from '../ui/meter.tsx';
import { type Remark, remarks } from './cell-mark.tsx';
import type { FileRowKind } from './import-address.ts';
import type { ImportDraft } from './import-draft.ts';
import { duplicateWords, reasonsSentence } from './import-words.ts';
import { SideCard } from './where-card.tsx';

interface IssuesProps {
  fileId: number;
  summary: FileSummary;
  duplicates: ImportDraft['Duplicates'];
  onSee: (kind: FileRowKind) => void;
  onEdit: () => void;
}

/** How many rows are ready, and what was noticed about the others. */
export function Issues({ fileId, summary, duplicates, onSee, onEdit }: IssuesProps) {
  const countryId = useAccount()?.CountryID ?? 1;
  const { RowCount, GoodRecordCount, RepairedCount, DuplicateCount, ExistingCount, RejectedCount } = summary;
  return (
    <SideCard>
      <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1, mb: 1.25 }}>
        <Typography variant="h4">{formatCount(GoodRecordCount)}</Typography>
        <Typography sx={{ color: 'text.secondary' }}>
          of {countOf(RowCount, 'row is', 'rows are')} ready
        </Typography>
      </Box>
      <Meter
        height={6}
        total={RowCount}
        sentence={`${formatCount(GoodRecordCount)} of ${countOf(RowCount, 'row', 'rows')} are ready, ${formatCount(DuplicateCount)} appear twice, ${formatCount(RejectedCount)} are left out.`}
        pieces={[
          { key: 'good', count: GoodRecordCount, colour: 'chart.one' },
          { key: 'duplicate', count: DuplicateCount, colour: 'chart.warn' },
          { key: 'rejected', count: RejectedCount, colour: 'chart.fail' },
        ]}
      />
      <Box sx={{ '& > div + div': { borderTop: '1px solid', borderColor: 'line.hair' }, mb: -1.5 }}>
        {RepairedCount > 0 && (
          <Issue
            remark="repaired"
            title={countOf(RepairedCount, 'row repaired', 'rows repaired')}
            action={<See what="repaired rows" onPress={() => onSee('repaired')} />}
          >
            Phones that a spreadsheet had changed, words that were too long.
          </Issue>
        )}
        {DuplicateCount > 0 && (
          <Issue
            remark="duplicate"
            title={countOf(DuplicateCount, 'phone appears twice', 'phones appear twice')}
            action={<See what="phones that appear twice" onPress={() => onSee('duplicate')} />}
          >
            One phone, one contact. The first row keeps its name.
          </Issue>
        )}
        {ExistingCount > 0 && (
          <Issue
            remark="existing"
            title={countOf(ExistingCount, 'person is here already', 'people are here already')}
            action={<See what="people who are here already" onPress={() => onSee('existing')} />}
          >
            {duplicateWords[duplicates].existing}
          </Issue>
        )}
        {RejectedCount > 0 && (
          <Issue
            remark="wrong"
            title={countOf(RejectedCount, 'row left out', 'rows left out')}
            action={<See what="rows that are left out" onPress={() => onSee('rejected')} />}
          >
            {reasonsSentence(summary.Reasons, countryId)}
            <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, rowGap: 0.5, mt: 0.75 }}>
              <Link component="button" variant="body2" onClick={onEdit}>
                Mend them here
              </Link>
              <RejectedLink fileId={fileId} />
            </Box>
          </Issue>
        )}
        {RepairedCount + DuplicateCount + ExistingCount + RejectedCount === 0 && (
          <Issue icon={CircleCheck} title="Nothing to look at">
            Every row has a phone of its own.
          </Issue>
        )}
      </Box>
    </SideCard>
  );
}

/** A link and not a call: the browser saves the file while it comes. */
export function RejectedLink({ fileId }: { fileId: number }) {
  return (
    <Link
      variant="body2"
      href={`${authorizedPrefix}${pathOf(downloadRejectedRows, { FileID: fileId })}`}
      download
      sx={{ display: 'inline-flex', alignItems: 'center', gap: '6px' }}
    >
      <Download size={14} strokeWidth={2} aria-hidden />
      Download as a file
    </Link>
  );
}

function See({ what, onPress }: { what: string; onPress: () => void }) {
  return (
    <Link component="button" variant="body2" onClick={onPress} aria-label={`See the ${what}`}>
      See
    </Link>
  );
}

function Issue({
  remark,
  icon,
  title,
  action,
  children,
}: {
  remark?: Remark;
  icon?: typeof CircleCheck;
  title: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  const look = remark ? remarks[remark] : { icon: icon ?? CircleCheck, colour: 'success.main' };
  return (
    <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 1.5, py: 1.75 }}>
      <Box
        component={look.icon}
        size={18}
        strokeWidth={1.75}
        aria-hidden
        sx={{ color: look.colour, mt: '1px', flex: 'none' }}
      />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography sx={{ fontWeight: 550 }}>{title}</Typography>
        <Typography variant="body2" component="div" sx={{ mt: 0.25, color: 'text.secondary' }}>
          {children}
        </Typography>
      </Box>
      {action}
    </Box>
  );
}
