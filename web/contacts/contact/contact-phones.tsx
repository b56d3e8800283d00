import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { Ban, Check, CircleDashed, type LucideIcon, Phone, PhoneOff } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import {
  downloadConsentEvents,
  getPhoneNumber,
  listConsentEvents,
} from '../../../contract/addresses/consents.gen.ts';
import type { Reply } from '../../../contract/call.ts';
import type { ConsentEvent } from '../../../contract/consents.ts';
import type { getContact, WholeContact } from '../../../contract/contacts.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { callApi } from '../../api.ts';
import { consentWording, consentWords } from '../../pieces/consents/consent-words.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { Card } from '../../ui/card.tsx';
import { downloadUrl } from '../../ui/download-url.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { say } from '../../ui/say.ts';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { visuallyHidden } from '../../ui/visually-hidden.ts';
import { ConsentDialog, type ConsentQuestion } from './consent-dialog.tsx';
import { standingEvent } from './consent-standing.ts';
import { freshenContact } from './contact-queries.ts';
import { ContactSharedPhone } from './contact-shared-phone.tsx';

type ContactPhone = Reply<typeof getContact>['Phones'][number];

/** Each phone: whether it can be texted, and its owner's consent, with the evidence. */
export function ContactPhones({ person, onEdit }: { person: WholeContact; onEdit: () => void }) {
  const [question, setQuestion] = useState<ConsentQuestion>();
  return (
    <Card title="Phones and consent">
      {person.Phones.length === 0 && (
        <EmptyState
          icon={PhoneOff}
          title="No phone"
          action={!person.IsDeleted && <Button onClick={onEdit}>Add a phone</Button>}
        >
          Add a phone number to text or call this contact.
        </EmptyState>
      )}
      {person.Phones.map((phone, index) => (
        <PhoneSection
          key={phone.PhoneNumber}
          person={person}
          phone={phone}
          isFirst={index === 0}
          onAsk={setQuestion}
        />
      ))}
      <ConsentDialog question={question} onClose={() => setQuestion(undefined)} />
    </Card>
  );
}

interface PhoneSectionProps {
  person: WholeContact;
  phone: ContactPhone;
  isFirst: boolean;
  onAsk: (question: ConsentQuestion) => void;
}

function PhoneSection({ person, phone, isFirst, onAsk }: PhoneSectionProps) {
  const { PhoneNumber, PhoneTextOptInStatus, DoNotCallPhone } = phone;
  const events = useCallQuery(listConsentEvents, { params: { Number: PhoneNumber } }).data?.Items ?? [];
  const ofTexts = standingEvent(events, 'text');
  const ofCalls = standingEvent(events, 'voice');
  const calls = DoNotCallPhone ? 'out' : ofCalls?.State === 'in' ? 'in' : 'none';
  const texts = ({ OptedIn: 'in', OptedOut: 'out', None: 'none' } as const)[PhoneTextOptInStatus];
  const shown = formatPhone(PhoneNumber);
  const ask = (state: 'in' | 'out') => onAsk({ phone: PhoneNumber, state, texts, calls });
  return (
    <Box
      component="section"
      aria-label={shown}
      sx={{ px: 2.5, py: 2, borderTop: isFirst ? 0 : '1px solid', borderColor: 'line.hair' }}
    >
      <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1, mb: '2px' }}>
        <Typography variant="h3" sx={{ flex: 1 }}>
          {shown}
        </Typography>
        {isFirst && person.Phones.length > 1 && (
          <Typography variant="caption" sx={{ color: 'text.secondary' }}>
            Primary
          </Typography>
        )}
      </Box>
      <Reach phone={phone} />
      <Box sx={{ display: 'grid', gap: '6px', mt: 1.5 }}>
        <Consent name={say('Texts')} state={texts} event={ofTexts} />
        <Consent name={say('Calls')} state={calls} event={ofCalls} />
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, mt: 1.5 }}>
        {(texts !== 'out' || calls !== 'out') && (
          <Button size="small" onClick={() => ask('out')}>
            Opt out
          </Button>
        )}
        {(texts !== 'in' || calls !== 'in') && (
          <Button size="small" onClick={() => ask('in')}>
            Opt in
          </Button>
        )}
        <Box sx={{ flex: 1 }} />
        {events.length > 0 && (
          <Link
            variant="body2"
            href={downloadUrl(downloadConsentEvents, { params: { Number: PhoneNumber } })}
            download
          >
            Download evidence
            <span style={visuallyHidden}> for {shown}</span>
          </Link>
        )}
      </Box>
      {phone.SharedWith > 0 && <ContactSharedPhone person={person} phone={phone} />}
    </Box>
  );
}

const lineTypes: Record<string, string> = {
  mobile: say('Mobile'),
  landline: say('Landline'),
  voip: 'Internet phone (VoIP)',
  tollfree: say('Toll-free'),
  other: 'Other line type',
  unknown: 'Unknown line type',
};

/** Shows whether the phone can be texted, and its line type; if that isn't known, it can be looked up. */
function Reach({
  phone: { PhoneNumber, PhoneTextable, PhoneError, LineType, CarrierName },
}: {
  phone: ContactPhone;
}) {
  const isBad = PhoneError !== '';
  const line = [lineTypes[LineType] ?? LineType, CarrierName].filter((part) => part !== '').join(', ');
  return (
    <Box sx={{ typography: 'body2', color: 'text.secondary' }}>
      <State
        icon={isBad ? PhoneOff : Phone}
        glyph={isBad ? 'error.main' : 'success.main'}
        ink={isBad ? 'error.main' : 'text.secondary'}
      >
        {isBad ? PhoneError : PhoneTextable ? 'Can be texted' : 'Can’t be texted'}
      </State>
      <Box sx={{ pl: '20px' }}>{line || <LookUp phone={PhoneNumber} />}</Box>
    </Box>
  );
}

function LookUp({ phone }: { phone: string }) {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const lookUp = async () => {
    setAsking(true);
    try {
      await callApi(
        getPhoneNumber,
        { params: { Number: phone }, query: { include: 'all' } },
        { missing: 'refuse' },
      );
      freshenContact(client);
    } catch {
      showSnackbar('There was an error looking up your phone number.');
    } finally {
      setAsking(false);
    }
  };
  return (
    <>
      Line type not checked yet.{' '}
      <Link component="button" type="button" disabled={isAsking} onClick={() => void lookUp()}>
        Check now
      </Link>
    </>
  );
}

interface StateProps {
  icon: LucideIcon;
  glyph: string;
  ink: string;
  children: ReactNode;
}

function State({ icon: Icon, glyph, ink, children }: StateProps) {
  return (
    <Box component="span" sx={{ display: 'flex', alignItems: 'flex-start', gap: '6px', color: ink }}>
      <Box component="span" sx={{ display: 'inline-flex', color: glyph, mt: '2px' }}>
        <Icon size={14} strokeWidth={2} aria-hidden />
      </Box>
      <span>{children}</span>
    </Box>
  );
}

/** Good states color only the icon; an opt-out colors both. */
const looks = {
  in: { word: 'Opted in', icon: Check, glyph: 'success.main', ink: 'text.secondary' },
  out: { word: 'Opted out', icon: Ban, glyph: 'error.main', ink: 'error.main' },
  none: { word: 'Not asked', icon: CircleDashed, glyph: 'ink.three', ink: 'text.secondary' },
} as const;

interface ConsentProps {
  name: string;
  state: keyof typeof looks;
  event: ConsentEvent | undefined;
}

function Consent({ name, state, event }: ConsentProps) {
  const { word, ...look } = looks[state];
  const wording = event && consentWording(event);
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: '56px minmax(0, 1fr)', typography: 'body2' }}>
      <span>{name}</span>
      <div>
        <State {...look}>{word}</State>
        {event?.State === state && (
          <Typography
            variant="caption"
            component="div"
            sx={{ color: 'text.secondary', pl: '20px', overflowWrap: 'anywhere' }}
          >
            {consentWords(event)}, <RelativeTime at={event.Timestamp} />
            {wording && <div>“{wording}”</div>}
          </Typography>
        )}
      </div>
    </Box>
  );
}
