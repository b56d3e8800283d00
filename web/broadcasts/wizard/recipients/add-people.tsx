import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Typography from '@mui/material/Typography';
import { useNavigate } from '@tanstack/react-router';
import {
  ClipboardPaste,
  FileSpreadsheet,
  type LucideIcon,
  Plug,
  UserRoundPlus,
  UserRoundSearch,
  UsersRound,
} from 'lucide-react';
import { useState } from 'react';
import type { DraftBroadcast } from '../../../../contract/drafts.ts';
import { useAccount, useCan } from '../../../queries/current-user.ts';
import { AddContactsDialog } from './add-contacts-dialog.tsx';
import { AddGroupsDialog } from './add-groups-dialog.tsx';
import { AddIntegrationDialog } from './add-integration-dialog.tsx';
import { PersonDialog } from './person-dialog.tsx';

type Opened = 'groups' | 'contacts' | 'person' | 'integration';

/** The six ways to add people; an organization can switch off two of them. */
export function AddPeople({ draft }: { draft: DraftBroadcast }) {
  const navigate = useNavigate();
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const profile = useAccount()?.Profile;
  const seesEverybody = useCan('seeAllContacts');
  const { DraftBroadcastID: draftId, TotalTextNumberCount } = draft;
  const search = { draft: draftId };
  return (
    <Box
      component="section"
      aria-label="Add people"
      sx={{
        display: 'grid',
        gap: 1.5,
        gridTemplateColumns: {
          xs: 'repeat(2, minmax(0, 1fr))',
          sm: 'repeat(3, minmax(0, 1fr))',
        },
      }}
    >
      <Way icon={UsersRound} title="Groups" sentence="And segments" onPress={() => setOpened('groups')} />
      <Way
        icon={UserRoundSearch}
        title="Contacts"
        sentence="Search and select"
        onPress={() => setOpened('contacts')}
      />
      {profile?.AllowCopyPasteInBroadcast !== false && (
        <Way
          icon={ClipboardPaste}
          title="Paste"
          sentence="Names and numbers"
          onPress={() => void navigate({ to: '/broadcasts/create/paste', search })}
        />
      )}
      <Way
        icon={FileSpreadsheet}
        title="File"
        sentence="CSV or Excel"
        onPress={() => void navigate({ to: '/broadcasts/create/file', search })}
      />
      {profile?.AllowAddIndividualNumbersInBroadcast !== false && (
        <Way
          icon={UserRoundPlus}
          title="One person"
          sentence="Enter a number"
          onPress={() => setOpened('person')}
        />
      )}
      {seesEverybody && (
        <Way
          icon={Plug}
          title="Integration"
          sentence="Another system"
          onPress={() => setOpened('integration')}
        />
      )}
      <AddIntegrationDialog draftId={draftId} isOpen={opened === 'integration'} onClose={close} />
      <AddGroupsDialog draftId={draftId} isOpen={opened === 'groups'} onClose={close} />
      <AddContactsDialog
        draftId={draftId}
        count={TotalTextNumberCount}
        isOpen={opened === 'contacts'}
        onClose={close}
      />
      <PersonDialog
        draftId={draftId}
        type={draft.BroadcastType}
        isOpen={opened === 'person'}
        person={undefined}
        onClose={close}
      />
    </Box>
  );
}

interface WayProps {
  icon: LucideIcon;
  title: string;
  sentence: string;
  onPress: () => void;
}

function Way({ icon: Icon, title, sentence, onPress }: WayProps) {
  return (
    <ButtonBase
      onClick={onPress}
      sx={{
        display: 'flex',
        justifyContent: 'flex-start',
        textAlign: 'left',
        font: 'inherit',
        gap: '10px',
        px: '14px',
        py: '12px',
        minHeight: 64,
        borderRadius: '10px',
        border: '1px solid',
        borderColor: 'line.strong',
        bgcolor: 'surface.raised',
        transition: 'background-color 80ms',
        '&:hover': { bgcolor: 'surface.sunken' },
      }}
    >
      <Box
        component={Icon}
        size={18}
        strokeWidth={1.75}
        aria-hidden
        sx={{ color: 'primary.main', flex: 'none' }}
      />
      <Box component="span" sx={{ minWidth: 0 }}>
        <Box component="span" sx={{ display: 'block', fontWeight: 550 }}>
          {title}
        </Box>
        <Typography variant="body2" component="span" sx={{ color: 'text.secondary', display: 'block' }}>
          {sentence}
        </Typography>
      </Box>
    </ButtonBase>
  );
}
