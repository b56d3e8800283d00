import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import {
  Ban,
  CircleSlash,
  Clock,
  Coins,
  Grip,
  type LucideIcon,
  MessagesSquare,
  MousePointerClick,
  PauseCircle,
  Phone,
  PhoneForwarded,
  RadioTower,
  Reply,
  Send,
  UserPlus,
  UserRound,
} from 'lucide-react';
import { getRecipientTimeline } from '../../../contract/addresses/broadcasts.gen.ts';
import type { RecipientTimeline } from '../../../contract/broadcast-results.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { isNotFound, shownMessage } from '../../api.ts';
import { useCallQuery } from '../../queries/calls.ts';
import { fullName, useTimeZone } from '../../queries/current-user.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Card } from '../../ui/card.tsx';
import { countOf, formatAbsolute } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { RouterButton } from '../../ui/router-button.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { useBroadcast } from '../broadcast-queries.ts';
import { NotFoundDialog } from '../list/not-found-dialog.tsx';
import { CallAnswer, nameOfRecipient, Standing } from './result-row.tsx';
import { changeWords } from './result-words.ts';
import { Crumb } from './results-page.tsx';

interface TimelinePageProps {
  broadcastId: number;
  recipientId: number;
}

/** Reasons why this person did or did not get it, step by step. */
export function TimelinePage({ broadcastId, recipientId }: TimelinePageProps) {
  const params = { BroadcastID: broadcastId, RecipientID: recipientId };
  const { data, error, refetch } = useCallQuery(getRecipientTimeline, { params });
  const broadcast = useBroadcast(broadcastId).data;
  if (isNotFound(error)) return <NotFoundDialog />;
  const name = data ? nameOfRecipient(data.Recipient) : '';
  return (
    <>
      <PageHead
        title={name || 'Recipient'}
        tabTitle={broadcast ? `${name} · ${broadcast.BroadcastName}` : name}
        crumb={
          <>
            <Crumb /> /{' '}
            <RouterLink
              to="/broadcast-details/$broadcastId"
              params={{ broadcastId }}
              search={{}}
              color="inherit"
            >
              {broadcast?.BroadcastName ?? 'Broadcast'}
            </RouterLink>
          </>
        }
        sentence={data?.Verdict}
        actions={data && <Ways broadcastId={broadcastId} timeline={data} />}
      />
      <Box
        sx={{
          px: { xs: 2, sm: 3, laptop: 4 },
          pb: 4,
          display: 'grid',
          gap: 2,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', laptop: 'minmax(0, 1fr) 320px' },
        }}
      >
        {error && !data ? (
          <RetryNotice onRetry={() => void refetch()}>
            {shownMessage(error, 'There was an error getting your recipient.')}
          </RetryNotice>
        ) : data ? (
          <>
            <Steps timeline={data} />
            <Facts timeline={data} />
          </>
        ) : (
          <Skeleton variant="rounded" height={280} aria-label="Loading timeline" />
        )}
      </Box>
    </>
  );
}

function Ways({
  broadcastId,
  timeline: { Recipient },
}: {
  broadcastId: number;
  timeline: RecipientTimeline;
}) {
  const { PersonID, ConversationID } = Recipient;
  return (
    <>
      {PersonID !== null && (
        <RouterButton
          to="/contacts/contact/$personId"
          params={{ personId: PersonID }}
          startIcon={<UserRound aria-hidden />}
        >
          Contact
        </RouterButton>
      )}
      {ConversationID !== null && (
        <RouterButton
          to="/broadcast-details/$broadcastId/text-replies/$conversationId"
          params={{ broadcastId, conversationId: ConversationID }}
          variant="contained"
          color="primary"
          startIcon={<MessagesSquare aria-hidden />}
        >
          Open conversation
        </RouterButton>
      )}
    </>
  );
}

type Kind = RecipientTimeline['Events'][number]['Kind'];

const quiet = { back: 'tint.neutral', ink: 'ink.two' };
const looks: Record<Kind, { icon: LucideIcon; back: string; ink: string }> = {
  added: { icon: UserPlus, ...quiet },
  'left out': { icon: CircleSlash, back: 'tint.warning', ink: 'warning.main' },
  waiting: { icon: Clock, ...quiet },
  held: { icon: PauseCircle, back: 'tint.warning', ink: 'warning.main' },
  'handed over': { icon: Send, back: 'tint.accent', ink: 'primary.main' },
  carrier: { icon: RadioTower, back: 'tint.accent', ink: 'primary.main' },
  reply: { icon: Reply, back: 'tint.success', ink: 'success.main' },
  click: { icon: MousePointerClick, back: 'tint.success', ink: 'success.main' },
  credits: { icon: Coins, ...quiet },
  'opt-out': { icon: Ban, back: 'tint.warning', ink: 'warning.main' },
  call: { icon: Phone, back: 'tint.accent', ink: 'primary.main' },
  key: { icon: Grip, back: 'tint.success', ink: 'success.main' },
  transfer: { icon: PhoneForwarded, back: 'tint.success', ink: 'success.main' },
};

function Steps({ timeline }: { timeline: RecipientTimeline }) {
  return (
    <Card title="What happened">
      <Box component="ol" aria-label="What happened" sx={{ listStyle: 'none', m: 0, px: 2.5, py: 2 }}>
        {timeline.Events.map((event, index) => (
          <Step
            // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added at the end
            key={index}
            event={event}
            isLast={index === timeline.Events.length - 1}
          />
        ))}
      </Box>
    </Card>
  );
}

function Step({ event, isLast }: { event: RecipientTimeline['Events'][number]; isLast: boolean }) {
  const zone = useTimeZone();
  const now = useNow();
  const { icon: Icon, back, ink } = looks[event.Kind];
  return (
    <Box
      component="li"
      sx={{
        position: 'relative',
        display: 'grid',
        gridTemplateColumns: '30px minmax(0, 1fr) auto',
        columnGap: 1.5,
        pb: isLast ? 0 : 2.5,
        // The line from one step to the next.
        ...(isLast
          ? {}
          : {
              '&::before': {
                content: '""',
                position: 'absolute',
                left: 14.5,
                top: 32,
                bottom: 2,
                width: '1px',
                bgcolor: 'line.strong',
              },
            }),
      }}
    >
      <Box
        aria-hidden
        sx={{
          width: 30,
          height: 30,
          borderRadius: '50%',
          display: 'grid',
          placeItems: 'center',
          bgcolor: back,
          color: ink,
        }}
      >
        <Icon size={15} strokeWidth={2} />
      </Box>
      <Box sx={{ minWidth: 0, pt: '5px', overflowWrap: 'anywhere' }}>
        <Typography sx={{ fontWeight: 520 }}>{event.Text}</Typography>
        {event.Note !== '' && (
          <Typography variant="body2" sx={{ color: 'text.secondary', mt: '2px' }}>
            {event.Note}
          </Typography>
        )}
      </Box>
      {event.At && (
        <Typography
          variant="body2"
          component="time"
          dateTime={event.At}
          title={formatAbsolute(event.At, zone)}
          sx={{ pt: '6px', color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}
        >
          {changeWords(event.At, now, zone)}
        </Typography>
      )}
    </Box>
  );
}

function Facts({ timeline }: { timeline: RecipientTimeline }) {
  const { Recipient, TextMessage, Segments, Credits } = timeline;
  return (
    <Card
      title={
        Recipient.CallResultCategory === ''
          ? 'The text'
          : TextMessage === ''
            ? 'The call'
            : 'The call and the text'
      }
    >
      <Box sx={{ px: 2.5, py: 2, display: 'grid', gap: 2 }}>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: '10px', minWidth: 0 }}>
          <Avatar name={fullName(Recipient)} size={30} />
          <Box sx={{ minWidth: 0 }}>
            <Typography noWrap sx={{ fontWeight: 520 }}>
              {nameOfRecipient(Recipient)}
            </Typography>
            {Recipient.PhoneNumber !== '' && (
              <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                {formatPhone(Recipient.PhoneNumber)}
              </Typography>
            )}
          </Box>
        </Box>
        {Recipient.CallResultCategory !== '' && (
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
            <Standing detail={Recipient} channel="calls" />
            <CallAnswer detail={Recipient} />
          </Box>
        )}
        {(Recipient.CallResultCategory === '' || TextMessage !== '') && <Standing detail={Recipient} />}
        {TextMessage !== '' && (
          <Box
            sx={{
              p: '8px 13px 9px',
              borderRadius: '14px 14px 4px 14px',
              bgcolor: 'bubble.out',
              color: 'bubble.outText',
              whiteSpace: 'pre-wrap',
              overflowWrap: 'anywhere',
            }}
          >
            {TextMessage}
          </Box>
        )}
        {Segments > 0 && (
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {TextMessage !== '' && `${countOf(Segments, 'segment', 'segments')} · `}
            {countOf(Credits, 'credit', 'credits')}
          </Typography>
        )}
      </Box>
    </Card>
  );
}
