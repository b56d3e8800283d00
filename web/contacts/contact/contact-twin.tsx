import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { getContact } from '../../../contract/addresses/contacts.gen.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { fullName } from '../../queries/current-user.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RouterButton } from '../../ui/router-button.tsx';
import { nameOfContact } from './contact-name.ts';
import type { Twin } from './use-save-contact.ts';

interface ContactTwinProps {
  twin: Twin;
  /** Two people may share a phone. Not offered when a contact is edited. */
  onAddAnyway: (() => void) | undefined;
  onClose: () => void;
}

/** Another contact has this phone already: shows who, and the possible actions. */
export function ContactTwin({ twin: { message, personId }, onAddAnyway, onClose }: ContactTwinProps) {
  return (
    <Notice kind="warning" title={message}>
      <Who personId={personId} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 1.25 }}>
        <RouterButton size="small" to="/contacts/contact/$personId" params={{ personId }} onClick={onClose}>
          Open existing contact
        </RouterButton>
        {onAddAnyway && (
          <Button size="small" variant="text" onClick={onAddAnyway}>
            Add anyway
          </Button>
        )}
      </Box>
    </Notice>
  );
}

function Who({ personId }: { personId: number }) {
  const { data } = useCallQuery(getContact, { params: { PersonID: personId } });
  if (!data) return null;
  const groups = data.Lists.map(({ ListName }) => ListName).join(', ');
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.25, mt: 1 }}>
      <Avatar name={fullName(data)} size={30} />
      <Box sx={{ minWidth: 0 }}>
        <Typography sx={{ fontWeight: 520, overflowWrap: 'anywhere' }}>{nameOfContact(data)}</Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {[formatPhone(data.PrimaryPhone), groups].filter((part) => part !== '').join(' · ')}
        </Typography>
      </Box>
    </Box>
  );
}
