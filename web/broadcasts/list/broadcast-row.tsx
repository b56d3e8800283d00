import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { createLink } from '@tanstack/react-router';
import { Repeat2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Broadcast } from '../../../contract/broadcasts.ts';
import { BroadcastMeter } from '../../pieces/broadcasts/broadcast-meter.tsx';
import { BroadcastPill } from '../../pieces/broadcasts/broadcast-pill.tsx';
import { wordlessSnippet } from '../../pieces/broadcasts/broadcast-type.ts';
import { labelOf, shortMoment, withFieldsInWords } from '../../pieces/broadcasts/broadcast-words.ts';
import { useTimeZone } from '../../queries/current-user.ts';
import { countOf, formatAbsolute } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import type { BroadcastActions } from '../broadcast-actions.ts';
import type { OpenBroadcastDialog } from '../broadcast-dialogs.tsx';
import { BroadcastMenu } from '../broadcast-menu.tsx';
import { hasGoneOut } from '../what-can-be-done.ts';
import { arrivedWords } from './row-words.ts';

/** The whole row is a link to its broadcast; buttons in it are placed above that link. */
export const RowName = createLink(
  styled('a')({
    minWidth: 0,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    fontWeight: 550,
    color: 'inherit',
    textDecoration: 'none',
    '&::after': { content: '""', position: 'absolute', inset: 0 },
    '&:focus-visible': { outline: 'none' },
    '&:focus-visible::after': { outline: '2px solid var(--mui-palette-primary-main)', outlineOffset: -2 },
  }),
);

interface RowProps {
  name: ReactNode;
  /** After the name: a pill, a mark. */
  pill?: ReactNode;
  snippet: string;
  /** Numbers and a meter. */
  middle: ReactNode;
  /** Date of the row, and the user who made it. */
  when: ReactNode;
  menu: ReactNode;
}

/** One row of any of the lists: name, progress, time and actions. */
export function Row({ name, pill, snippet, middle, when, menu }: RowProps) {
  return (
    <Box
      component="li"
      sx={{
        position: 'relative',
        display: 'grid',
        gridTemplateColumns: {
          xs: 'minmax(0, 1fr) auto',
          md: 'minmax(0, 1fr) 236px 190px auto',
        },
        alignItems: 'center',
        columnGap: { xs: 1, md: 3 },
        rowGap: 1,
        minHeight: 72,
        px: 2.5,
        py: 1.5,
        borderTop: '1px solid',
        borderColor: 'line.hair',
        '&:first-of-type': { borderTop: 0 },
        '&:hover': { bgcolor: 'surface.sunken' },
      }}
    >
      <Box sx={{ minWidth: 0 }}>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 0 }}>
          {name}
          {pill}
        </Box>
        <Typography noWrap sx={{ color: 'text.secondary' }}>
          {snippet}
        </Typography>
      </Box>
      <Box sx={{ gridColumn: { xs: '1 / -1', md: 'auto' }, gridRow: { xs: 2, md: 'auto' }, minWidth: 0 }}>
        {middle}
      </Box>
      <Box
        sx={{
          gridColumn: { xs: '1 / -1', md: 'auto' },
          gridRow: { xs: 3, md: 'auto' },
          typography: 'body2',
          color: 'text.secondary',
          minWidth: 0,
        }}
      >
        {when}
      </Box>
      {/* Above the link that covers the row. */}
      <Box
        sx={{
          position: 'relative',
          zIndex: 1,
          display: 'flex',
          gridColumn: { xs: 2, md: 'auto' },
          gridRow: { xs: 1, md: 'auto' },
        }}
      >
        {menu}
      </Box>
    </Box>
  );
}

interface BroadcastRowProps {
  broadcast: Broadcast;
  actions: BroadcastActions;
  onDialog: OpenBroadcastDialog;
}

export function BroadcastRow({ broadcast, actions, onDialog }: BroadcastRowProps) {
  const now = useNow();
  const zone = useTimeZone();
  const { BroadcastID, BroadcastName, IsSampleBroadcast, TextMessage, Labels, User, StartDate } = broadcast;
  return (
    <Row
      name={
        <RowName to="/broadcast-details/$broadcastId" params={{ broadcastId: BroadcastID }} search={{}}>
          {BroadcastName}
        </RowName>
      }
      pill={
        <>
          <BroadcastPill label={labelOf(broadcast, now)} awaiting={broadcast.SentTotal} />
          {broadcast.IsPartOfRepeatingBroadcastSequence && (
            <Repeat2 size={15} strokeWidth={2} role="img" aria-label="Repeating" style={{ flex: 'none' }} />
          )}
          {broadcast.IsEmergency && (
            <Chip variant="outlined" color="error" label={broadcast.IsDrill ? 'Drill' : 'Emergency'} />
          )}
          {IsSampleBroadcast && <Chip variant="outlined" label="Sample" />}
          {Labels.slice(0, 2).map(({ LabelID, LabelName }) => (
            <Chip
              key={LabelID}
              variant="outlined"
              label={LabelName}
              sx={{ display: { xs: 'none', laptop: 'inline-flex' }, maxWidth: 140 }}
            />
          ))}
        </>
      }
      snippet={withFieldsInWords(TextMessage) || wordlessSnippet(broadcast)}
      middle={<Figures broadcast={broadcast} />}
      when={
        <>
          <Box title={StartDate ? formatAbsolute(StartDate, zone) : undefined}>
            {shortMoment(broadcast, now, zone)}
          </Box>
          <Box sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
            by {User.Name}
          </Box>
        </>
      }
      menu={<BroadcastMenu broadcast={broadcast} actions={actions} onDialog={onDialog} />}
    />
  );
}

/** "2,418 of 3,847 delivered · 163 replies" below a small meter. */
function Figures({ broadcast }: { broadcast: Broadcast }) {
  const { PhoneNumberCount, RepliedTotal, HeldReason } = broadcast;
  const arrived = arrivedWords(broadcast);
  if (!hasGoneOut(broadcast))
    return (
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {countOf(PhoneNumberCount, 'person', 'people')}
        {HeldReason !== '' && ` · ${HeldReason}`}
      </Typography>
    );
  return (
    <>
      <BroadcastMeter broadcast={broadcast} height={6} />
      <Typography
        variant="body2"
        noWrap
        sx={{ mt: '6px', color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}
      >
        {arrived[0]}
        {RepliedTotal > 0 && ` · ${countOf(RepliedTotal, 'reply', 'replies')}`}
        {arrived[1] && <br />}
        {arrived[1]}
      </Typography>
    </>
  );
}
