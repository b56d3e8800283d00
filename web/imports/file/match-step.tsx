import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import Switch from '@mui/material/Switch';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useQueryClient } from '@tanstack/react-query';
import { ArrowRight, FileSpreadsheet } from 'lucide-react';
import { useMemo, useState } from 'react';
import { listCustomFields } from '../../../contract/addresses/contacts.gen.ts';
import { processFile } from '../../../contract/addresses/imports.gen.ts';
import type { FileTab, FileUpload } from '../../../contract/imports.ts';
import { confirmConsent, fileNotProcessed } from '../../../contract/uploads/file-name.ts';
import { fieldMessages, shownMessage } from '../../api.ts';
import { useCall, useCallQuery } from '../../queries/calls.ts';
import { useAccount } from '../../queries/current-user.ts';
import { countOf } from '../../ui/format.ts';
import { BackButton, StepHead, StepProblem, TwoColumns } from '../../ui/wizard-frame.tsx';
import { keepFile } from '../file-queries.ts';
import type { ImportDraft } from '../import-draft.ts';
import { ImportFrame } from '../import-frame.tsx';
import { useImportTarget } from '../import-target.ts';
import { fileSentence, previewCount } from '../import-words.ts';
import { Legend, type Remark } from './cell-mark.tsx';
import { ColumnSelect } from './column-select.tsx';
import { ColumnsList, ColumnsTable } from './columns-table.tsx';
import { DuplicatesField } from './duplicates-field.tsx';
import { guessedColumns, rowsIn, showTab, withTarget } from './file-columns.ts';
import { type PreviewRow, previewRows } from './preview-cells.ts';
import { SideCard, WhereCard } from './where-card.tsx';

interface MatchStepProps {
  file: FileUpload;
  draft: ImportDraft;
  onDraft: (by: Partial<ImportDraft>) => void;
  /** The step that a file that was already read returns to without being read again. */
  onChecked: () => void;
}

const noPhoneColumn = 'Choose the column that holds the primary phone.';

/** METADATA: the targets of columns, the handling of existing contacts, the group, and consent. */
export function MatchStep({ file, draft, onDraft, onChecked }: MatchStepProps) {
  const client = useQueryClient();
  const { draftId, toStart } = useImportTarget();
  const [isTried, setTried] = useState(false);
  const process = useCall(processFile, {
    onSuccess: async (next) => {
      await keepFile(client, next);
      onChecked();
    },
  });
  const tab = file.FileStructure.Tabs.find(({ TabNumber }) => TabNumber === draft.TabNumber);
  const hasPhone = draft.Columns.Phone1 !== null;
  const problem = problemOf(file, process.error) ?? (isTried && !hasPhone ? noPhoneColumn : undefined);
  const goOn = () => {
    setTried(true);
    if (!hasPhone || !draft.Consent) return;
    const { TabNumber, HasHeader, Columns, Duplicates } = draft;
    // The server reads the file again only where it has to.
    process.mutate({
      params: { FileID: file.FileID },
      body: { TabNumber, HasHeader, Columns, Duplicates },
    });
  };
  const rowCount = tab && rowsIn(tab, draft.HasHeader);
  return (
    <ImportFrame
      file={file}
      at={1}
      isKept
      back={<BackButton onPress={() => void toStart()} />}
      forward={
        <Button
          variant="contained"
          color="primary"
          endIcon={<ArrowRight />}
          disabled={process.isPending || !tab}
          onClick={goOn}
        >
          {rowCount === null || rowCount === undefined
            ? 'Next: Check the rows'
            : `Next: Check ${countOf(rowCount, 'row', 'rows')}`}
        </Button>
      }
    >
      <TwoColumns
        head={
          <StepHead
            title="Match the columns"
            sentence={tab && fileSentence(tab)}
            action={<TabChoice tabs={file.FileStructure.Tabs} draft={draft} onDraft={onDraft} />}
          />
        }
        main={
          <>
            <StepProblem problem={problem} />
            {tab && <Preview tab={tab} draft={draft} onDraft={onDraft} />}
          </>
        }
        side={
          <>
            <WhereCard
              draft={draft}
              onDraft={onDraft}
              consentError={isTried && !draft.Consent ? confirmConsent : undefined}
            />
            {draftId === undefined && (
              <SideCard>
                <DuplicatesField
                  value={draft.Duplicates}
                  onChange={(Duplicates) => onDraft({ Duplicates })}
                />
              </SideCard>
            )}
          </>
        }
      />
    </ImportFrame>
  );
}

function problemOf(file: FileUpload, error: Error | null): string | undefined {
  if (error) return Object.values(fieldMessages(error))[0] ?? shownMessage(error, fileNotProcessed);
  if (file.Stage === 'failed') return file.ErrorMessage || fileNotProcessed;
  return undefined;
}

/** Rows above the headings of the chosen sheet. */
function rowsAbove({ TabNumber }: ImportDraft, tabs: readonly FileTab[]): number {
  return tabs.find((tab) => tab.TabNumber === TabNumber)?.TitleRows ?? 0;
}

/** The sheet, and whether its first row is a heading. Another sheet starts with its own guess. */
function TabChoice({
  tabs,
  draft,
  onDraft,
}: {
  tabs: readonly FileTab[];
  draft: ImportDraft;
  onDraft: (by: Partial<ImportDraft>) => void;
}) {
  const choose = (TabNumber: number) => {
    const tab = tabs.find((one) => one.TabNumber === TabNumber);
    if (tab) onDraft({ TabNumber, HasHeader: tab.HasHeader, Columns: guessedColumns(tab) });
  };
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2.5, rowGap: 1.5 }}>
      <FormControlLabel
        control={<Switch checked={draft.HasHeader} onChange={(_, HasHeader) => onDraft({ HasHeader })} />}
        label={rowsAbove(draft, tabs) > 0 ? 'File has headings' : 'First row is a heading'}
      />
      {tabs.length > 1 && (
        <Select
          value={draft.TabNumber}
          onChange={({ target: { value } }) => choose(Number(value))}
          SelectDisplayProps={{ 'aria-label': 'Sheet' }}
          startAdornment={
            <FileSpreadsheet size={16} strokeWidth={1.75} aria-hidden style={{ flex: 'none' }} />
          }
          renderValue={(number) =>
            `Sheet: ${tabs.find(({ TabNumber }) => TabNumber === number)?.TabName ?? ''}`
          }
          sx={{
            pl: '12px',
            maxWidth: 260,
            fontWeight: 550,
            '& .MuiSelect-select': { pl: '8px' },
          }}
        >
          {tabs.map(({ TabNumber, TabName, RowCount }) => (
            <MenuItem key={TabNumber} value={TabNumber} sx={{ justifyContent: 'space-between' }}>
              {TabName}
              {RowCount !== null && (
                <Box component="span" sx={{ typography: 'caption', color: 'text.secondary', ml: 2 }}>
                  {countOf(RowCount, 'row', 'rows')}
                </Box>
              )}
            </MenuItem>
          ))}
        </Select>
      )}
    </Box>
  );
}

function Preview({
  tab,
  draft,
  onDraft,
}: {
  tab: FileTab;
  draft: ImportDraft;
  onDraft: (by: Partial<ImportDraft>) => void;
}) {
  const countryId = useAccount()?.CountryID ?? 1;
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down('sm'));
  const fields = useCallQuery(listCustomFields, {}, { staleTime: 60_000 });
  const shown = useMemo(() => showTab(tab, draft.HasHeader), [tab, draft.HasHeader]);
  const rows = useMemo(() => previewRows(shown, draft.Columns, countryId), [shown, draft.Columns, countryId]);
  const known = (fields.data?.Items ?? []).map(({ Name }) => Name);
  const made = draft.Columns.CustomData.map(({ Name }) => Name);
  const fieldNames = namesOf([...known, ...made]);
  const Columns = isPhone ? ColumnsList : ColumnsTable;
  return (
    <>
      <Columns
        tab={shown}
        rows={rows}
        columns={draft.Columns}
        select={(column) => (
          <ColumnSelect
            column={column}
            columns={draft.Columns}
            fieldNames={fieldNames}
            onChoose={(target) =>
              onDraft({ Columns: withTarget(draft.Columns, column.columnNumber, target) })
            }
          />
        )}
      />
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          columnGap: 2.5,
          rowGap: 0.5,
          mt: 1.5,
          typography: 'body2',
          color: 'text.secondary',
        }}
      >
        <span>{previewCount(rows.length, rowsIn(tab, draft.HasHeader))}</span>
        <Legend shown={remarksIn(rows)} />
      </Box>
    </>
  );
}

function namesOf(names: readonly string[]): string[] {
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()];
}

function remarksIn(rows: readonly PreviewRow[]): Remark[] {
  const states = new Set(rows.flatMap(({ cells }) => cells.map(({ state }) => state)));
  return (['repaired', 'duplicate', 'wrong'] as const).filter((state) => states.has(state));
}
