import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Tooltip from '@mui/material/Tooltip';
import { useNavigate } from '@tanstack/react-router';
import { MessageSquare } from 'lucide-react';
import { listContactHistory } from '../../../contract/addresses/contacts.gen.ts';
import type { WholeContact } from '../../../contract/contacts.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { useCallPages } from '../../queries/calls.ts';
import { say } from '../../ui/say.ts';
import { useMenu } from '../../ui/use-menu.ts';

/** Opens the conversation with a phone, or starts one. If there are several phones, the user chooses one. */
export function ContactText({ person }: { person: WholeContact }) {
  const { choose, buttonProps, menuProps } = useMenu();
  const open = useOpenConversation(person.PersonID);
  const phones = person.Phones.filter(({ PhoneError }) => PhoneError === '');
  const [first] = phones;
  const button = (
    <Button
      variant="contained"
      color="primary"
      startIcon={<MessageSquare aria-hidden />}
      disabled={!first}
      {...(phones.length > 1 ? buttonProps : { onClick: () => first && open(first.PhoneNumber) })}
    >
      {say('Text', 'button')}
    </Button>
  );
  return (
    <>
      {first ? (
        button
      ) : (
        <Tooltip title={person.Phones[0]?.PhoneError ?? 'This contact has no phone number.'}>
          <span>{button}</span>
        </Tooltip>
      )}
      <Menu {...menuProps}>
        {phones.map(({ PhoneNumber }) => (
          <MenuItem key={PhoneNumber} onClick={choose(() => open(PhoneNumber))}>
            {formatPhone(PhoneNumber)}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}

/** The latest conversation in the history for the phone; without one, the inbox starts a new one. */
function useOpenConversation(personId: number): (phone: string) => void {
  const navigate = useNavigate();
  const { data } = useCallPages(listContactHistory, { params: { PersonID: personId } });
  return (phone) => {
    const known = data?.pages
      .flatMap(({ Items }) => Items)
      .find((item) => item.PhoneNumber === phone && item.ConversationID !== null);
    if (known?.ConversationID) {
      const conversationId = known.ConversationID;
      void navigate({ to: '/inbox/$conversationId', params: { conversationId } });
    } else void navigate({ to: '/inbox', search: { compose: true, to: phone } });
  };
}
