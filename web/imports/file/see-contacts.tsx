import { specialGroups } from '../../../contract/contacts.ts';
import { RouterButton } from '../../ui/router-button.tsx';

/** A link to the group that was imported into, or to all contacts. */
export function SeeContacts({
  listId,
  isSecond = false,
}: {
  listId: number | null;
  /** Another action is the primary one. */
  isSecond?: boolean;
}) {
  const look = isSecond
    ? ({ variant: 'outlined', color: 'inherit', children: 'See the contacts' } as const)
    : ({ variant: 'contained', color: 'primary', children: 'See the contacts' } as const);
  return listId !== null && listId > specialGroups.everyone ? (
    <RouterButton to="/contacts/group/$listId" params={{ listId }} search={{}} {...look} />
  ) : (
    <RouterButton to="/contacts" search={{}} {...look} />
  );
}
