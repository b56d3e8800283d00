import { specialGroups } from '../../contract/contacts.ts';
import { RouterButton } from '../ui/router-button.tsx';

/** To the group that was imported into, or to all contacts. */
export function SeeContacts({ listId }: { listId: number | null }) {
  const look = { variant: 'contained', color: 'primary', children: 'See the contacts' } as const;
  return listId !== null && listId > specialGroups.everyone ? (
    <RouterButton to="/contacts/group/$listId" params={{ listId }} search={{}} {...look} />
  ) : (
    <RouterButton to="/contacts" search={{}} {...look} />
  );
}
