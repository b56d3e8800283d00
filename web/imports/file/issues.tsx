import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { CircleCheck, Download, Trash2, Users } from 'lucide-react';
import { downloadRejectedRows } from '../../../contract/addresses/imports.gen.ts';
import { authorizedPrefix, pathOf } from '../../../contract/call-address.ts';
import type { FileSummary, FileUpload } from '../../../contract/imports.ts';
import { useAccount } from '../../queries/current-user.ts';
import { countOf, formatCount } from '../../ui/format.ts';
import type { FileRowKind } from '../import-address.ts';
import type { ImportDraft } from '../import-draft.ts';
import { useImportTarget } from '../import-target.ts';
import { duplicateWords, groupsSentence, reasonsSentence, removedCount } from '../import-words.ts';
import { remarks } from './cell-mark.tsx';
import { Noticed, ReadyCard } from './ready-card.tsx';

interface IssuesProps {
  fileId: number;
  summary: FileSummary;
  /** Those that the file names. */
  groups: FileUpload['Groups'];
  duplicates: ImportDraft['Duplicates'];
  onSee: (kind: FileRowKind) => void;
  onEdit: () => void;
}

/** The number of rows that are ready, and the issues of the others. */
export function Issues({ fileId, summary, groups, duplicates, onSee, onEdit }: IssuesProps) {
  const countryId = useAccount()?.CountryID ?? 1;
  const { draftId } = useImportTarget();
  const { RowCount, GoodRecordCount, RepairedCount, DuplicateCount, ExistingCount, RejectedCount } = summary;
  const removed = removedCount(summary);
  return (
    <ReadyCard
      ready={GoodRecordCount}
      words={`of ${countOf(RowCount, 'row is', 'rows are')} ready`}
      duplicates={DuplicateCount}
      wrong={RejectedCount}
      total={RowCount}
      sentence={`${formatCount(GoodRecordCount)} of ${countOf(RowCount, 'row', 'rows')} are ready, ${formatCount(DuplicateCount)} are duplicates, ${formatCount(RejectedCount)} are left out.`}
    >
      {RepairedCount > 0 && (
        <Noticed
          {...remarks.repaired}
          title={countOf(RepairedCount, 'row repaired', 'rows repaired')}
          action={<See what="repaired rows" onPress={() => onSee('repaired')} />}
        >
          We fixed phone numbers that a spreadsheet had changed and shortened long values.
        </Noticed>
      )}
      {DuplicateCount > 0 && (
        <Noticed
          {...remarks.duplicate}
          title={countOf(DuplicateCount, 'duplicate phone', 'duplicate phones')}
          action={<See what="duplicate phones" onPress={() => onSee('duplicate')} />}
        >
          {duplicates === 'add'
            ? 'Rows with a different name are added as separate contacts.'
            : 'Each phone becomes one contact, with the name from the first row.'}
        </Noticed>
      )}
      {ExistingCount > 0 && (
        <Noticed
          {...remarks.existing}
          title={countOf(
            ExistingCount,
            'person is already in your contacts',
            'people are already in your contacts',
          )}
          action={<See what="people already in your contacts" onPress={() => onSee('existing')} />}
        >
          {draftId === undefined
            ? duplicateWords[duplicates].existing
            : 'They’re added as your existing contacts.'}
        </Noticed>
      )}
      {groups.length > 0 && draftId === undefined && (
        <Noticed
          icon={Users}
          color="ink.two"
          title={`People are added to ${countOf(groups.length, 'group', 'groups')} from the file`}
        >
          {groupsSentence(groups)}
        </Noticed>
      )}
      {RejectedCount > 0 && (
        <Noticed
          {...remarks.wrong}
          title={countOf(RejectedCount, 'row left out', 'rows left out')}
          action={<See what="rows that are left out" onPress={() => onSee('rejected')} />}
        >
          {reasonsSentence(summary.Reasons, countryId)}
          <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, rowGap: 0.5, mt: 0.75 }}>
            <Link component="button" variant="body2" onClick={onEdit}>
              Fix them here
            </Link>
            <RejectedLink fileId={fileId} />
          </Box>
        </Noticed>
      )}
      {removed > 0 && (
        <Noticed icon={Trash2} color="ink.two" title={countOf(removed, 'row removed', 'rows removed')}>
          You left {removed === 1 ? 'it' : 'them'} out.
        </Noticed>
      )}
      {RepairedCount + removed + DuplicateCount + ExistingCount + RejectedCount === 0 && (
        <Noticed icon={CircleCheck} color="success.main" title="No problems found">
          Every row has its own phone number.
        </Noticed>
      )}
    </ReadyCard>
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
