import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { WholeBroadcast } from '../../../contract/broadcasts.ts';
import { placesCalls } from '../../../contract/money/units.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import { withFieldsInWords } from '../../pieces/broadcasts/broadcast-words.ts';
import { startWords } from '../../pieces/broadcasts/start-words.ts';
import { closingWords, daysWords, hoursWords } from '../../pieces/calls/calling-words.ts';
import { useTimeZone } from '../../queries/current-user.ts';
import { countOf } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { RouterLink } from '../../ui/router-link.tsx';
import { say } from '../../ui/say.ts';
import { useNumberLine } from '../broadcast-queries.ts';
import { aheadWords, callPaceWords, costWords, paceWords } from './result-words.ts';

/** Shown in place of the progress until the first text goes out: when, to whom, the cost, and the content. */
export function PlannedCard({ broadcast }: { broadcast: WholeBroadcast }) {
  return (
    <Box
      component="section"
      aria-label="What will be sent"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', laptop: 'minmax(0, 1fr) minmax(292px, 38%)' },
        bgcolor: 'background.paper',
        border: '1px solid',
        borderColor: 'line.hair',
        borderRadius: '10px',
        overflow: 'hidden',
      }}
    >
      <Box sx={{ px: 2.5, pt: 2, pb: 1, minWidth: 0 }}>
        <Start broadcast={broadcast} />
        <Facts broadcast={broadcast} />
      </Box>
      {broadcast.TextMessage !== '' || broadcast.Media.length > 0 ? (
        <Words broadcast={broadcast} />
      ) : (
        <Hours broadcast={broadcast} />
      )}
    </Box>
  );
}

/** Hours when it may ring: where there is no text, the calling window takes its place. */
function Hours({ broadcast }: { broadcast: WholeBroadcast }) {
  return (
    <Box
      sx={{
        px: 2.5,
        py: 2,
        minWidth: 0,
        bgcolor: 'surface.sunken',
        borderLeft: { laptop: '1px solid' },
        borderTop: { xs: '1px solid', laptop: 0 },
        borderColor: { xs: 'line.hair', laptop: 'line.hair' },
      }}
    >
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        Calling window
      </Typography>
      <Typography sx={{ fontWeight: 550 }}>{hoursWords(broadcast)}</Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {daysWords(broadcast.CallingWindowDays)}, on the sender’s clock and outside each recipient’s quiet
        hours. {closingWords(broadcast)}.
      </Typography>
    </Box>
  );
}

function Start({ broadcast: { StartDate, BroadcastStatusCategory } }: { broadcast: WholeBroadcast }) {
  const zone = useTimeZone();
  const now = useNow();
  if (StartDate === null) return null;
  // A broadcast that needs its message starts as soon as it has it, if its time has come.
  const isWaiting = BroadcastStatusCategory === 'NeedsMessage' && Date.parse(StartDate) <= now;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', columnGap: 1.5, mb: 1.5 }}>
      <Typography variant="h4" component="p" sx={{ fontSize: 24, lineHeight: '30px' }}>
        {isWaiting ? 'Starts when it’s recorded' : startWords(StartDate, now, zone)}
      </Typography>
      {!isWaiting && <Typography sx={{ color: 'text.secondary' }}>{aheadWords(StartDate, now)}</Typography>}
    </Box>
  );
}

function Facts({ broadcast }: { broadcast: WholeBroadcast }) {
  const number = useNumberLine(broadcast.TextNumberID);
  const { BroadcastID, PhoneNumberCount, LeftOutCount, User } = broadcast;
  const isCalling = placesCalls(broadcast.BroadcastType);
  const pace = isCalling ? callPaceWords(broadcast) : paceWords(broadcast);
  const cost = costWords(broadcast);
  return (
    <Box
      component="dl"
      sx={{
        display: 'grid',
        gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
        columnGap: { xs: 2, sm: 3 },
      }}
    >
      <Fact
        name={say('Recipients')}
        value={countOf(PhoneNumberCount, 'person', 'people')}
        more={
          LeftOutCount > 0 && (
            <RouterLink
              to="/broadcast-details/$broadcastId/$sub"
              params={{ broadcastId: BroadcastID, sub: 'left-out' }}
              search={{}}
              resetScroll={false}
            >
              {countOf(LeftOutCount, 'person is', 'people are')} left out
            </RouterLink>
          )
        }
      />
      <Fact name={say('Cost')} value={cost.credits} more={cost.each} />
      <Fact name={say('Speed')} value={pace.speed} more={pace.time} />
      <Fact
        name={say('From')}
        value={isCalling ? formatPhone(broadcast.CallerID) : (number ?? 'A number you don’t have access to')}
        more={`Scheduled by ${User.Name}`}
      />
    </Box>
  );
}

function Fact({ name, value, more }: { name: string; value: string; more: ReactNode }) {
  return (
    <Box sx={{ py: 1.25, borderTop: '1px solid', borderColor: 'line.hair', minWidth: 0 }}>
      <Typography component="dt" variant="body2" sx={{ color: 'text.secondary' }}>
        {name}
      </Typography>
      <Typography component="dd" sx={{ m: 0, fontWeight: 550, overflowWrap: 'anywhere' }}>
        {value}
      </Typography>
      {more && (
        <Typography component="dd" variant="body2" sx={{ m: 0, color: 'text.secondary' }}>
          {more}
        </Typography>
      )}
    </Box>
  );
}

/** The text as it will arrive, with the names of fields in place of each person's own values. */
function Words({ broadcast }: { broadcast: WholeBroadcast }) {
  const { TextMessage, Media, IncludeSignature, IsTextSurvey, TextSurveyAutoReplies, User } = broadcast;
  return (
    <Box
      sx={{
        px: 2.5,
        py: 2,
        minWidth: 0,
        bgcolor: 'surface.sunken',
        borderLeft: { laptop: '1px solid' },
        borderTop: { xs: '1px solid', laptop: 0 },
        // Set at both widths: a border that is set only at one of them would get its own color.
        borderColor: { xs: 'line.hair', laptop: 'line.hair' },
      }}
    >
      <Typography variant="body2" sx={{ color: 'text.secondary', mb: 1 }}>
        Text message
      </Typography>
      {Media.map(({ mediaId, preview, fileName }) => (
        <Box
          key={mediaId}
          component="img"
          src={preview}
          alt={fileName || 'Picture'}
          sx={{
            display: 'block',
            width: 216,
            maxHeight: 132,
            objectFit: 'cover',
            borderRadius: '14px',
            mb: 1,
          }}
        />
      ))}
      {TextMessage !== '' && (
        <Box
          sx={{
            width: 'fit-content',
            maxWidth: 424,
            maxHeight: 240,
            overflow: 'auto',
            p: '8px 13px 9px',
            borderRadius: '14px 14px 14px 4px',
            bgcolor: 'bubble.out',
            color: 'bubble.outText',
            whiteSpace: 'pre-wrap',
            overflowWrap: 'anywhere',
          }}
          // A scrollable area must be reachable by keyboard too.
          tabIndex={0}
        >
          {withFieldsInWords(TextMessage)}
        </Box>
      )}
      {IncludeSignature && (
        <Typography variant="body2" sx={{ color: 'text.secondary', mt: 1 }}>
          {User.Name}’s signature is added.
        </Typography>
      )}
      {IsTextSurvey &&
        TextSurveyAutoReplies.map(({ Label, Message }) => (
          <Typography key={Label} variant="body2" sx={{ color: 'text.secondary', mt: 1 }}>
            Reply to {Label}: {Message || 'none'}
          </Typography>
        ))}
    </Box>
  );
}
