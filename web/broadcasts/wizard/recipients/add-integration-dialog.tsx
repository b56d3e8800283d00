import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Plug, UsersRound } from 'lucide-react';
import { useState } from 'react';
import {
  integrationContactsToDraft,
  integrationGroupsToDraft,
  listIntegrationContacts,
  listIntegrationGroups,
  listIntegrations,
} from '../../../../contract/addresses/integrations.gen.ts';
import type { IntegrationGroup } from '../../../../contract/integrations.ts';
import { callApi, genericMessage, shownMessage } from '../../../api.ts';
import { useCallQuery } from '../../../queries/calls.ts';
import { fullName, useCan } from '../../../queries/current-user.ts';
import { Choice } from '../../../ui/choices.tsx';
import { DialogBody, DialogFoot, DialogHead } from '../../../ui/dialog-parts.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { countOf, formatCount } from '../../../ui/format.ts';
import { RetryNotice } from '../../../ui/retry-notice.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { SkeletonRows } from '../../../ui/skeleton-rows.tsx';
import { useAdd } from './use-add.ts';

interface AddIntegrationDialogProps {
  draftId: number;
  isOpen: boolean;
  onClose: () => void;
}

export function AddIntegrationDialog({ isOpen, ...rest }: AddIntegrationDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={rest.onClose} width={560} isFullOnPhone isKeptOnClickBeside>
      <AddFromIntegration {...rest} />
    </FormDialog>
  );
}

/** Groups of another system, or some of the people in one, as it has them now. */
function AddFromIntegration({ draftId, onClose }: Omit<AddIntegrationDialogProps, 'isOpen'>) {
  const query = { connected: true, type: 'Contact' as const };
  const integrations = useCallQuery(listIntegrations, { query });
  const [chosen, setChosen] = useState<number>();
  const items = integrations.data?.Items ?? [];
  const integrationId = chosen ?? items[0]?.IntegrationID;
  const canConnect = useCan('manageIntegrations');
  if (integrationId !== undefined) {
    return (
      <Groups
        key={integrationId}
        draftId={draftId}
        integrationId={integrationId}
        onClose={onClose}
        choice={
          items.length < 2 ? null : (
            <Choice
              value={String(integrationId)}
              label="Integration"
              choices={items.map(({ IntegrationID, LoginInstructions }) => ({
                ...{ value: String(IntegrationID), label: LoginInstructions.Name },
              }))}
              onChange={(value) => setChosen(Number(value))}
            />
          )
        }
      />
    );
  }
  return (
    <>
      <DialogHead title="Add from an integration" onClose={onClose} />
      <DialogBody gap={2}>
        {integrations.error ? (
          <RetryNotice onRetry={() => void integrations.refetch()}>
            {shownMessage(
              integrations.error,
              genericMessage('getting', { one: 'integration', many: 'integrations' }),
            )}
          </RetryNotice>
        ) : !integrations.data ? (
          <SkeletonRows rows={4} label="Loading the integrations" />
        ) : (
          <EmptyState icon={Plug} title="Nothing is connected yet" titleComponent="h3">
            {canConnect ? (
              <>
                Connect an address book, a directory or a sheet under{' '}
                <Link href="/automation">Integrations</Link>.
              </>
            ) : (
              'Ask an account owner or admin to connect an address book, a directory or a sheet.'
            )}
          </EmptyState>
        )}
      </DialogBody>
    </>
  );
}

interface GroupsProps {
  draftId: number;
  integrationId: number;
  choice: React.ReactNode;
  onClose: () => void;
}

function Groups({ draftId, integrationId, choice, onClose }: GroupsProps) {
  const params = { IntegrationID: integrationId };
  const groups = useCallQuery(listIntegrationGroups, { params });
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const [opened, setOpened] = useState<IntegrationGroup>();
  const { add, isBusy, problem } = useAdd(draftId, onClose);
  if (opened !== undefined)
    return (
      <People
        draftId={draftId}
        integrationId={integrationId}
        group={opened}
        onBack={() => setOpened(undefined)}
        onClose={onClose}
      />
    );
  const toggle = (id: string) =>
    setTicked((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id]));
  const submit = () =>
    add((idempotencyKey) =>
      callApi(
        integrationGroupsToDraft,
        {
          params: { ...params, DraftBroadcastID: draftId },
          body: { Selection: { Type: 'Selected', Items: ticked.map((GroupID) => ({ GroupID })) } },
        },
        { idempotencyKey, missing: 'refuse' },
      ),
    );
  return (
    <>
      <DialogHead title="Add from an integration" onClose={onClose} />
      <DialogBody gap={2} problem={problem}>
        {choice}
        {groups.error ? (
          <RetryNotice onRetry={() => void groups.refetch()}>
            {shownMessage(groups.error, genericMessage('getting', { one: 'group', many: 'groups' }))}
          </RetryNotice>
        ) : !groups.data ? (
          <SkeletonRows rows={5} label="Loading the groups" />
        ) : (
          <Box component="ul" aria-label="Groups" sx={{ listStyle: 'none', p: 0, m: 0 }}>
            {groups.data.Items.map((group) => (
              <Box component="li" key={group.GroupID} sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
                <Box
                  component="label"
                  sx={{ flex: 1, minWidth: 0, display: 'flex', alignItems: 'center', gap: 1, minHeight: 44 }}
                >
                  <Checkbox checked={ticked.includes(group.GroupID)} onChange={() => toggle(group.GroupID)} />
                  <Box component="span" sx={{ minWidth: 0, overflowWrap: 'anywhere', fontWeight: 520 }}>
                    {group.GroupName}
                  </Box>
                  {group.ContactCount !== null && (
                    <Box component="span" sx={{ typography: 'body2', color: 'text.secondary' }}>
                      {formatCount(group.ContactCount)}
                    </Box>
                  )}
                </Box>
                <Button
                  variant="text"
                  aria-label={`Choose people in ${group.GroupName}`}
                  onClick={() => setOpened(group)}
                >
                  Choose people
                </Button>
              </Box>
            ))}
          </Box>
        )}
      </DialogBody>
      <DialogFoot
        action={ticked.length === 0 ? 'Add groups' : `Add ${countOf(ticked.length, 'group', 'groups')}`}
        isDisabled={ticked.length === 0 || isBusy}
        onAction={() => void submit()}
        onClose={onClose}
      />
    </>
  );
}

interface PeopleProps {
  draftId: number;
  integrationId: number;
  group: IntegrationGroup;
  onBack: () => void;
  onClose: () => void;
}

/** As many as a dialog shows without paging; a search narrows the rest down. */
const shownPeople = 100;

function People({ draftId, integrationId, group, onBack, onClose }: PeopleProps) {
  const [q, setQ] = useState('');
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const params = { IntegrationID: integrationId, Group: group.GroupID };
  const people = useCallQuery(
    listIntegrationContacts,
    { params, query: { q, pagesize: shownPeople } },
    { keepPrevious: true },
  );
  const { add, isBusy, problem } = useAdd(draftId, onClose);
  const toggle = (id: string) =>
    setTicked((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id]));
  const submit = () =>
    add((idempotencyKey) =>
      callApi(
        integrationContactsToDraft,
        {
          params: { ...params, DraftBroadcastID: draftId },
          body: { Selection: { Type: 'Selected', Items: ticked.map((ContactID) => ({ ContactID })) } },
        },
        { idempotencyKey, missing: 'refuse' },
      ),
    );
  return (
    <>
      <DialogHead title={group.GroupName} onClose={onClose} />
      <DialogBody gap={2} problem={problem}>
        <Box>
          <Button variant="text" onClick={onBack}>
            All groups
          </Button>
        </Box>
        <SearchField q={q} onSearch={setQ} placeholder="Search people" />
        {people.error ? (
          <RetryNotice onRetry={() => void people.refetch()}>
            {shownMessage(people.error, genericMessage('getting', { one: 'contact', many: 'contacts' }))}
          </RetryNotice>
        ) : !people.data ? (
          <SkeletonRows rows={5} label="Loading the people" />
        ) : people.data.Items.length === 0 ? (
          <EmptyState icon={UsersRound} title="Nobody found" titleComponent="h3" />
        ) : (
          <Box component="ul" aria-label="People" sx={{ listStyle: 'none', p: 0, m: 0 }}>
            {people.data.Items.map((person) => (
              <li key={person.ContactID}>
                <Box
                  component="label"
                  sx={{ display: 'flex', alignItems: 'center', gap: 1, minHeight: 44, cursor: 'pointer' }}
                >
                  <Checkbox
                    checked={ticked.includes(person.ContactID)}
                    disabled={person.PrimaryPhoneError !== ''}
                    onChange={() => toggle(person.ContactID)}
                  />
                  <Box component="span" sx={{ minWidth: 0 }}>
                    <Box
                      component="span"
                      sx={{ display: 'block', overflowWrap: 'anywhere', fontWeight: 520 }}
                    >
                      {fullName(person) || 'No name'}
                    </Box>
                    <Box component="span" sx={{ typography: 'body2', color: 'text.secondary' }}>
                      {person.PrimaryPhoneError || person.PrimaryPhone}
                    </Box>
                  </Box>
                </Box>
              </li>
            ))}
          </Box>
        )}
        {people.data && people.data.Size > shownPeople && (
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            The first {shownPeople} of {formatCount(people.data.Size)} people. Search to find the others.
          </Typography>
        )}
      </DialogBody>
      <DialogFoot
        action={ticked.length === 0 ? 'Add people' : `Add ${countOf(ticked.length, 'person', 'people')}`}
        isDisabled={ticked.length === 0 || isBusy}
        onAction={() => void submit()}
        onClose={onClose}
      />
    </>
  );
}
