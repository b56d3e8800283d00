import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiCard from '@mui/material/Card';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { ArrowLeft, ArrowRight, PencilLine, TableProperties } from 'lucide-react';
import { useState } from 'react';
import { listFileRows } from '../../../contract/addresses/imports.gen.ts';
import type { FileSummary, FileUpload } from '../../../contract/imports.ts';
import { genericMessage, shownMessage } from '../../api.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { BackButton, StepHead } from '../../ui/wizard-frame.tsx';
import type { FileRowKind } from '../import-address.ts';
import { ImportFrame } from '../import-frame.tsx';
import { RejectedLink } from './issues.tsx';
import { RowsTable } from './rows-table.tsx';

interface ViewStepProps {
  file: FileUpload;
  kind: FileRowKind;
  onKind: (kind: FileRowKind) => void;
  onEdit: () => void;
  onBack: () => void;
}

const pagesize = 50;

/** The rows that are good and nothing else: those that were repaired have a tab of their own. */
function tabsOf(summary: FileSummary): { kind: FileRowKind; label: string; count: number | undefined }[] {
  return [
    { kind: 'good', label: 'Ready', count: undefined },
    { kind: 'repaired', label: 'Repaired', count: summary.RepairedCount },
    { kind: 'duplicate', label: 'Duplicate in the file', count: summary.DuplicateCount },
    { kind: 'existing', label: 'Already in your contacts', count: summary.ExistingCount },
    { kind: 'rejected', label: 'Left out', count: summary.RejectedCount },
  ];
}

/** VIEW: the rows of one kind, page by page. */
export function ViewStep({ file, kind, onKind, onEdit, onBack }: ViewStepProps) {
  const { Summary } = file;
  return (
    <ImportFrame
      file={file}
      at={2}
      isKept
      back={<BackButton onPress={onBack} />}
      forward={
        kind === 'rejected' &&
        (Summary?.RejectedCount ?? 0) > 0 && (
          <Button variant="contained" color="primary" startIcon={<PencilLine />} onClick={onEdit}>
            Fix these rows
          </Button>
        )
      }
    >
      <StepHead
        title="Rows of the file"
        sentence="Rows as we read them, numbered as in the file."
        action={kind === 'rejected' && <RejectedLink fileId={file.FileID} />}
      />
      <MuiCard>
        <Box sx={{ px: 1, borderBottom: '1px solid', borderColor: 'line.hair' }}>
          <Tabs
            value={kind}
            onChange={(_, next: FileRowKind) => onKind(next)}
            aria-label="Filter rows"
            sx={{ minHeight: 48, '& .MuiTab-root': { minHeight: 48 } }}
          >
            {Summary &&
              tabsOf(Summary).map((tab) => (
                <Tab
                  key={tab.kind}
                  value={tab.kind}
                  label={
                    <Box component="span" sx={{ display: 'flex', gap: '7px', alignItems: 'baseline' }}>
                      {tab.label}
                      {tab.count !== undefined && (
                        <Box
                          component="span"
                          sx={{
                            typography: 'caption',
                            fontWeight: 500,
                            fontVariantNumeric: 'tabular-nums',
                            color: tab.kind === kind ? 'primary.main' : 'ink.three',
                          }}
                        >
                          {formatCount(tab.count)}
                        </Box>
                      )}
                    </Box>
                  }
                />
              ))}
          </Tabs>
        </Box>
        <Pages key={kind} fileId={file.FileID} kind={kind} />
      </MuiCard>
    </ImportFrame>
  );
}

/** One page at a time: a file of a million rows must not pile up in the browser. */
function Pages({ fileId, kind }: { fileId: number; kind: FileRowKind }) {
  // The start of each page, for going back.
  const [starts, setStarts] = useState<readonly (string | undefined)[]>([undefined]);
  const next = starts.at(-1);
  const { data, error, isPlaceholderData } = useCallQuery(
    listFileRows,
    { params: { FileID: fileId }, query: { kind, pagesize, ...(next ? { next } : {}) } },
    { keepPrevious: true },
  );
  if (error)
    return (
      <Notice kind="error" isBand>
        {shownMessage(error, genericMessage('getting', { one: 'row', many: 'rows' }))}
      </Notice>
    );
  if (!data) return <SkeletonRows rows={10} rowHeight={40} />;
  if (data.Items.length === 0)
    return (
      <EmptyState icon={TableProperties} title="No rows" titleComponent="h2">
        The file has no rows of this kind.
      </EmptyState>
    );
  const { Next, Items } = data;
  const hasPages = starts.length > 1 || Next !== null;
  return (
    <>
      <RowsTable rows={Items} label="Rows of the file" hasReasons />
      {hasPages && (
        <Box
          sx={{
            display: 'flex',
            alignItems: 'center',
            justifyContent: 'flex-end',
            gap: 1,
            minHeight: 48,
            px: 2,
            borderTop: '1px solid',
            borderColor: 'line.hair',
            typography: 'body2',
            color: 'text.secondary',
          }}
        >
          <Box component="span" sx={{ mr: 1, fontVariantNumeric: 'tabular-nums' }}>
            Rows {formatCount(Items[0]?.RowNumber ?? 0)} to {formatCount(Items.at(-1)?.RowNumber ?? 0)}
          </Box>
          <Button
            size="small"
            startIcon={<ArrowLeft />}
            disabled={starts.length === 1 || isPlaceholderData}
            onClick={() => setStarts(starts.slice(0, -1))}
          >
            Previous
          </Button>
          <Button
            size="small"
            endIcon={<ArrowRight />}
            disabled={Next === null || isPlaceholderData}
            onClick={() => Next !== null && setStarts([...starts, Next])}
          >
            Next
          </Button>
        </Box>
      )}
    </>
  );
}
