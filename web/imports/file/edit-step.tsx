import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiCard from '@mui/material/Card';
import { useQueryClient } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { listFileRows, mendFileRows } from '../../../contract/addresses/imports.gen.ts';
import { type FileRow, type FileUpload, importLimits } from '../../../contract/imports.ts';
import { type FileUploadStep, fileUploadDialog } from '../../../contract/states/dialogs.ts';
import { next } from '../../../contract/states/machine.ts';
import { callApi, genericMessage, shownMessage } from '../../api.ts';
import { useCallPages } from '../../queries/calls.ts';
import { useAccount } from '../../queries/current-user.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { countOf } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { BackButton, StepHead, StepProblem } from '../../ui/wizard-frame.tsx';
import { keepFile } from '../file-queries.ts';
import { ImportFrame } from '../import-frame.tsx';
import { useKeptEdits } from '../kept-edits.ts';
import { ShowMore } from '../show-more.tsx';
import { EditRow } from './edit-row.tsx';
import {
  type Edits,
  inBatches,
  isChanged,
  noEdit,
  type RowEdit,
  shownFields,
  valuesOf,
} from './edit-rows.ts';
import { RejectedLink } from './issues.tsx';

const rowsNoun = { one: 'row', many: 'rows' };
const pagesize = 50;

/** EDIT and SAVING: fixes rows that were left out. Rows that are still wrong stay, with the reason. */
export function EditStep({ file, onDone }: { file: FileUpload; onDone: () => void }) {
  const client = useQueryClient();
  const [step, setStep] = useState<FileUploadStep>('EDIT');
  const { edits, change } = useKeptEdits(file.FileID);
  const [problem, setProblem] = useState<string>();
  const input = { params: { FileID: file.FileID }, query: { kind: 'rejected' as const, pagesize } };
  const list = useCallPages(listFileRows, input);
  const rows = list.data?.pages.flatMap(({ Items }) => Items) ?? [];
  const changed = rows.filter((row) => isChanged(row, edits.get(row.RowNumber)));
  const isSaving = step === 'SAVING';

  const save = async () => {
    setStep((before) => next(fileUploadDialog, before, 'save'));
    setProblem(undefined);
    try {
      const { file: saved, stillWrong } = await saveRows(file.FileID, changed, edits);
      // Edits of accepted rows are dropped; rows that were refused keep theirs.
      const wrong = new Set(stillWrong.map(({ RowNumber }) => RowNumber));
      const taken = new Set(changed.map(({ RowNumber }) => RowNumber).filter((number) => !wrong.has(number)));
      change((before) => new Map([...before].filter(([rowNumber]) => !taken.has(rowNumber))));
      if (saved) await keepFile(client, saved);
      await client.invalidateQueries({ queryKey: [listFileRows.path, { FileID: file.FileID }] });
      const fixed = changed.length - stillWrong.length;
      if (fixed > 0) showSnackbar(`${countOf(fixed, 'row', 'rows')} saved.`);
      setStep((before) => next(fileUploadDialog, before, stillWrong.length > 0 ? 'fail' : 'saved'));
      if (stillWrong.length > 0)
        setProblem(
          `${countOf(stillWrong.length, 'row still has', 'rows still have')} a problem. See the reason next to each field.`,
        );
      else onDone();
    } catch (error) {
      setStep((before) => next(fileUploadDialog, before, 'fail'));
      setProblem(shownMessage(error, genericMessage('updating', rowsNoun)));
    }
  };

  return (
    <ImportFrame
      file={file}
      at={2}
      isKept
      back={<BackButton onPress={onDone} />}
      forward={
        <Button
          variant="contained"
          color="primary"
          disabled={changed.length === 0 || isSaving}
          onClick={() => void save()}
        >
          {isSaving
            ? 'Saving…'
            : changed.length === 0
              ? 'Save'
              : `Save ${countOf(changed.length, 'row', 'rows')}`}
        </Button>
      }
    >
      <StepHead
        title="Fix the rows that were left out"
        sentence="Rows you don’t fix aren’t imported. You can download them as a file."
        action={<RejectedLink fileId={file.FileID} />}
      />
      <StepProblem problem={problem} />
      {list.error ? (
        <Notice kind="error">{shownMessage(list.error, genericMessage('getting', rowsNoun))}</Notice>
      ) : (
        <MuiCard>
          <Rows
            rows={list.data ? rows : undefined}
            edits={edits}
            isDisabled={isSaving}
            onEdit={(rowNumber, edit) => change((before) => new Map(before).set(rowNumber, edit))}
          />
          {list.hasNextPage && (
            <ShowMore
              label="Show more rows"
              isDisabled={list.isFetchingNextPage}
              onPress={() => void list.fetchNextPage()}
            />
          )}
        </MuiCard>
      )}
    </ImportFrame>
  );
}

function Rows({
  rows,
  edits,
  isDisabled,
  onEdit,
}: {
  rows: readonly FileRow[] | undefined;
  edits: Edits;
  isDisabled: boolean;
  onEdit: (rowNumber: number, edit: RowEdit) => void;
}) {
  const countryId = useAccount()?.CountryID ?? 1;
  if (!rows) return <SkeletonRows rows={8} rowHeight={56} />;
  if (rows.length === 0)
    return (
      <EmptyState icon={CircleCheck} title="No row is left out" titleComponent="h2">
        Everything in the file can be imported.
      </EmptyState>
    );
  const fields = shownFields(rows);
  return (
    <Box component="ul" aria-label="Rows that were left out" sx={{ listStyle: 'none', p: 0 }}>
      {rows.map((row) => (
        <EditRow
          key={row.RowNumber}
          row={row}
          edit={edits.get(row.RowNumber) ?? noEdit}
          fields={fields}
          countryId={countryId}
          isDisabled={isDisabled}
          onEdit={(edit) => onEdit(row.RowNumber, edit)}
        />
      ))}
    </Box>
  );
}

/** Sends as many rows as one call takes, one call after the other: a file may have thousands to fix. */
async function saveRows(
  FileID: number,
  rows: readonly FileRow[],
  edits: Edits,
): Promise<{ file: FileUpload | undefined; stillWrong: FileRow[] }> {
  let file: FileUpload | undefined;
  const stillWrong: FileRow[] = [];
  for (const batch of inBatches(rows, importLimits.mendedRows)) {
    const Items = batch.map((row) => {
      const edit = edits.get(row.RowNumber) ?? noEdit;
      return { RowNumber: row.RowNumber, IsRemoved: edit.isRemoved, ...valuesOf(row, edit) };
    });
    const reply = await callApi(mendFileRows, { params: { FileID }, body: { Items } }, { missing: 'refuse' });
    file = reply.File;
    const removed = new Set(Items.filter(({ IsRemoved }) => IsRemoved).map(({ RowNumber }) => RowNumber));
    stillWrong.push(
      ...reply.Items.filter(({ Kind, RowNumber }) => Kind === 'rejected' && !removed.has(RowNumber)),
    );
  }
  return { file, stillWrong };
}
