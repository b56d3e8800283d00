import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { addContact, updateContact } from '../../../contract/addresses/contacts.gen.ts';
import type { CustomField, WholeContact } from '../../../contract/contacts.ts';
import { ApiError, fieldMessages, genericMessage, shownMessage } from '../../api.ts';
import { useCall } from '../../queries/calls.ts';
import { useUndo } from '../../queries/undo.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { useMakeGroups } from '../groups/use-make-groups.ts';
import { type ContactValues, contactBody, pathOfRefused } from './contact-form-values.ts';
import type { GroupChoice } from './contact-groups-field.tsx';
import { nameOfContact } from './contact-name.ts';
import { freshenContact, undoOfContact } from './contact-queries.ts';

/** The contact who has the phone already. */
export interface Twin {
  message: string;
  personId: number;
}

const noun = { one: 'contact', many: 'contacts' };

/** Saves the form, and shows each refusal at its field. Whatever happens, the form keeps the typed values. */
export function useSaveContact(options: {
  person: WholeContact | undefined;
  fields: readonly CustomField[];
  groups: readonly GroupChoice[];
  setGroups: (groups: GroupChoice[]) => void;
  form: UseFormReturn<ContactValues>;
  onSaved: () => void;
}) {
  const { person, fields, groups, setGroups, form, onSaved } = options;
  const client = useQueryClient();
  const navigate = useNavigate();
  const offerUndo = useUndo();
  const makeGroups = useMakeGroups();
  const add = useCall(addContact);
  const update = useCall(updateContact);
  const [refusal, setRefusal] = useState('');
  const [twin, setTwin] = useState<Twin>();
  const [isMakingGroups, setMakingGroups] = useState(false);

  const tell = (error: unknown) => {
    const doing = person ? 'updating' : 'adding';
    if (error instanceof ApiError && error.status === 422) {
      const message = error.body.Message ?? genericMessage(doing, noun);
      const personId = personOf(error);
      if (personId === undefined) setRefusal(message);
      else setTwin({ message, personId });
      return;
    }
    let isPlaced = false;
    for (const [field, message] of Object.entries(fieldMessages(error))) {
      const path = pathOfRefused(field, fields);
      if (!path) continue;
      form.setError(path, { message }, { shouldFocus: !isPlaced });
      isPlaced = true;
    }
    if (!isPlaced) setRefusal(shownMessage(error, genericMessage(doing, noun)));
  };

  const submit = async (values: ContactValues, { isTwinFine = false } = {}) => {
    setRefusal('');
    setTwin(undefined);
    setMakingGroups(true);
    const made = await makeGroups.make(groups);
    setMakingGroups(false);
    setGroups(made.groups);
    if (!made.isAll) return;
    const body = {
      ...contactBody(values, fields),
      ListIDs: made.groups.flatMap(({ ListID }) => ListID ?? []),
    };
    try {
      if (person) {
        const saved = await update.mutateAsync({ params: { PersonID: person.PersonID }, body });
        offerUndo({ ...undoOfContact, message: `${nameOfContact(saved)} was saved.`, undoId: saved.UndoID });
      } else {
        const { PersonID, ...saved } = await add.mutateAsync({
          body: { ...body, AllowDuplicate: isTwinFine },
        });
        const open = () =>
          void navigate({ to: '/contacts/contact/$personId', params: { personId: PersonID } });
        showSnackbar({
          message: `${nameOfContact(saved)} was added.`,
          action: { label: 'Open', onPress: open },
        });
      }
      freshenContact(client);
      onSaved();
    } catch (error) {
      tell(error);
    }
  };

  return {
    submit,
    refusal,
    twin,
    groupProblem: makeGroups.problem,
    forgetGroupProblem: makeGroups.forgetProblem,
    isSaving: isMakingGroups || add.isPending || update.isPending,
  };
}

function personOf(error: ApiError): number | undefined {
  const data = error.body.ExtendedData;
  if (typeof data !== 'object' || data === null || !('PersonID' in data)) return undefined;
  return typeof data.PersonID === 'number' ? data.PersonID : undefined;
}
