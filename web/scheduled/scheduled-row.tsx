import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { CircleX, type LucideIcon, Pencil, Send } from 'lucide-react';
import type { TextNumber } from '../../contract/numbers.ts';
import type { ScheduledConversation } from '../../contract/scheduled.ts';
import { spokenStart, startWords } from '../pieces/broadcasts/start-words.ts';
import { textNumberName } from '../pieces/numbers/text-number-names.ts';
import { useCan, useTimeZone } from '../queries/current-user.ts';
import { formatAbsolute } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { useNow } from '../ui/now.ts';
import { say } from '../ui/say.ts';
import { visuallyHidden } from '../ui/visually-hidden.ts';
import { ScheduledRecipients } from './scheduled-recipients.tsx';
import { peopleWords, stateOf } from './scheduled-words.ts';
import { StateChip } from './state-chip.tsx';

export type RowAction = 'edit' | 'send' | 'cancel';

interface ScheduledRowProps {
  one: ScheduledConversation;
  numbers: readonly TextNumber[];
  onAct: (action: RowAction, one: ScheduledConversation) => void;
}

/** One scheduled text: time, text, recipients, sender, and its actions or result. */
export function ScheduledRow({ one, numbers, onAct }: ScheduledRowProps) {
  const now = useNow();
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr)',
        gap: 1.25,
        px: { xs: 2, sm: 2.5 },
        py: 2,
        borderTop: '1px solid',
        borderColor: 'line.hair',
        '&:first-of-type': { borderTop: 0 },
      }}
    >
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          columnGap: 1,
          rowGap: '6px',
          minHeight: 30,
        }}
      >
        <StateChip state={stateOf(one, now)} />
        <When one={one} now={now} />
        <Box sx={{ flex: 1 }} />
        {one.Status === 'Scheduled' && <Actions one={one} onAct={onAct} />}
      </Box>
      {one.Error !== '' && <Notice kind="error">{one.Error}</Notice>}
      <Words one={one} />
      <Pictures one={one} />
      <ScheduledRecipients people={one.Contacts} />
      <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
        {originWords(one, numbers)}
      </Typography>
    </Box>
  );
}

function originWords(one: ScheduledConversation, numbers: readonly TextNumber[]): string {
  const number = numbers.find(({ TextNumberID }) => TextNumberID === one.TextNumberID);
  const from = number ? `From ${textNumberName(number)}` : 'From another text number';
  return [from, `by ${one.User.Name}`, ...(one.IncludeSignature ? ['with the signature'] : [])].join(' · ');
}

function When({ one, now }: { one: ScheduledConversation; now: number }) {
  const zone = useTimeZone();
  const at = one.EndTimestamp ?? one.StartDate;
  return (
    <Box sx={{ fontVariantNumeric: 'tabular-nums', minWidth: 0 }}>
      <Tooltip describeChild title={formatAbsolute(at, zone)}>
        <Box component="time" dateTime={at} sx={{ fontWeight: 550 }}>
          {startWords(at, now, zone)}
        </Box>
      </Tooltip>
      {one.Status === 'Canceled' && (
        <Box component="span" sx={{ color: 'text.secondary' }}>
          , planned for {spokenStart(one.StartDate, now, zone)}
        </Box>
      )}
    </Box>
  );
}

function Words({ one }: { one: ScheduledConversation }) {
  const ownText = one.Contacts.every(({ TextMessage }) => TextMessage !== null)
    ? one.Contacts[0]?.TextMessage
    : undefined;
  const text = one.TextMessage || ownText;
  if (!text) {
    if (one.Media.length > 0) return null;
    const waits = one.Status === 'Scheduled';
    return (
      <Typography sx={{ color: waits ? 'warning.main' : 'text.secondary' }}>
        {waits ? 'There is no text yet, so nothing will be sent.' : 'There was no text.'}
      </Typography>
    );
  }
  return (
    <Typography sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', maxWidth: 680 }}>{text}</Typography>
  );
}

function Pictures({ one }: { one: ScheduledConversation }) {
  if (one.Media.length === 0) return null;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
      {one.Media.map(({ mediaId, preview, fileName }) => (
        <Box
          key={mediaId}
          component="img"
          src={preview}
          alt={fileName || 'Attached picture'}
          sx={{
            width: 72,
            height: 56,
            objectFit: 'cover',
            borderRadius: '8px',
            border: '1px solid',
            borderColor: 'line.hair',
          }}
        />
      ))}
    </Box>
  );
}

const actions: readonly [RowAction, string, LucideIcon][] = [
  ['edit', say('Edit'), Pencil],
  ['send', 'Send now', Send],
  ['cancel', say('Cancel'), CircleX],
];

function Actions({ one, onAct }: Pick<ScheduledRowProps, 'one' | 'onAct'>) {
  const canSend = useCan('createConversation');
  return (
    <Box sx={{ display: 'flex', gap: '4px', ml: { xs: '-8px', sm: 0 }, width: { xs: '100%', sm: 'auto' } }}>
      {actions
        .filter(([action]) => canSend || action === 'cancel')
        .map(([action, label, Icon]) => (
          <Button
            key={action}
            variant="text"
            size="small"
            startIcon={<Icon aria-hidden />}
            onClick={() => onAct(action, one)}
            sx={{ px: '8px', ...(action === 'cancel' ? { color: 'error.main' } : {}) }}
          >
            {label}
            <span style={visuallyHidden}> the text to {peopleWords(one.Contacts)}</span>
          </Button>
        ))}
    </Box>
  );
}
