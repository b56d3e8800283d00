import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { getContactSummary } from '../../../contract/addresses/drafts.gen.ts';
import { errorCatalog } from '../../../contract/reference/error-catalog.ts';
import { shownMessage } from '../../api.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { Card } from '../../ui/card.tsx';
import { DialogHead } from '../../ui/dialog-parts.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { formatCount } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { say } from '../../ui/say.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { AddContactsDialog } from '../wizard/recipients/add-contacts-dialog.tsx';
import { AddGroupsDialog } from '../wizard/recipients/add-groups-dialog.tsx';
import { PersonDialog } from '../wizard/recipients/person-dialog.tsx';
import { RecipientsCard } from '../wizard/recipients/recipients-card.tsx';
import { Sources } from '../wizard/recipients/sources.tsx';
import type { OpenDrip } from './drip-state.ts';

type Opened = 'groups' | 'contacts' | 'person' | 'all';

interface PeopleCardProps {
  drip: OpenDrip;
  error: string | undefined;
}

/** Who gets the campaign: where they come from, how many are left out, and ways to add more. */
export function PeopleCard({ drip: { ensure, sequence }, error }: PeopleCardProps) {
  const draftId = sequence?.DraftBroadcastID;
  const [opened, setOpened] = useState<Opened>();
  const summary = useCallQuery(
    getContactSummary,
    { params: { DraftBroadcastID: draftId ?? 0 } },
    { enabled: draftId !== undefined },
  );
  const close = () => setOpened(undefined);
  const open = async (what: Opened) => {
    try {
      await ensure();
      setOpened(what);
    } catch (failure) {
      showSnackbar(shownMessage(failure, errorCatalog.startDrip));
    }
  };
  const { Good = 0, Total = 0, Sources: sources = [], LeftOut = [] } = summary.data ?? {};
  return (
    <Card
      title="Recipients"
      count={formatCount(Good)}
      action={
        Total > 0 && (
          <Button size="small" variant="text" onClick={() => setOpened('all')}>
            See all
          </Button>
        )
      }
    >
      <Box sx={{ p: 2.5, display: 'grid', gap: 1.5 }}>
        {error && <Notice kind="error">{error}</Notice>}
        {summary.isError && <Notice kind="error">{errorCatalog.dripRecipients}</Notice>}
        {draftId !== undefined && <Sources draftId={draftId} sources={sources} isChanging={false} />}
        {LeftOut.length > 0 && (
          <Typography variant="body2" sx={{ color: 'warning.main' }}>
            {formatCount(Total - Good)} left out.
          </Typography>
        )}
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          {(['contacts', 'groups', 'person'] as const).map((what) => (
            <Button key={what} size="small" startIcon={<Plus aria-hidden />} onClick={() => void open(what)}>
              {{ contacts: say('Contacts'), groups: say('Groups'), person: say('Person') }[what]}
            </Button>
          ))}
        </Box>
      </Box>
      {draftId !== undefined && (
        <>
          <AddGroupsDialog draftId={draftId} isOpen={opened === 'groups'} onClose={close} />
          <AddContactsDialog draftId={draftId} count={Total} isOpen={opened === 'contacts'} onClose={close} />
          <PersonDialog draftId={draftId} isOpen={opened === 'person'} person={undefined} onClose={close} />
          <FormDialog isOpen={opened === 'all'} onClose={close} width={860} isFullOnPhone>
            <DialogHead title="Recipients" onClose={close} />
            <Box sx={{ p: 2.5, overflowY: 'auto' }}>
              <RecipientsCard draftId={draftId} summary={summary.data} />
            </Box>
          </FormDialog>
        </>
      )}
    </Card>
  );
}
