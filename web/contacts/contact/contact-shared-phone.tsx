import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useNavigate } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import { useState } from 'react';
import { listContacts } from '../../../contract/addresses/contacts.gen.ts';
import { type Contact, specialGroups, type WholeContact } from '../../../contract/contacts.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { fullName } from '../../queries/current-user.ts';
import { countOf } from '../../ui/format.ts';
import { RouterLink } from '../../ui/router-link.tsx';
import { MergeDialog } from '../duplicates/merge-dialog.tsx';

/** Number of contacts that are named; the rest are counted. */
const NAMED = 3;

interface SharedPhoneProps {
  person: WholeContact;
  phone: Pick<WholeContact['Phones'][number], 'PhoneNumber' | 'SharedWith'>;
}

/** A family's telephone, or the same person twice: who else has it. */
export function ContactSharedPhone({ person, phone: { PhoneNumber, SharedWith } }: SharedPhoneProps) {
  const navigate = useNavigate();
  const [isMerging, setMerging] = useState(false);
  const { data } = useCallQuery(listContacts, {
    params: { ListID: specialGroups.everyone },
    query: { q: PhoneNumber, pagesize: 20 },
  });
  const others = (data?.Items ?? []).filter(
    (other) => other.PersonID !== person.PersonID && hasPhone(other, PhoneNumber),
  );
  const named = others.slice(0, NAMED);
  const rest = SharedWith - named.length;
  return (
    <Box sx={{ display: 'flex', gap: '6px', mt: 1.5, typography: 'body2', color: 'text.secondary' }}>
      <Box component={Users} size={14} strokeWidth={2} aria-hidden sx={{ flex: 'none', mt: '2px' }} />
      <div>
        Also belongs to{' '}
        {named.map((other, index) => (
          <span key={other.PersonID}>
            {index > 0 && ', '}
            <RouterLink to="/contacts/contact/$personId" params={{ personId: other.PersonID }}>
              {fullName(other) || 'an unnamed contact'}
            </RouterLink>
          </span>
        ))}
        {rest > 0 && `${named.length > 0 ? ' and ' : ''}${countOf(rest, 'other contact', 'other contacts')}`}.{' '}
        {others.length > 0 && !person.IsDeleted && (
          <>
            <Link component="button" type="button" onClick={() => setMerging(true)}>
              Merge
            </Link>
            <MergeDialog
              open={isMerging}
              contacts={[person, ...others]}
              onClose={() => setMerging(false)}
              onMerged={({ PersonID }) => {
                setMerging(false);
                // The merge kept another contact, so this page's contact is gone.
                if (PersonID !== person.PersonID)
                  void navigate({ to: '/contacts/contact/$personId', params: { personId: PersonID } });
              }}
            />
          </>
        )}
      </div>
    </Box>
  );
}

function hasPhone({ PrimaryPhone, SecondaryPhone, TertiaryPhone }: Contact, phone: string): boolean {
  return [PrimaryPhone, SecondaryPhone, TertiaryPhone].includes(phone);
}
