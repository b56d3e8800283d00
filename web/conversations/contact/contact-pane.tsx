import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { Ban, Check, CircleDashed, Copy, X } from 'lucide-react';
import { memo, useEffect, useState } from 'react';
import type { Conversation } from '../../../contract/conversations.ts';
import type { MediaItem } from '../../../contract/media.ts';
import type { TextNumber } from '../../../contract/numbers.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { domesticDigits } from '../../../contract/phone/normalize-phone.ts';
import { useTimeZone } from '../../queries/current-user.ts';
import { useThread } from '../../queries/thread.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { formatTime, zoneName } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { say } from '../../ui/say.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { knownName, nameOf } from '../names.ts';
import { PictureDialog, PictureThumb } from '../thread/picture.tsx';
import { type ContactDialog, Groups, RecentBroadcasts, useContactCard } from './contact-known.tsx';
import { Detail, Row, Section } from './pane-section.tsx';

interface ContactPaneProps {
  conversation: Conversation;
  numbers: readonly TextNumber[];
  dialog: ContactDialog;
  /** Set when the pane covers the page. */
  onClose?: () => void;
}

/** Details of the person in this conversation, from the conversation and the contact. */
export function ContactPane({ conversation, numbers, dialog, onClose }: ContactPaneProps) {
  const card = useContactCard(conversation, dialog);
  const { person } = card;
  const { PhoneNumber, Notes } = conversation;
  const phone = formatPhone(PhoneNumber);
  const known = knownName(conversation);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(phone);
      showSnackbar(`Copied ${phone}.`);
    } catch {
      showSnackbar(`Your browser didn’t allow copying. The number is ${phone}.`);
    }
  };
  return (
    <>
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 1.25,
          minHeight: 60,
          pl: 2.5,
          pr: '12px',
          borderBottom: '1px solid',
          borderColor: 'line.hair',
        }}
      >
        <Avatar name={known} />
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography variant="h6" component="h2" noWrap>
            {nameOf(conversation)}
          </Typography>
          {known !== '' && (
            <Typography variant="body2" component="div" noWrap sx={{ color: 'text.secondary' }}>
              {phone}
            </Typography>
          )}
        </Box>
        <Tooltip title="Copy the number">
          <IconButton aria-label="Copy the number" onClick={() => void copy()}>
            <Copy />
          </IconButton>
        </Tooltip>
        {onClose && (
          <IconButton aria-label="Close" onClick={onClose}>
            <X />
          </IconButton>
        )}
      </Box>
      <Box sx={{ flex: 1, minHeight: 0, overflowY: 'auto' }}>
        {card.add}
        <Section title="Consent" action={card.history}>
          <Row name={say('Texts')}>
            <Consent conversation={conversation} />
          </Row>
          {card.evidence !== '' && (
            <Typography variant="caption" component="div" sx={{ color: 'text.secondary', mt: '2px' }}>
              {card.evidence}
            </Typography>
          )}
        </Section>
        {person && <Groups person={person} onAdd={card.edit} />}
        <Details conversation={conversation} numbers={numbers} card={card} />
        {Notes.trim() !== '' && (
          <Section title="Notes" action={card.editLink(say('notes'))}>
            <Typography sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{Notes}</Typography>
          </Section>
        )}
        <Pictures conversationId={conversation.ConversationID} />
        <RecentBroadcasts conversationId={conversation.ConversationID} />
      </Box>
      {card.dialog}
    </>
  );
}

/** Good statuses color only the icon; an opt-out colors both. */
function Consent({ conversation: { OptedIn, OptedOut } }: { conversation: Conversation }) {
  const state = OptedOut
    ? { word: 'Opted out', Glyph: Ban, glyph: 'error.main', ink: 'error.main' }
    : OptedIn
      ? { word: 'Opted in', Glyph: Check, glyph: 'success.main', ink: 'text.secondary' }
      : { word: 'No record', Glyph: CircleDashed, glyph: 'ink.three', ink: 'text.secondary' };
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: '6px', color: state.ink }}>
      <Box component="span" sx={{ display: 'inline-flex', color: state.glyph }}>
        <state.Glyph size={14} strokeWidth={2} aria-hidden />
      </Box>
      {state.word}
    </Box>
  );
}

interface DetailsProps {
  conversation: Conversation;
  numbers: readonly TextNumber[];
  card: ReturnType<typeof useContactCard>;
}

function Details({ conversation, numbers, card }: DetailsProps) {
  const ownZone = useTimeZone();
  const now = useNow();
  const zones = useZonesOfPhone(conversation.PhoneNumber);
  const number = numbers.find(({ TextNumberID }) => TextNumberID === conversation.TextNumberID);
  const lastViewer = [...conversation.Views].sort((a, b) => b.LastViewTime.localeCompare(a.LastViewTime))[0];
  return (
    <Section title="Details" action={card.editLink(say('details'))}>
      <Box
        component="dl"
        sx={{
          display: 'grid',
          gridTemplateColumns: '88px 1fr',
          rowGap: '7px',
          columnGap: 1,
          m: 0,
          typography: 'body2',
        }}
      >
        {Object.entries(card.person?.CustomData ?? {}).map(([name, value]) => (
          <Detail key={name} name={name}>
            {value}
          </Detail>
        ))}
        {zones.length > 0 && <Detail name="Local time">{localTimes(zones, ownZone, now)}</Detail>}
        {number && (
          <Detail name="Writes to">
            {number.Name.trim() !== '' && <div>{number.Name}</div>}
            <Box sx={{ whiteSpace: 'nowrap' }}>{formatPhone(number.TextPhoneNumber)}</Box>
          </Detail>
        )}
        {conversation.LastMessage && (
          <Detail name="Last message">
            <RelativeTime at={conversation.LastMessage.CreateTimestamp} />
          </Detail>
        )}
        <FirstMessage conversationId={conversation.ConversationID} />
        {lastViewer && (
          <Detail name="Last seen by">
            {lastViewer.Name}, <RelativeTime at={lastViewer.LastViewTime} />
          </Detail>
        )}
      </Box>
    </Section>
  );
}

function FirstMessage({ conversationId }: { conversationId: number }) {
  const { thread, messages } = useThread(conversationId);
  // Threads load from the end, so the first text is known only once everything is loaded.
  const first = thread.hasNextPage ? undefined : messages.at(-1);
  if (!first) return null;
  return (
    <Detail name="First message">
      <RelativeTime at={first.CreateTimestamp} />
    </Detail>
  );
}

/** The contact's local time: "10:42 AM", "9:42 AM, Central", or both where an area code spans two zones. */
function localTimes(zones: readonly string[], ownZone: string, now: number): string {
  const times = new Map<string, string>();
  for (const zone of zones) {
    const time = formatTime(now, zone);
    if (!times.has(time)) times.set(time, zoneName(zone).replace(' Time', ''));
  }
  const [[time, zone] = ['', '']] = times;
  if (times.size === 1) return time === formatTime(now, ownZone) ? time : `${time}, ${zone}`;
  return [...times].map((one) => one.join(' ').replaceAll(' ', '\u00a0')).join(say(' or '));
}

/** Time zones for the phone's area code; empty if unknown. */
function useZonesOfPhone(phone: string): readonly string[] {
  const [found, setFound] = useState<{ phone: string; zones: readonly string[] }>();
  useEffect(() => {
    let isCurrent = true;
    // The area code table is large, and only this line needs it.
    import('../../../contract/phone/area-codes.ts').then(
      ({ zonesOfAreaCode }) => {
        const ten = domesticDigits(phone);
        if (isCurrent) setFound({ phone, zones: ten.length === 10 ? zonesOfAreaCode(ten.slice(0, 3)) : [] });
      },
      // If it fails to load, the pane omits the line.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [phone]);
  return found?.phone === phone ? found.zones : noZones;
}
const noZones: readonly string[] = [];

const Pictures = memo(function Pictures({ conversationId }: { conversationId: number }) {
  const { messages } = useThread(conversationId);
  const [open, setOpen] = useState<MediaItem>();
  const pictures = messages.flatMap(({ TextMessageID, Media }) =>
    // The same picture may be sent twice.
    Media.map((picture) => ({ key: `${TextMessageID}-${picture.mediaId}`, picture })),
  );
  if (pictures.length === 0) return null;
  return (
    <Section title="Pictures" count={pictures.length}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        {pictures.map(({ key, picture }) => (
          <PictureThumb key={key} picture={picture} size="pane" onOpen={() => setOpen(picture)} />
        ))}
      </Box>
      <PictureDialog picture={open} onClose={() => setOpen(undefined)} />
    </Section>
  );
});
