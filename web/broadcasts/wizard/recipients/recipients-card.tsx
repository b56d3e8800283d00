import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { UserMinus, UsersRound } from 'lucide-react';
import { useState } from 'react';
import type {
  ContactSummary,
  DraftContact,
  RecipientProblem,
} from '../../../../contract/draft-recipients.ts';
import type { BroadcastType } from '../../../../contract/money/units.ts';
import { pageSizes } from '../../../../contract/reference/paging.ts';
import { recipientProblemLabels } from '../../../../contract/states/recipient-problem.ts';
import { shownMessage } from '../../../api.ts';
import { useSelection } from '../../../queries/selection.ts';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { formatCount } from '../../../ui/format.ts';
import { PagerBar } from '../../../ui/pager.tsx';
import { RetryNotice } from '../../../ui/retry-notice.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { SelectionBar } from '../../../ui/selection-bar.tsx';
import { SkeletonRows } from '../../../ui/skeleton-rows.tsx';
import { PersonDialog } from './person-dialog.tsx';
import { type Shown, scopeOf, useRecipients } from './recipients-query.ts';
import { RecipientsTable } from './recipients-table.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { useRemoval } from './use-removal.ts';

interface RecipientsCardProps {
  draftId: number;
  type: BroadcastType;
  summary: ContactSummary | undefined;
}

/** Everyone who was added: search, filter by reason, edit, remove. */
export function RecipientsCard({ draftId, type, summary }: RecipientsCardProps) {
  const [q, setQ] = useState('');
  const [shown, setShown] = useState<Shown>('all');
  const [edited, setEdited] = useState<DraftContact>();
  const list = useRecipients(draftId, q, shown);
  const selection = useSelection<number>(list.total, list.scope);
  const removal = useRemoval(draftId, selection.clear);
  const scope = scopeOf(q, shown);
  const isNarrowed = q !== '' || shown !== 'all';
  return (
    <Card title="Recipients" {...(summary ? { count: formatCount(summary.Total) } : {})}>
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          gap: 1,
          px: 2.5,
          py: 1.25,
          borderBottom: '1px solid',
          borderColor: 'line.hair',
          bgcolor: 'surface.sunken',
        }}
      >
        <SearchField
          q={q}
          onSearch={setQ}
          placeholder="Search recipients"
          sx={{ flex: '1 1 200px', maxWidth: { sm: 320 } }}
        />
        <ShownSelect summary={summary} value={shown} onChange={setShown} />
      </Box>
      {selection.isAny && (
        <SelectionBar
          label="Selected recipients"
          selection={selection}
          total={list.total}
          isMore={list.isMore}
          canSelectAll
          isBusy={removal.isBusy}
          actions={[
            {
              label: 'Remove',
              icon: UserMinus,
              isDanger: true,
              isFirst: true,
              onPress: () => removal.ask({ scope, selection: selection.selection }, selection.count),
            },
          ]}
        />
      )}
      {list.error ? (
        <Box sx={{ p: 2.5 }}>
          <RetryNotice onRetry={list.reload}>
            {shownMessage(list.error, 'There was an error getting your recipients.')}
          </RetryNotice>
        </Box>
      ) : !list.rows ? (
        <SkeletonRows rows={pageSizes.recipientsTable} face={26} />
      ) : list.rows.length === 0 ? (
        <EmptyState icon={UsersRound} title={isNarrowed ? 'Nobody found' : 'Nobody yet'}>
          {isNarrowed ? 'No recipient matches.' : 'People you add are listed here.'}
        </EmptyState>
      ) : (
        <RecipientsTable
          rows={list.rows}
          selection={selection}
          onEdit={setEdited}
          onRemove={(row) =>
            removal.ask({ scope, selection: { Type: 'Selected', Items: [row.RecipientID] } }, 1)
          }
        />
      )}
      <Pages list={list} />
      <PersonDialog
        draftId={draftId}
        type={type}
        isOpen={edited !== undefined}
        person={edited}
        onClose={() => setEdited(undefined)}
      />
      <RemoveDialog count={removal.askedCount} onRemove={removal.confirm} onClose={removal.forget} />
    </Card>
  );
}

function isReason(shown: Shown): shown is RecipientProblem {
  return shown !== 'all' && shown !== 'good' && shown !== 'leftout';
}

/** The filter of the list: everybody, those who get it, or those left out, for any reason or for one. */
function ShownSelect({
  summary,
  value,
  onChange,
}: {
  summary: ContactSummary | undefined;
  value: Shown;
  onChange: (shown: Shown) => void;
}) {
  const found = summary?.LeftOut ?? [];
  // Nobody is left out for the chosen reason any more: it stays chosen, and says so.
  const isGone = isReason(value) && !found.some(({ Problem }) => Problem === value);
  const reasons = isGone ? [...found, { Problem: value, Count: 0 }] : found;
  const leftOut = summary ? summary.Total - summary.Good : 0;
  const choices: { value: Shown; label: string; count?: number }[] = [
    { value: 'all', label: 'All recipients' },
    { value: 'good', label: 'Will get it', count: summary?.Good ?? 0 },
    { value: 'leftout', label: 'Left out', count: leftOut },
    ...reasons.map(({ Problem, Count }) => ({
      value: Problem,
      label: recipientProblemLabels[Problem],
      count: Count,
    })),
  ];
  return (
    <Select
      value={value}
      onChange={({ target }) => onChange(target.value as Shown)}
      SelectDisplayProps={{ 'aria-label': 'Filter recipients' }}
      renderValue={(chosen) => choices.find((choice) => choice.value === chosen)?.label}
      sx={{ minWidth: 180 }}
    >
      {choices.map(({ value: each, label, count }) => (
        <MenuItem key={each} value={each} sx={{ justifyContent: 'space-between', gap: 3 }}>
          {label}
          {count !== undefined && (
            <Box component="span" sx={{ typography: 'caption', color: 'text.secondary' }}>
              {formatCount(count)}
            </Box>
          )}
        </MenuItem>
      ))}
    </Select>
  );
}

function Pages({ list }: { list: ReturnType<typeof useRecipients> }) {
  const { rows, page, total, isMore, toPrevious, toNext } = list;
  if (!rows || rows.length === 0) return null;
  const first = (page - 1) * pageSizes.recipientsTable + 1;
  return (
    <PagerBar onPrevious={toPrevious} onNext={toNext}>
      <span role="status">
        {formatCount(first)}–{formatCount(first + rows.length - 1)} of {formatCount(total)}
        {isMore && '+'}
      </span>
    </PagerBar>
  );
}
