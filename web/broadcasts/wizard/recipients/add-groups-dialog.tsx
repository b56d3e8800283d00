import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import { UsersRound } from 'lucide-react';
import { useState } from 'react';
import { listLists } from '../../../../contract/addresses/contacts.gen.ts';
import { addDraftLists } from '../../../../contract/addresses/drafts.gen.ts';
import { specialGroups } from '../../../../contract/contacts.ts';
import type { List } from '../../../../contract/lists.ts';
import { callApi, genericMessage, shownMessage } from '../../../api.ts';
import { useCallQuery } from '../../../queries/calls.ts';
import { DialogBody, DialogFoot, DialogHead } from '../../../ui/dialog-parts.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { countOf, formatCount } from '../../../ui/format.ts';
import { RetryNotice } from '../../../ui/retry-notice.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { SkeletonRows } from '../../../ui/skeleton-rows.tsx';
import { useAdd } from './use-add.ts';

interface AddGroupsDialogProps {
  draftId: number;
  isOpen: boolean;
  onClose: () => void;
}

export function AddGroupsDialog({ isOpen, ...rest }: AddGroupsDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={rest.onClose} width={520} isFullOnPhone>
      <AddGroups {...rest} />
    </FormDialog>
  );
}

/** Adds any number of groups and segments at once, and shows how many people are in each. */
function AddGroups({ draftId, onClose }: Omit<AddGroupsDialogProps, 'isOpen'>) {
  const lists = useCallQuery(listLists, {});
  const [q, setQ] = useState('');
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const { add, isBusy, problem } = useAdd(draftId, onClose);
  const offered = (lists.data?.Items ?? []).filter(
    ({ ListID, ListName }) =>
      (ListID > 0 || ListID === specialGroups.everyone) && ListName.toLowerCase().includes(q.toLowerCase()),
  );
  const toggle = (id: number) =>
    setChosen((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id]));
  const submit = () =>
    add((idempotencyKey) =>
      callApi(
        addDraftLists,
        {
          params: { DraftBroadcastID: draftId },
          body: { Selection: { Type: 'Selected', Items: chosen.map((ListID) => ({ ListID })) } },
        },
        { idempotencyKey, missing: 'refuse' },
      ),
    );
  return (
    <>
      <DialogHead title="Add groups" onClose={onClose} />
      <DialogBody gap={2} problem={problem}>
        <SearchField q={q} onSearch={setQ} placeholder="Search groups" />
        {lists.error ? (
          <RetryNotice onRetry={() => void lists.refetch()}>
            {shownMessage(lists.error, genericMessage('getting', { one: 'group', many: 'groups' }))}
          </RetryNotice>
        ) : !lists.data ? (
          <SkeletonRows rows={6} />
        ) : offered.length === 0 ? (
          <EmptyState icon={UsersRound} title="No group found" titleComponent="h3" />
        ) : (
          <Box component="ul" aria-label="Groups" sx={{ listStyle: 'none', p: 0, mx: -1 }}>
            {offered.map((list) => (
              <GroupRow
                key={list.ListID}
                list={list}
                isTicked={chosen.includes(list.ListID)}
                onToggle={() => toggle(list.ListID)}
              />
            ))}
          </Box>
        )}
      </DialogBody>
      <DialogFoot
        action={chosen.length === 0 ? 'Add groups' : `Add ${countOf(chosen.length, 'group', 'groups')}`}
        isDisabled={chosen.length === 0 || isBusy}
        onAction={() => void submit()}
        onClose={onClose}
      />
    </>
  );
}

function GroupRow({ list, isTicked, onToggle }: { list: List; isTicked: boolean; onToggle: () => void }) {
  return (
    <Box component="li" sx={{ borderRadius: '8px', bgcolor: isTicked ? 'surface.selected' : 'transparent' }}>
      <Box
        component="label"
        sx={{ display: 'flex', alignItems: 'center', gap: 1.25, minHeight: 40, px: 1, cursor: 'pointer' }}
      >
        <Checkbox checked={isTicked} onChange={onToggle} />
        <Box component="span" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere', fontWeight: 520 }}>
          {list.ListName}
          {list.Segment !== null && (
            <Box component="span" sx={{ typography: 'body2', color: 'text.secondary', ml: 1 }}>
              Segment
            </Box>
          )}
        </Box>
        <Box
          component="span"
          sx={{ typography: 'body2', color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}
        >
          {formatCount(list.RosterCount)}
        </Box>
      </Box>
    </Box>
  );
}
