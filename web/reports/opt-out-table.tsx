import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { Ban } from 'lucide-react';
import type { OptOut } from '../../contract/consents.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { consentWording, consentWords } from '../pieces/consents/consent-words.ts';
import { fullName } from '../queries/current-user.ts';
import { Avatar } from '../ui/avatar.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { RouterLink } from '../ui/router-link.tsx';
import { say } from '../ui/say.ts';

/** A phone shared by several contacts has a row for each. */
const keyOf = ({ PhoneNumber, PersonID }: OptOut) => `${PhoneNumber} ${PersonID ?? ''}`;

export function OptOutTable({ items }: { items: readonly OptOut[] }) {
  return (
    <Table sx={{ tableLayout: 'fixed', '& tr:last-of-type td': { borderBottom: 0 } }}>
      <TableHead>
        <TableRow>
          <TableCell sx={{ width: '24%' }}>Contact</TableCell>
          <TableCell sx={{ width: 150 }}>Phone</TableCell>
          <TableCell sx={{ width: 140 }}>Texts</TableCell>
          <TableCell sx={{ width: 140 }}>Calls</TableCell>
          <TableCell>How</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {items.map((item) => (
          <TableRow key={keyOf(item)}>
            <TableCell>
              <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.25, minWidth: 0 }}>
                <Avatar name={fullName(item)} size={26} />
                <Who item={item} />
              </Box>
            </TableCell>
            <TableCell sx={{ whiteSpace: 'nowrap', color: 'text.secondary' }}>
              {formatPhone(item.PhoneNumber)}
            </TableCell>
            <TableCell>{item.TextOptedOut && <OptedOut at={item.TextTimestamp} />}</TableCell>
            <TableCell>{item.VoiceOptedOut && <OptedOut at={item.VoiceTimestamp} />}</TableCell>
            <TableCell sx={{ color: 'text.secondary' }}>
              <Typography noWrap title={howOf(item)}>
                {howOf(item)}
              </Typography>
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

/** The rows on a phone: two lines each. */
export function OptOutRows({ items }: { items: readonly OptOut[] }) {
  return (
    <Box component="ul" sx={{ listStyle: 'none', p: 0 }}>
      {items.map((item) => (
        <Box
          key={keyOf(item)}
          component="li"
          sx={{
            display: 'flex',
            gap: 1.5,
            px: 2.5,
            py: 1.25,
            borderTop: '1px solid',
            borderColor: 'line.hair',
            '&:first-of-type': { borderTop: 0 },
          }}
        >
          <Avatar name={fullName(item)} size={36} />
          <Box sx={{ flex: 1, minWidth: 0 }}>
            <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 1 }}>
              <Who item={item} />
              <Typography variant="body2" sx={{ flex: 'none', color: 'text.secondary' }}>
                {formatPhone(item.PhoneNumber)}
              </Typography>
            </Box>
            <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, typography: 'body2' }}>
              {item.TextOptedOut && <OptedOut of={say('Texts')} at={item.TextTimestamp} />}
              {item.VoiceOptedOut && <OptedOut of={say('Calls')} at={item.VoiceTimestamp} />}
            </Box>
            <Typography
              variant="caption"
              component="p"
              sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}
            >
              {howOf(item)}
            </Typography>
          </Box>
        </Box>
      ))}
    </Box>
  );
}

function Who({ item }: { item: OptOut }) {
  const name = fullName(item);
  if (item.PersonID === null)
    return (
      <Typography noWrap sx={{ color: 'text.secondary' }}>
        Not in contacts
      </Typography>
    );
  return (
    <RouterLink
      noWrap
      to="/contacts/contact/$personId"
      params={{ personId: item.PersonID }}
      color="text.primary"
      sx={{ fontWeight: 520, minWidth: 0 }}
    >
      {name || formatPhone(item.PhoneNumber)}
    </RouterLink>
  );
}

/** An opt-out colors the icon and the word, so that nobody overlooks it. */
function OptedOut({ of, at }: { of?: string; at: string | null }) {
  return (
    <Box component="span" sx={{ display: 'flex', alignItems: 'center', gap: '6px', color: 'error.main' }}>
      <Ban size={13} strokeWidth={2} aria-hidden />
      <span>
        {of && `${of}: `}
        {at ? <RelativeTime at={at} /> : 'Opted out'}
      </span>
    </Box>
  );
}

function howOf(item: OptOut): string {
  const wording = consentWording(item);
  return [consentWords(item), wording && `“${wording}”`].filter((part) => part !== '').join(': ');
}
