import { useState } from 'react';
import { addList } from '../../../contract/addresses/contacts.gen.ts';
import { fieldMessages, genericMessage, shownMessage } from '../../api.ts';
import { useCall } from '../../queries/calls.ts';
import type { GroupChoice } from '../contact/contact-groups-field.tsx';

/** Creates the chosen groups that don't exist yet; groups created before a failure aren't created again. */
export function useMakeGroups() {
  const add = useCall(addList);
  const [problem, setProblem] = useState<string>();
  const make = async (choices: readonly GroupChoice[]) => {
    setProblem(undefined);
    const groups = [...choices];
    for (const [index, { ListID, ListName }] of choices.entries()) {
      if (ListID !== undefined) continue;
      try {
        const made = await add.mutateAsync({ body: { ListName } });
        groups[index] = { ListID: made.ListID, ListName: made.ListName };
      } catch (error) {
        const generic = genericMessage('adding', { one: 'group', many: 'groups' });
        setProblem(fieldMessages(error).ListName ?? shownMessage(error, generic));
        return { groups, isAll: false };
      }
    }
    return { groups, isAll: true };
  };
  return { make, problem, forgetProblem: () => setProblem(undefined) };
}
