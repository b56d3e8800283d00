import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { UsersRound } from 'lucide-react';
import { useState } from 'react';
import {
  keepIntegrationGroups,
  listIntegrationContacts,
  listIntegrationGroups,
  listIntegrationGroupTypes,
} from '../../contract/addresses/integrations.gen.ts';
import type { Integration, IntegrationGroup } from '../../contract/integrations.ts';
import { pageSizes } from '../../contract/reference/paging.ts';
import { genericMessage, shownMessage } from '../api.ts';
import { useCall, useCallQuery } from '../queries/calls.ts';
import { fullName } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { DialogBody, DialogHead } from '../ui/dialog-parts.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { countOf, formatCount } from '../ui/format.ts';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { say } from '../ui/say.ts';
import { SearchField } from '../ui/search-field.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';

/** The groups that the other system has now, each with a switch that keeps it in contacts. */
export function GroupsCard({ integration }: { integration: Integration }) {
  const params = { IntegrationID: integration.IntegrationID };
  const [type, setType] = useState('');
  const [shown, setShown] = useState<IntegrationGroup>();
  const types = useCallQuery(
    listIntegrationGroupTypes,
    { params },
    { enabled: integration.Features.HasGroupTypes },
  );
  const { data, error, refetch } = useCallQuery(listIntegrationGroups, { params });
  const keep = useCall(keepIntegrationGroups, {
    onError: (failure) => showSnackbar(shownMessage(failure, 'There was an error keeping this group.')),
  });
  const isBusy =
    keep.isPending || ['waiting', 'running', 'undoing'].includes(integration.Sync?.State ?? 'idle');
  const groups = (data?.Items ?? []).filter(({ GroupTypeID }) => type === '' || GroupTypeID === type);
  const toggle = (group: IntegrationGroup) => {
    const isKept = group.ListID !== null;
    const kept = (data?.Items ?? []).filter(
      ({ GroupID, ListID }) =>
        (ListID !== null && GroupID !== group.GroupID) || (!isKept && GroupID === group.GroupID),
    );
    keep.mutate(
      { params, body: { Groups: kept.map(({ GroupID }) => ({ GroupID })) } },
      {
        onSuccess: () =>
          showSnackbar(
            isKept
              ? `${group.GroupName} is no longer kept in step. Its people stay in contacts.`
              : `${group.GroupName} is being added to contacts.`,
          ),
      },
    );
  };
  return (
    <Card title="Groups" count={data ? formatCount(data.Size) : undefined}>
      <Typography variant="body2" sx={{ px: 2.5, py: 1.5, color: 'text.secondary' }}>
        Switch a group on to keep it in contacts. Once a day, Muster adds new people to it, updates those who
        changed, and removes those who left. Nobody is deleted.
      </Typography>
      {types.data && types.data.Items.length > 1 && (
        <Box sx={{ px: 2.5, pb: 1.5 }}>
          <Segmented
            label="Kind of group"
            value={type}
            parts={[
              { value: '', words: say('All', 'groups') },
              ...types.data.Items.map(({ GroupTypeID, GroupTypeName }) => ({
                ...{ value: GroupTypeID, words: GroupTypeName },
              })),
            ]}
            onChange={setType}
          />
        </Box>
      )}
      {error && (
        <Box sx={{ p: 2.5 }}>
          <RetryNotice onRetry={() => void refetch()}>
            {shownMessage(error, genericMessage('getting', { one: 'group', many: 'groups' }))}
          </RetryNotice>
        </Box>
      )}
      {!data && !error && <SkeletonRows rows={4} rowHeight={56} label="Loading the groups" />}
      {data && groups.length === 0 && <EmptyState icon={UsersRound} title="No groups" />}
      <Box component="ul" sx={{ listStyle: 'none', p: 0, m: 0 }}>
        {groups.map((group) => (
          <GroupRow
            key={group.GroupID}
            group={group}
            isBusy={isBusy}
            onToggle={() => toggle(group)}
            onShow={() => setShown(group)}
          />
        ))}
      </Box>
      <FormDialog isOpen={shown !== undefined} onClose={() => setShown(undefined)} width={520} isFullOnPhone>
        {shown && <People integration={integration} group={shown} onClose={() => setShown(undefined)} />}
      </FormDialog>
    </Card>
  );
}

interface GroupRowProps {
  group: IntegrationGroup;
  isBusy: boolean;
  onToggle: () => void;
  onShow: () => void;
}

function GroupRow({ group, isBusy, onToggle, onShow }: GroupRowProps) {
  const { GroupName, ContactCount, ListID, ListName } = group;
  const isKept = ListID !== null;
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        px: 2.5,
        py: 1,
        borderTop: '1px solid',
        borderColor: 'line.hair',
      }}
    >
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography sx={{ fontWeight: 550, overflowWrap: 'anywhere' }}>{GroupName}</Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {[
            ...(ContactCount === null ? [] : [countOf(ContactCount, 'person', 'people')]),
            ...(isKept ? [`in contacts as ${ListName}`] : []),
          ].join(' · ') || 'Not in contacts'}
        </Typography>
      </Box>
      <Button variant="text" aria-label={`See people in ${GroupName}`} onClick={onShow}>
        See people
      </Button>
      <Switch
        checked={isKept}
        disabled={isBusy}
        onChange={onToggle}
        slotProps={{ input: { 'aria-label': `Keep ${GroupName} in contacts` } }}
      />
    </Box>
  );
}

interface PeopleProps {
  integration: Integration;
  group: IntegrationGroup;
  onClose: () => void;
}

/** The people of a group in the other system, a page at a time. */
function People({ integration, group, onClose }: PeopleProps) {
  const [q, setQ] = useState('');
  const [page, setPage] = useState(1);
  const pagesize = pageSizes.integrationContacts;
  const { data, error, refetch } = useCallQuery(
    listIntegrationContacts,
    {
      params: { IntegrationID: integration.IntegrationID, Group: group.GroupID },
      query: { q, page, pagesize },
    },
    { keepPrevious: true },
  );
  const pages = Math.max(1, Math.ceil((data?.Size ?? 0) / pagesize));
  return (
    <>
      <DialogHead title={group.GroupName} onClose={onClose} />
      <DialogBody gap={2}>
        <SearchField
          q={q}
          onSearch={(next) => {
            setQ(next);
            setPage(1);
          }}
          placeholder="Search people"
        />
        {error ? (
          <RetryNotice onRetry={() => void refetch()}>
            {shownMessage(error, genericMessage('getting', { one: 'contact', many: 'contacts' }))}
          </RetryNotice>
        ) : !data ? (
          <SkeletonRows rows={pagesize} label="Loading the people" />
        ) : data.Items.length === 0 ? (
          <EmptyState icon={UsersRound} title="Nobody found" titleComponent="h3" />
        ) : (
          <Box component="ul" aria-label="People" sx={{ listStyle: 'none', p: 0, m: 0 }}>
            {data.Items.map((person) => (
              <Box component="li" key={person.ContactID} sx={{ py: 0.75 }}>
                <Typography sx={{ fontWeight: 520, overflowWrap: 'anywhere' }}>
                  {fullName(person) || 'No name'}
                </Typography>
                <Typography
                  variant="body2"
                  sx={{ color: person.PrimaryPhoneError === '' ? 'text.secondary' : 'warning.main' }}
                >
                  {person.PrimaryPhone}
                  {person.PrimaryPhoneError !== '' &&
                    `${person.PrimaryPhone === '' ? '' : ' · '}${person.PrimaryPhoneError}`}
                </Typography>
              </Box>
            ))}
          </Box>
        )}
        {pages > 1 && (
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
            <Button disabled={page === 1} onClick={() => setPage(page - 1)}>
              Previous
            </Button>
            <Button disabled={page >= pages} onClick={() => setPage(page + 1)}>
              Next
            </Button>
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              Page {formatCount(page)} of {formatCount(pages)}
            </Typography>
          </Box>
        )}
      </DialogBody>
    </>
  );
}
