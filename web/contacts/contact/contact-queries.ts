import type { QueryClient } from '@tanstack/react-query';
import { getPhoneNumber, listConsentEvents, listOptOuts } from '../../../contract/addresses/consents.gen.ts';
import {
  listContactHistory,
  listCustomFields,
  undoContacts,
} from '../../../contract/addresses/contacts.gen.ts';
import type { CustomField } from '../../../contract/contacts.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { freshenContacts } from '../list/contacts-queries.ts';

/** After a change of ours: all queries that show contacts, groups, their history or consents. */
export function freshenContact(client: QueryClient): void {
  freshenContacts(client);
  for (const call of [listContactHistory, listConsentEvents, listOptOuts, getPhoneNumber])
    void client.invalidateQueries({ queryKey: [call.path] });
}

/** The Undo that every change of a contact offers: see useUndo. */
export const undoOfContact = { undo: undoContacts, thing: 'contact', onUndone: freshenContact } as const;

export function useCustomFields(): readonly CustomField[] {
  return useCallQuery(listCustomFields, {}).data?.Items ?? noFields;
}
const noFields: readonly CustomField[] = [];
