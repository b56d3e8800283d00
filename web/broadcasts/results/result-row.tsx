import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import Chip from '@mui/material/Chip';
import { styled } from '@mui/material/styles';
import Tooltip from '@mui/material/Tooltip';
import { createLink } from '@tanstack/react-router';
import { CircleSlash } from 'lucide-react';
import { memo } from 'react';
import type { BroadcastDetail } from '../../../contract/broadcast-results.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import {
  recipientProblemLabels,
  recipientProblemMessages,
} from '../../../contract/states/recipient-problem.ts';
import { formatLength } from '../../pieces/audio/audio-words.ts';
import { CallMark } from '../../pieces/calls/call-mark.tsx';
import { TelephoneKey } from '../../pieces/calls/telephone-key.tsx';
import { StatusMark } from '../../pieces/texts/status-mark.tsx';
import { fullName, useTimeZone } from '../../queries/current-user.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { dayKey, formatAbsolute, formatTime } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { RouterLink } from '../../ui/router-link.tsx';
import { say } from '../../ui/say.ts';
import type { Channel } from './result-tabs.ts';
import { changeWords } from './result-words.ts';

export const ROW_HEIGHT = { wide: 44, phone: 66 } as const;

export const columns = {
  /** Recipient, phone, status, last change, reply. */
  texts: {
    xs: 'minmax(0, 1fr) auto',
    sm: 'minmax(0, 1.3fr) 132px minmax(0, 1.2fr) 116px',
    md: 'minmax(150px, 232px) 140px minmax(150px, 220px) 118px minmax(0, 1fr)',
  },
  /** Recipient, phone, result, answer, attempts, last call. */
  calls: {
    xs: 'minmax(0, 1fr) auto',
    sm: 'minmax(0, 1.3fr) 132px minmax(0, 1fr) minmax(0, 1fr) 116px',
    md: 'minmax(150px, 232px) 150px minmax(140px, 180px) minmax(0, 1fr) 80px 118px',
  },
} as const;

const NameLink = createLink(
  styled('a')({
    minWidth: 0,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    fontWeight: 520,
    color: 'inherit',
    textDecoration: 'none',
    // The whole row leads there.
    '&::after': { content: '""', position: 'absolute', inset: 0 },
    '&:focus-visible': { outline: 'none' },
    '&:focus-visible::after': { outline: '2px solid var(--mui-palette-primary-main)', outlineOffset: -2 },
  }),
);

interface ResultRowProps {
  broadcastId: number;
  /** Channel to show, the call or the text, of somebody who gets both. */
  channel: Channel;
  detail: BroadcastDetail;
  top: number;
  index: number;
  isPhone: boolean;
  isTicked: boolean;
  /** At least one row is ticked, so all rows show their boxes. */
  isTicking: boolean;
  now: number;
  onToggle: (recipientId: number) => void;
}

export function nameOfRecipient(
  person: Pick<BroadcastDetail, 'FirstName' | 'LastName' | 'PhoneNumber'>,
): string {
  return fullName(person) || (person.PhoneNumber === '' ? 'No number' : formatPhone(person.PhoneNumber));
}

export const ResultRow = memo(function ResultRow(props: ResultRowProps) {
  const { broadcastId, channel, detail, top, index, isPhone, isTicked, isTicking, now, onToggle } = props;
  const name = nameOfRecipient(detail);
  const phone = fullName(detail) === '' ? '' : formatPhone(detail.PhoneNumber);
  return (
    <Box
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isTicked}
      style={{ transform: `translateY(${top}px)` }}
      sx={{
        position: 'absolute',
        left: 0,
        right: 0,
        height: isPhone ? ROW_HEIGHT.phone : ROW_HEIGHT.wide,
        display: 'grid',
        gridTemplateColumns: columns[channel],
        alignItems: 'center',
        alignContent: 'center',
        columnGap: 2,
        px: 2.5,
        borderBottom: '1px solid',
        borderColor: 'line.hair',
        bgcolor: isTicked ? 'surface.selected' : 'transparent',
        color: 'text.secondary',
        '&:hover': { bgcolor: isTicked ? 'surface.selected' : 'surface.sunken' },
        '&:hover .row-tick, &:focus-within .row-tick': { opacity: 1 },
        '&:hover .row-face, &:focus-within .row-face': { opacity: 0 },
      }}
    >
      <Box
        role="cell"
        sx={{ display: 'flex', alignItems: 'center', gap: '10px', minWidth: 0, color: 'text.primary' }}
      >
        <Tick name={name} detail={detail} isTicked={isTicked} isTicking={isTicking} onToggle={onToggle} />
        <NameLink
          to="/broadcast-details/$broadcastId/recipients/$recipientId"
          params={{ broadcastId, recipientId: detail.RecipientID }}
        >
          {name}
        </NameLink>
      </Box>
      <Box role="cell" sx={{ whiteSpace: 'nowrap', typography: isPhone ? 'body2' : 'body1' }}>
        {phone}
      </Box>
      {isPhone ? (
        <Box
          role="cell"
          sx={{
            gridColumn: '1 / -1',
            pl: '36px',
            typography: 'body2',
            minWidth: 0,
            display: 'flex',
            gap: '10px',
          }}
        >
          <Box component="span" sx={{ flex: 'none', position: 'relative' }}>
            <Standing detail={detail} channel={channel} />
          </Box>
          {channel === 'calls' ? (
            <CallAnswer detail={detail} />
          ) : (
            <Reply broadcastId={broadcastId} detail={detail} />
          )}
        </Box>
      ) : channel === 'calls' ? (
        <>
          <Box role="cell" sx={{ minWidth: 0, position: 'relative' }}>
            <Standing detail={detail} channel={channel} />
          </Box>
          <Box role="cell" sx={{ display: 'flex', gap: '8px', minWidth: 0 }}>
            <CallAnswer detail={detail} />
          </Box>
          <Box
            role="cell"
            sx={{
              display: { sm: 'none', md: 'block' },
              textAlign: 'right',
              fontVariantNumeric: 'tabular-nums',
            }}
          >
            {detail.numberofattempts > 0 ? detail.numberofattempts : ''}
          </Box>
          <Box
            role="cell"
            sx={{ textAlign: 'right', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}
          >
            {detail.LastCallTime && <Changed at={detail.LastCallTime} now={now} />}
          </Box>
        </>
      ) : (
        <>
          <Box role="cell" sx={{ minWidth: 0, position: 'relative' }}>
            <Standing detail={detail} channel={channel} />
          </Box>
          <Box role="cell" sx={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
            {detail.LastChange && <Changed at={detail.LastChange} now={now} />}
          </Box>
          <Box role="cell" sx={{ display: { sm: 'none', md: 'flex' }, gap: '8px', minWidth: 0 }}>
            <Reply broadcastId={broadcastId} detail={detail} />
          </Box>
        </>
      )}
    </Box>
  );
});

interface TickProps {
  name: string;
  detail: BroadcastDetail;
  isTicked: boolean;
  isTicking: boolean;
  onToggle: (recipientId: number) => void;
}

/** The box covers the avatar and appears on hover or focus; tapping the avatar also ticks it. */
function Tick({ name, detail, isTicked, isTicking, onToggle }: TickProps) {
  const isShown = isTicked || isTicking;
  return (
    <Box sx={{ position: 'relative', zIndex: 1, width: 26, height: 26, flex: 'none' }}>
      <Box className="row-face" sx={{ opacity: isShown ? 0 : 1 }}>
        <Avatar name={fullName(detail)} size={26} />
      </Box>
      <Checkbox
        className="row-tick"
        checked={isTicked}
        onChange={() => onToggle(detail.RecipientID)}
        slotProps={{ input: { 'aria-label': `Select ${name}` } }}
        sx={{ position: 'absolute', inset: '-5px', width: 36, height: 36, opacity: isShown ? 1 : 0 }}
      />
    </Box>
  );
}

/** The status of the text or the call, or why there was none. */
export function Standing({ detail, channel = 'texts' }: { detail: BroadcastDetail; channel?: Channel }) {
  if (channel === 'calls' && detail.CallResultCategory !== '')
    return <CallMark result={shownResult(detail)} at={detail.LastCallTime} />;
  if (detail.TextResult === '') return null;
  if (detail.Problem === null) return <StatusMark status={detail.TextResult} at={detail.LastChange} />;
  return (
    <Tooltip describeChild title={recipientProblemMessages[detail.Problem]}>
      <Box
        component="span"
        sx={{ display: 'inline-flex', alignItems: 'center', gap: '6px', color: 'text.secondary' }}
      >
        <CircleSlash size={14} strokeWidth={2} aria-hidden />
        {recipientProblemLabels[detail.Problem]}
      </Box>
    </Tooltip>
  );
}

/** A call that has begun and isn't over has no result yet. */
function shownResult(detail: BroadcastDetail): string {
  const { TransferredAt, CallResult, CallResultCategory, NextCallTime, numberofattempts } = detail;
  if (TransferredAt !== null) return 'transferred';
  const isAgain =
    CallResultCategory === 'Incomplete' && (CallResult === 'busy' || CallResult === 'no_answer');
  if (isAgain && NextCallTime === null) return 'in_progress';
  return CallResult === 'not_yet_called' && numberofattempts > 0 ? 'in_progress' : CallResult;
}

/** The key that was pressed, how long somebody was connected, and how long the call lasted. */
export function CallAnswer({ detail }: { detail: BroadcastDetail }) {
  const { SurveyResult, TransferredAt, TransferSeconds, CallSeconds, NextCallTime } = detail;
  return (
    <>
      {NextCallTime !== null && <NextCall at={NextCallTime} />}
      {SurveyResult !== '' && <TelephoneKey>{SurveyResult}</TelephoneKey>}
      {TransferredAt !== null && (
        <Box component="span" sx={{ display: 'inline-flex', gap: '6px', color: 'text.primary' }}>
          <TelephoneKey>0</TelephoneKey>
          {TransferSeconds === null ? 'Connected' : `Connected ${formatLength(TransferSeconds)}`}
        </Box>
      )}
      {CallSeconds !== null && CallSeconds > 0 && (
        <Box
          component="span"
          title="How long the call lasted"
          sx={{ flex: 'none', color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}
        >
          {formatLength(CallSeconds)}
        </Box>
      )}
    </>
  );
}

/** Time when somebody who wasn't reached is called again. */
function NextCall({ at }: { at: string }) {
  const zone = useTimeZone();
  const now = useNow();
  const isToday = dayKey(at, zone) === dayKey(now, zone);
  const time = isToday ? formatTime(at, zone) : changeWords(at, now, zone);
  return <span>Retries at {time}</span>;
}

function Changed({ at, now }: { at: string; now: number }) {
  const zone = useTimeZone();
  return (
    <time dateTime={at} title={formatAbsolute(at, zone)}>
      {changeWords(at, now, zone)}
    </time>
  );
}

/** Their last reply, as a link to the conversation. */
function Reply({ broadcastId, detail }: { broadcastId: number; detail: BroadcastDetail }) {
  const { TextResponses, TextSurveyResponse, ConversationID } = detail;
  const last = TextResponses.at(-1);
  const words = last?.Message || (last ? say('Picture') : '');
  return (
    <>
      {TextSurveyResponse && <Chip label={TextSurveyResponse.Label} sx={{ flex: 'none' }} />}
      {detail.StoppedAt !== null && (
        <Chip label="Answered STOP" sx={{ flex: 'none', color: 'warning.main' }} />
      )}
      {words !== '' &&
        (ConversationID === null ? (
          <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
            {words}
          </Box>
        ) : (
          <RouterLink
            to="/broadcast-details/$broadcastId/text-replies/$conversationId"
            params={{ broadcastId, conversationId: ConversationID }}
            noWrap
            sx={{ position: 'relative', color: 'text.primary', fontWeight: 400, minWidth: 0 }}
          >
            {words}
          </RouterLink>
        ))}
    </>
  );
}
