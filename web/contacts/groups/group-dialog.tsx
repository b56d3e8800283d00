import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { addList, updateList } from '../../../contract/addresses/contacts.gen.ts';
import { groupForm } from '../../../contract/forms/contact.ts';
import type { List } from '../../../contract/lists.ts';
import { fieldMessages, genericMessage, shownMessage } from '../../api.ts';
import { useCall } from '../../queries/calls.ts';
import { ColorField } from '../../ui/color-field.tsx';
import { freeColor } from '../../ui/colors.ts';
import { TextField } from '../../ui/field.tsx';
import { DialogForm, FormDialog } from '../../ui/form-dialog.tsx';
import { freshenContacts } from '../list/contacts-queries.ts';
import { PhoneListId, phoneListIdProblem } from './phone-list-id.tsx';

interface GroupDialogProps {
  isOpen: boolean;
  /** The group to edit; without it a new one is created. */
  list: List | undefined;
  /** All groups and segments, because names must be unique. */
  lists: readonly List[];
  onClose: () => void;
}

/** A group's name and color, and its list ID. */
export function GroupDialog({ isOpen, onClose, ...rest }: GroupDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} width={440}>
      <GroupForm onClose={onClose} {...rest} />
    </FormDialog>
  );
}

function GroupForm({ list, lists, onClose }: Omit<GroupDialogProps, 'isOpen'>) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const add = useCall(addList);
  const update = useCall(updateList);
  const [color, setColor] = useState(list?.Color ?? freeColor(lists));
  const [phoneId, setPhoneId] = useState(list?.PhoneListID ?? '');
  const [phoneIdRefusal, setPhoneIdRefusal] = useState<string>();
  const [refusal, setRefusal] = useState('');
  const existing = lists.filter(({ ListID }) => ListID !== list?.ListID).map(({ ListName }) => ListName);
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(groupForm({ existing })),
    defaultValues: { ListName: list?.ListName ?? '' },
  });
  const submit = handleSubmit(async ({ ListName }) => {
    setRefusal('');
    const phoneIdProblem = phoneListIdProblem(phoneId, lists, list?.ListID);
    setPhoneIdRefusal(phoneIdProblem);
    if (phoneIdProblem !== undefined) return;
    const body = { ListName, Color: color, PhoneListID: phoneId };
    try {
      if (list) await update.mutateAsync({ params: { ListID: list.ListID }, body });
      const made = list ? undefined : await add.mutateAsync({ body });
      freshenContacts(client);
      onClose();
      if (made) void navigate({ to: '/contacts/group/$listId', params: { listId: made.ListID }, search: {} });
    } catch (error) {
      const { ListName: message, PhoneListID } = fieldMessages(error);
      const generic = genericMessage(list ? 'updating' : 'adding', { one: 'group', many: 'groups' });
      setPhoneIdRefusal(PhoneListID);
      if (message) setError('ListName', { message });
      else if (PhoneListID !== undefined) return;
      else setRefusal(shownMessage(error, generic));
    }
  });
  return (
    <DialogForm
      title={list ? 'Name and color' : 'New group'}
      problem={refusal}
      action={list ? 'Save' : 'Create group'}
      isDisabled={formState.isSubmitting}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextField
        autoFocus
        label="Group name"
        autoComplete="off"
        error={formState.errors.ListName?.message}
        {...register('ListName')}
      />
      <ColorField value={color} onChange={setColor} />
      <PhoneListId
        value={phoneId}
        error={phoneIdRefusal}
        onChange={(next) => {
          setPhoneId(next);
          setPhoneIdRefusal(undefined);
        }}
      />
    </DialogForm>
  );
}
