import Box from '@mui/material/Box';
import Tooltip from '@mui/material/Tooltip';
import { Ban, Check, Circle, type LucideIcon, PhoneOff } from 'lucide-react';
import type { Contact } from '../../../contract/contacts.ts';
import { isTextStatusCode, textStatuses } from '../../../contract/delivery/text-status.ts';
import { StatusMark } from '../../pieces/texts/status-mark.tsx';
import { consentNames } from '../list/contacts-view.ts';

interface State {
  icon: LucideIcon;
  word: string;
  /** Good states color only the icon, bad ones the icon and the word. */
  glyph: string;
  ink: string;
  meaning: string;
}

const states = {
  none: {
    icon: PhoneOff,
    word: 'No phone',
    glyph: 'ink.three',
    ink: 'text.secondary',
    meaning: 'This contact has no phone number.',
  },
  out: {
    icon: Ban,
    word: consentNames.optedout,
    glyph: 'warning.main',
    ink: 'warning.main',
    meaning: textStatuses.opted_out.tooltip,
  },
  unfit: {
    icon: PhoneOff,
    word: 'Can’t be texted',
    glyph: 'warning.main',
    ink: 'warning.main',
    meaning: 'This number can’t receive texts.',
  },
  in: {
    icon: Check,
    word: consentNames.optedin,
    glyph: 'success.main',
    ink: 'text.secondary',
    meaning: 'This person has agreed to get texts.',
  },
  notAsked: {
    icon: Circle,
    word: consentNames.notasked,
    glyph: 'ink.three',
    ink: 'text.secondary',
    meaning: 'There is no record that this person agreed to get texts or opted out.',
  },
} satisfies Record<string, State>;

type Shown = Pick<
  Contact,
  | 'PrimaryPhone'
  | 'PrimaryPhoneOptedIn'
  | 'PrimaryPhoneOptedOut'
  | 'PrimaryPhoneTextable'
  | 'PrimaryPhoneError'
  | 'LastTextStatus'
  | 'LastTextTimestamp'
>;

function stateOf(contact: Shown): State {
  if (contact.PrimaryPhone === '') return states.none;
  if (contact.PrimaryPhoneOptedOut) return states.out;
  if (!contact.PrimaryPhoneTextable)
    return { ...states.unfit, meaning: contact.PrimaryPhoneError || states.unfit.meaning };
  if (contact.PrimaryPhoneOptedIn) return states.in;
  return { ...states.notAsked, meaning: contact.PrimaryPhoneError || states.notAsked.meaning };
}

/** Shows whether a contact can be texted: their consent, or the problem of the last text. */
export function TextingState({ contact }: { contact: Shown }) {
  const { LastTextStatus, PrimaryPhoneOptedOut } = contact;
  const hasFailed = isTextStatusCode(LastTextStatus) && textStatuses[LastTextStatus].kind === 'bad';
  // An opt-out says more than the text that was refused because of it.
  if (hasFailed && !PrimaryPhoneOptedOut)
    return <StatusMark status={LastTextStatus} at={contact.LastTextTimestamp} />;
  const { icon: Icon, word, glyph, ink, meaning } = stateOf(contact);
  return (
    <Tooltip describeChild title={meaning}>
      <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: '6px', color: ink }}>
        <Box component="span" sx={{ display: 'inline-flex', color: glyph }}>
          <Icon size={14} strokeWidth={2} aria-hidden />
        </Box>
        {word}
      </Box>
    </Tooltip>
  );
}
