import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import { useQueryClient } from '@tanstack/react-query';
import { FolderPlus, Plus } from 'lucide-react';
import { addList, copyContacts } from '../../../contract/addresses/contacts.gen.ts';
import { specialGroups, type WholeContact } from '../../../contract/contacts.ts';
import { shownMessage } from '../../api.ts';
import { useCall } from '../../queries/calls.ts';
import { useUndo } from '../../queries/undo.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useMenu } from '../../ui/use-menu.ts';
import { GroupPicker } from '../groups/group-picker.tsx';
import type { Target } from '../list/contacts-actions.ts';
import { useGroups } from '../list/contacts-queries.ts';
import { nameOfContact } from './contact-name.ts';
import { freshenContact, undoOfContact } from './contact-queries.ts';

interface AddToGroupProps {
  person: WholeContact;
  /** Among the chips of the groups, instead of a button. */
  isChip?: boolean;
}

/** Adds a contact to another group, which may be a new one. */
export function ContactAddToGroup({ person, isChip = false }: AddToGroupProps) {
  const { anchorEl, close, buttonProps } = useMenu('dialog');
  const { targets, isPending } = useGroups();
  const addTo = useAddTo(person);
  const isIn = new Set(person.Lists.map(({ ListID }) => ListID));
  return (
    <>
      {isChip ? (
        <Chip
          component="button"
          variant="outlined"
          icon={<Plus size={13} strokeWidth={2} aria-hidden />}
          label="Add"
          aria-label="Add to another group"
          sx={{ height: 26, borderStyle: 'dashed', color: 'text.primary', cursor: 'pointer' }}
          {...buttonProps}
        />
      ) : (
        <Button startIcon={<FolderPlus aria-hidden />} aria-label="Add to group" {...buttonProps}>
          {/* On a phone the icon is enough, so that all actions of the head fit on one line. */}
          <Box component="span" sx={{ display: { xs: 'none', sm: 'inline' } }}>
            Add to group
          </Box>
        </Button>
      )}
      <GroupPicker
        anchor={anchorEl}
        label="Add to group"
        lists={isPending ? undefined : targets}
        except={isIn}
        canCreate
        onChoose={(target) => void addTo(target)}
        onClose={close}
      />
    </>
  );
}

function useAddTo(person: WholeContact): (target: Target) => Promise<void> {
  const client = useQueryClient();
  const offerUndo = useUndo();
  const create = useCall(addList);
  const copy = useCall(copyContacts);
  return async (target) => {
    try {
      const group =
        'newName' in target ? await create.mutateAsync({ body: { ListName: target.newName } }) : target;
      const { UndoID } = await copy.mutateAsync({
        params: { ListID: specialGroups.everyone, TargetID: group.ListID },
        body: { Selection: { Type: 'Selected', Items: [person.PersonID] } },
      });
      const message = `${nameOfContact(person)} was added to ${group.ListName}.`;
      offerUndo({ ...undoOfContact, message, undoId: UndoID });
    } catch (error) {
      showSnackbar(shownMessage(error, 'There was an error updating your group.'));
    } finally {
      // A group that was created stays, even if adding the contact to it failed.
      freshenContact(client);
    }
  };
}
