import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { CircleSlash, UserRoundMinus } from 'lucide-react';
import { useState } from 'react';
import {
  getSequence,
  listSequenceRecipients,
  stopSequenceRecipient,
} from '../../../contract/addresses/sequences.gen.ts';
import { formatPhone } from '../../../contract/phone/format-phone.ts';
import type { SequenceRecipient, SequenceStart, WholeSequence } from '../../../contract/sequences.ts';
import { shownMessage } from '../../api.ts';
import { useCall, useCallPages } from '../../queries/calls.ts';
import { useCan, useTimeZone } from '../../queries/current-user.ts';
import { Card } from '../../ui/card.tsx';
import { DialogBody, DialogHead } from '../../ui/dialog-parts.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { formatCount } from '../../ui/format.ts';
import { locale } from '../../ui/locale.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { showSnackbar } from '../../ui/snackbar.tsx';
import { visuallyHidden } from '../../ui/visually-hidden.ts';
import { CourseDialog } from './course-dialog.tsx';
import { wordsOfPerson } from './drip-words.ts';

/** The people in a campaign and the step that each is at; opens one person's whole course. */
export function DripPeople({ sequence, isOver }: { sequence: WholeSequence; isOver: boolean }) {
  const client = useQueryClient();
  const mayManage = useCan('manageBroadcasts');
  const [q, setQ] = useState('');
  const [shown, setShown] = useState<number>();
  const [isLeftOut, setLeftOut] = useState(false);
  const params = { SequenceID: sequence.SequenceID };
  const pages = useCallPages(listSequenceRecipients, { params, query: { q } });
  const stop = useCall(stopSequenceRecipient, {
    onSuccess: () => showSnackbar('They get no further steps.'),
    onError: (error) => showSnackbar(shownMessage(error, 'There was an error updating your drip campaign.')),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: [listSequenceRecipients.path] });
      void client.invalidateQueries({ queryKey: [getSequence.path] });
    },
  });
  const items = pages.data?.pages.flatMap(({ Items }) => Items) ?? [];
  return (
    <Card title="Recipients" count={formatCount(sequence.RecipientCount)}>
      <Box sx={{ p: 2 }}>
        <SearchField q={q} placeholder="Search" label="Search recipients" onSearch={setQ} />
      </Box>
      <Box component="ul" aria-label="Recipients" sx={{ listStyle: 'none', m: 0, p: 0, pb: 1.5 }}>
        {items.map((person) => {
          const { RecipientID, FirstName, LastName, PhoneNumber, State } = person;
          const name = `${FirstName} ${LastName}`.trim() || formatPhone(PhoneNumber);
          const words = wordsOfPerson(State, sequence.StartsOn);
          return (
            <Box
              key={RecipientID}
              component="li"
              sx={{ display: 'flex', alignItems: 'center', px: 2.5, minHeight: 44 }}
            >
              <ButtonBase
                onClick={() => setShown(RecipientID)}
                sx={{ flex: 1, minWidth: 0, display: 'block', textAlign: 'left', font: 'inherit', py: '6px' }}
              >
                <Typography noWrap>{name}</Typography>
                <Typography variant="body2" noWrap sx={{ color: 'text.secondary' }}>
                  <PersonPlace person={person} stepCount={sequence.StepCount} />
                </Typography>
                <span style={visuallyHidden}>Show their steps</span>
              </ButtonBase>
              {words !== '' && <Chip label={words} size="small" variant="outlined" />}
              {!isOver && mayManage && State === 'active' && (
                <Tooltip title="Send them no further steps">
                  <IconButton
                    aria-label={`Send ${name} no further steps`}
                    disabled={stop.isPending}
                    onClick={() => stop.mutate({ params: { ...params, RecipientID } })}
                  >
                    <UserRoundMinus />
                  </IconButton>
                </Tooltip>
              )}
            </Box>
          );
        })}
      </Box>
      {sequence.LeftOutCount > 0 && (
        <Box
          sx={{
            display: 'flex',
            alignItems: 'center',
            gap: 1.25,
            px: 2.5,
            py: 1,
            borderTop: '1px solid',
            borderColor: 'line.hair',
          }}
        >
          <Box sx={{ display: 'flex', color: 'warning.main' }}>
            <CircleSlash size={16} strokeWidth={1.75} aria-hidden />
          </Box>
          <Typography sx={{ flex: 1 }}>{formatCount(sequence.LeftOutCount)} left out</Typography>
          <Button size="small" variant="text" onClick={() => setLeftOut(true)}>
            See who
          </Button>
        </Box>
      )}
      {pages.hasNextPage && (
        <Box sx={{ display: 'grid', placeItems: 'center', p: 1.5 }}>
          <Button size="small" variant="text" onClick={() => void pages.fetchNextPage()}>
            Show more
          </Button>
        </Box>
      )}
      <CourseDialog
        sequenceId={sequence.SequenceID}
        recipientId={shown}
        isRelative={sequence.StartsOn !== 'dates'}
        onClose={() => setShown(undefined)}
      />
      <FormDialog isOpen={isLeftOut} onClose={() => setLeftOut(false)} width={520} isFullOnPhone>
        <LeftOut sequence={sequence} isOver={isOver} onClose={() => setLeftOut(false)} />
      </FormDialog>
    </Card>
  );
}

interface LeftOutProps {
  sequence: WholeSequence;
  isOver: boolean;
  onClose: () => void;
}

const leftOutHelp: Record<SequenceStart, string> = {
  dates: 'Correct the number of a contact, and the next steps go to them too.',
  group: 'As soon as they can be texted, the campaign begins for them.',
  keyword: 'When they can be texted, they can text the keyword again.',
  join: 'When they can be texted, they can text JOIN again.',
};

/** Lists who couldn't be texted when the campaign started or they joined it, why, and what to do about it. */
function LeftOut({ sequence, isOver, onClose }: LeftOutProps) {
  const pages = useCallPages(listSequenceRecipients, {
    params: { SequenceID: sequence.SequenceID },
    query: { leftout: true },
  });
  const items = pages.data?.pages.flatMap(({ Items }) => Items) ?? [];
  return (
    <>
      <DialogHead title="Left out" onClose={onClose} />
      <DialogBody gap={2}>
        {!isOver && (
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {leftOutHelp[sequence.StartsOn]}
          </Typography>
        )}
        {pages.isPending && <SkeletonRows rows={3} rowHeight={56} label="Loading" />}
        {pages.isError && !pages.data && (
          <RetryNotice onRetry={() => void pages.refetch()}>
            {shownMessage(pages.error, 'There was an error getting your recipients.')}
          </RetryNotice>
        )}
        <Box
          component="ul"
          aria-label="Left out"
          sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1.5 }}
        >
          {items.map(({ RecipientID, PersonID, FirstName, LastName, PhoneNumber, LeftOutBecause }) => {
            const phone = formatPhone(PhoneNumber);
            const name = `${FirstName} ${LastName}`.trim() || phone;
            return (
              <Box component="li" key={RecipientID}>
                {PersonID === null ? (
                  <Typography sx={{ fontWeight: 520 }}>{name}</Typography>
                ) : (
                  <RouterLink
                    to="/contacts/contact/$personId"
                    params={{ personId: PersonID }}
                    sx={{ fontWeight: 520 }}
                  >
                    {name}
                  </RouterLink>
                )}
                <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                  {name === phone ? LeftOutBecause : `${phone} · ${LeftOutBecause}`}
                </Typography>
              </Box>
            );
          })}
        </Box>
        {pages.hasNextPage && (
          <Button size="small" variant="text" onClick={() => void pages.fetchNextPage()}>
            Show more
          </Button>
        )}
      </DialogBody>
    </>
  );
}

/** "Step 1 of 3 · next Nov 20, 9:00 AM": their place, since a step that was added may not have gone to them. */
function PersonPlace({ person, stepCount }: { person: SequenceRecipient; stepCount: number }) {
  const zone = useTimeZone();
  const { Position, NextStepDate } = person;
  const at = Position === 0 ? '' : `Step ${Position} of ${stepCount}`;
  const next = NextStepDate === null ? '' : `next ${shortMoment(NextStepDate, zone)}`;
  const place = [at, next].filter((part) => part !== '').join(' · ');
  return place === '' ? 'Nothing sent yet' : place.charAt(0).toUpperCase() + place.slice(1);
}

function shortMoment(at: string, timeZone: string): string {
  return new Intl.DateTimeFormat(locale, {
    ...({ timeZone, month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const),
  }).format(Date.parse(at));
}
