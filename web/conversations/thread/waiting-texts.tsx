import Box from '@mui/material/Box';
import { CalendarClock } from 'lucide-react';
import { listScheduledConversations } from '../../../contract/addresses/scheduled.gen.ts';
import type { Conversation } from '../../../contract/conversations.ts';
import { spokenStart } from '../../pieces/broadcasts/start-words.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { useTimeZone } from '../../queries/current-user.ts';
import { useNow } from '../../ui/now.ts';
import { RouterLink } from '../../ui/router-link.tsx';

/** The socket reports changes. */
const KEPT_MS = 300_000;

/** Texts scheduled for this contact: when the next one goes out, with a link to all. */
export function WaitingTexts({
  conversation: { PhoneNumber, TextNumberID },
}: {
  conversation: Conversation;
}) {
  const now = useNow();
  const zone = useTimeZone();
  const query = { q: PhoneNumber, textNumberId: TextNumberID, sortby: 'startdate' } as const;
  const found = useCallQuery(listScheduledConversations, { query }, { staleTime: KEPT_MS }).data?.Items ?? [];
  // The search also matches the number inside texts to others.
  const waiting = found.filter(({ Contacts }) => Contacts.some((one) => one.PhoneNumber === PhoneNumber));
  const [next] = waiting;
  if (!next) return null;
  const when = spokenStart(next.StartDate, now, zone);
  return (
    <Box
      role="status"
      sx={{
        display: 'flex',
        alignItems: 'center',
        flexWrap: 'wrap',
        gap: '2px 8px',
        px: { xs: '14px', tablet: 3 },
        pb: 1,
        typography: 'caption',
        color: 'text.secondary',
      }}
    >
      <CalendarClock size={14} strokeWidth={2} aria-hidden />
      {waiting.length === 1
        ? `A text goes out ${when}.`
        : `${waiting.length} texts are scheduled. The next one goes out ${when}.`}
      <RouterLink
        to="/inbox/scheduled-conversations"
        search={{ q: PhoneNumber, textNumberId: TextNumberID }}
        sx={{ lineHeight: '24px' }}
      >
        Show
      </RouterLink>
    </Box>
  );
}
