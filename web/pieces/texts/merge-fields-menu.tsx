import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { listCustomFields } from '../../../contract/addresses/contacts.gen.ts';
import { contactMergeFields, mergeFieldOf } from '../../../contract/text/merge-fields.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { say } from '../../ui/say.ts';
import type { useMenu } from '../../ui/use-menu.ts';

const fieldNames: Record<(typeof contactMergeFields)[number], string> = {
  FirstName: 'First Name',
  LastName: 'Last Name',
  FullName: 'Full Name',
  Notes: say('Notes'),
  PhoneNumber: 'Phone Number',
};

interface MergeFieldsMenuProps {
  menu: ReturnType<typeof useMenu>;
  /** With its braces, as written in a text. */
  onChoose: (field: string) => void;
}

/** The fields of every contact, and the organization's custom fields. */
export function MergeFieldsMenu({ menu, onChoose }: MergeFieldsMenuProps) {
  const custom = useCallQuery(listCustomFields, {}, { enabled: menu.menuProps.open });
  const names = [
    ...contactMergeFields.map((token) => [token, fieldNames[token]] as const),
    ...(custom.data?.Items ?? []).map(({ Name }) => [mergeFieldOf(Name), Name] as const),
  ];
  return (
    <Menu {...menu.menuProps}>
      {names.map(([token, name]) => (
        <MenuItem key={token} onClick={menu.choose(() => onChoose(`{{${token}}}`))}>
          {name}
        </MenuItem>
      ))}
    </Menu>
  );
}
