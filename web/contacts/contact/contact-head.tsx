import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { ArchiveRestore, Pencil, Trash2 } from 'lucide-react';
import { copyContacts, deleteContact } from '../../../contract/addresses/contacts.gen.ts';
import { specialGroups, type WholeContact } from '../../../contract/contacts.ts';
import { genericMessage, shownMessage } from '../../api.ts';
import { useCall } from '../../queries/calls.ts';
import { fullName, useCan } from '../../queries/current-user.ts';
import { useUndo } from '../../queries/undo.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { ContactAddToGroup } from './contact-add-to-group.tsx';
import { nameOfContact } from './contact-name.ts';
import { freshenContact, undoOfContact } from './contact-queries.ts';
import { ContactText } from './contact-text.tsx';

const noun = { one: 'contact', many: 'contacts' };
const gutter = { xs: 2, sm: 3, laptop: 4 };
/** On a phone the icon is enough, so that all actions fit on one line. */
const onWideOnly = { display: { xs: 'none', sm: 'inline' } };

/** The contact's name and the actions. */
export function ContactHead({ person, onEdit }: { person: WholeContact; onEdit: () => void }) {
  const canDelete = useCan('deleteFromEveryone');
  const canCompose = useCan('createConversation');
  return (
    <>
      <Box
        component="header"
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'flex-end',
          columnGap: 2,
          rowGap: 1.5,
          px: gutter,
          pt: 3,
          pb: 2.5,
        }}
      >
        <Box sx={{ flex: '1 1 260px', minWidth: 0 }}>
          <Typography variant="body2" component="div" sx={{ mb: 0.75, color: 'text.secondary' }}>
            <RouterLink to="/contacts" color="inherit">
              Contacts
            </RouterLink>
          </Typography>
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5 }}>
            <Avatar name={fullName(person)} isDone={person.IsDeleted} />
            <Typography variant="h1" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
              {nameOfContact(person)}
            </Typography>
          </Box>
        </Box>
        {!person.IsDeleted && (
          <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
            {canDelete && <Delete person={person} />}
            <ContactAddToGroup person={person} />
            <Button startIcon={<Pencil aria-hidden />} onClick={onEdit}>
              Edit
            </Button>
            {canCompose && <ContactText person={person} />}
          </Box>
        )}
      </Box>
      {person.IsDeleted && <Deleted person={person} />}
    </>
  );
}

function Delete({ person }: { person: WholeContact }) {
  const client = useQueryClient();
  const offerUndo = useUndo();
  const remove = useCall(deleteContact, {
    onSuccess: ({ UndoID }) => {
      freshenContact(client);
      offerUndo({ ...undoOfContact, message: `${nameOfContact(person)} was deleted.`, undoId: UndoID });
    },
    onError: (error) => showSnackbar(shownMessage(error, genericMessage('deleting', noun))),
  });
  return (
    <Button
      variant="text"
      color="error"
      aria-label="Delete"
      startIcon={<Trash2 aria-hidden />}
      disabled={remove.isPending}
      onClick={() => remove.mutate({ params: { PersonID: person.PersonID } })}
    >
      <Box component="span" sx={onWideOnly}>
        Delete
      </Box>
    </Button>
  );
}

function Deleted({ person }: { person: WholeContact }) {
  const client = useQueryClient();
  const offerUndo = useUndo();
  const restore = useCall(copyContacts, {
    onSuccess: ({ UndoID }) => {
      freshenContact(client);
      offerUndo({ ...undoOfContact, message: `${nameOfContact(person)} was restored.`, undoId: UndoID });
    },
    onError: (error) => showSnackbar(shownMessage(error, 'There was an error restoring your contact.')),
  });
  return (
    <Box sx={{ px: gutter, pb: 2.5 }}>
      <Notice
        kind="warning"
        icon={Trash2}
        title="This contact was deleted"
        actions={
          <Button
            size="small"
            startIcon={<ArchiveRestore aria-hidden />}
            disabled={restore.isPending}
            onClick={() =>
              restore.mutate({
                params: { ListID: specialGroups.deleted, TargetID: specialGroups.everyone },
                body: { Selection: { Type: 'Selected', Items: [person.PersonID] } },
              })
            }
          >
            Restore
          </Button>
        }
      >
        It’s only listed under Deleted. Restoring it returns it to its groups.
      </Notice>
    </Box>
  );
}
