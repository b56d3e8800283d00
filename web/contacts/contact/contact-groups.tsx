import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { removeContacts } from '../../../contract/addresses/contacts.gen.ts';
import type { WholeContact } from '../../../contract/contacts.ts';
import { shownMessage } from '../../api.ts';
import { useCall } from '../../queries/calls.ts';
import { useUndo } from '../../queries/undo.ts';
import { Card } from '../../ui/card.tsx';
import { ColorMark } from '../../ui/color-mark.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { ContactAddToGroup } from './contact-add-to-group.tsx';
import { nameOfContact } from './contact-name.ts';
import { freshenContact, undoOfContact } from './contact-queries.ts';

/** The groups that a contact is in, each with a button that removes the contact from it. */
export function ContactGroups({ person }: { person: WholeContact }) {
  return (
    <Card title="Groups">
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, px: 2.5, py: 2 }}>
        {person.Lists.length === 0 && (
          <Typography variant="body2" sx={{ color: 'text.secondary', mr: 0.5 }}>
            {person.IsDeleted ? 'Deleted contacts aren’t in any group.' : 'Not in any group yet.'}
          </Typography>
        )}
        {person.Lists.length > 0 && (
          <Box component="ul" sx={{ display: 'contents', listStyle: 'none', p: 0 }}>
            {person.Lists.map((group) => (
              <Group key={group.ListID} person={person} group={group} />
            ))}
          </Box>
        )}
        {!person.IsDeleted && <ContactAddToGroup person={person} isChip />}
      </Box>
    </Card>
  );
}

function Group({ person, group }: { person: WholeContact; group: WholeContact['Lists'][number] }) {
  const client = useQueryClient();
  const offerUndo = useUndo();
  const { ListID, ListName, Color } = group;
  const remove = useCall(removeContacts, {
    onSuccess: ({ UndoID }) => {
      freshenContact(client);
      const message = `${nameOfContact(person)} was removed from ${ListName}.`;
      offerUndo({ ...undoOfContact, message, undoId: UndoID });
    },
    onError: (error) => showSnackbar(shownMessage(error, 'There was an error updating your group.')),
  });
  const leave = () =>
    remove.mutate({
      params: { ListID },
      body: { Selection: { Type: 'Selected', Items: [person.PersonID] } },
    });
  // Not MUI's Chip: a chip that can be deleted is itself a button, with this one inside it.
  return (
    <Box
      component="li"
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: '6px',
        maxWidth: '100%',
        minHeight: 26,
        pl: 1,
        borderRadius: '6px',
        typography: 'caption',
        fontWeight: 500,
        bgcolor: 'tint.neutral',
        color: 'tint.neutralInk',
        opacity: remove.isPending ? 0.5 : 1,
      }}
    >
      <ColorMark of="group" color={Color} />
      <Box component="span" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        {ListName}
      </Box>
      {person.IsDeleted ? (
        <span />
      ) : (
        <ButtonBase
          aria-label={`Remove from ${ListName}`}
          disabled={remove.isPending}
          onClick={leave}
          sx={{
            width: 24,
            height: 24,
            flex: 'none',
            borderRadius: '6px',
            '&:hover': { bgcolor: 'surface.press' },
          }}
        >
          <X size={13} strokeWidth={2} aria-hidden />
        </ButtonBase>
      )}
    </Box>
  );
}
