import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { ListTree, Plus, SearchX } from 'lucide-react';
import { listSequences } from '../../../contract/addresses/sequences.gen.ts';
import type { Sequence } from '../../../contract/sequences.ts';
import { shownMessage } from '../../api.ts';
import { useCallPages } from '../../queries/calls.ts';
import { useCan, useTimeZone } from '../../queries/current-user.ts';
import { useListState } from '../../queries/list-state.ts';
import { OnlyFor } from '../../shell/restricted-page.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { countOf, formatDay, formatTime } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { RouterButton } from '../../ui/router-button.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { startWords, statusWords } from './drip-words.ts';

/** All drip campaigns, the newest first. */
export function DripsPage() {
  return (
    <OnlyFor capability="openDripCampaigns">
      <Drips />
    </OnlyFor>
  );
}

function NewButton() {
  return (
    <RouterButton
      to="/drip-campaigns/new"
      variant="contained"
      color="primary"
      startIcon={<Plus aria-hidden />}
    >
      New drip campaign
    </RouterButton>
  );
}

function Drips() {
  const { state, change } = useListState();
  const { q } = state;
  const mayCreate = useCan('createDripCampaign');
  const pages = useCallPages(listSequences, { query: { q } });
  const items = pages.data?.pages.flatMap(({ Items }) => Items) ?? [];
  return (
    <>
      <PageHead
        title="Drip campaigns"
        sentence="Texts that go to the same people one after the other, each at its own time."
        actions={mayCreate && <NewButton />}
      />
      <Box sx={{ px: { xs: 2, sm: 3, laptop: 4 }, pb: 4, display: 'grid', gap: 2 }}>
        <SearchField
          q={q}
          placeholder="Search"
          label="Search drip campaigns"
          onSearch={(typed) => change({ q: typed }, { replace: true })}
          sx={{ maxWidth: 340 }}
        />
        <Card>
          {pages.isPending && (
            <SkeletonRows rows={5} rowHeight={64} isTwoLine label="Loading drip campaigns" />
          )}
          {pages.isError && !pages.data && (
            <Box sx={{ p: 2.5 }}>
              <RetryNotice onRetry={() => void pages.refetch()}>
                {shownMessage(pages.error, 'There was an error getting your drip campaigns.')}
              </RetryNotice>
            </Box>
          )}
          {pages.data && items.length === 0 && (
            <EmptyState
              icon={q === '' ? ListTree : SearchX}
              title={q === '' ? 'No drip campaigns yet' : 'Nothing matches'}
              action={q === '' && mayCreate && <NewButton />}
            >
              {q === '' && 'Write a few texts once, and Muster sends each one at its time.'}
            </EmptyState>
          )}
          {items.length > 0 && (
            <Box component="ul" aria-label="Drip campaigns" sx={{ listStyle: 'none', m: 0, p: 0 }}>
              {items.map((sequence) => (
                <Row key={sequence.SequenceID} sequence={sequence} />
              ))}
            </Box>
          )}
          {pages.hasNextPage && (
            <Box sx={{ display: 'grid', placeItems: 'center', p: 1.5 }}>
              <Button
                size="small"
                variant="text"
                disabled={pages.isFetchingNextPage}
                onClick={() => void pages.fetchNextPage()}
              >
                Show more
              </Button>
            </Box>
          )}
        </Card>
      </Box>
    </>
  );
}

function Row({ sequence }: { sequence: Sequence }) {
  const zone = useTimeZone();
  const now = useNow();
  const { SequenceID, Name, Status, StepCount, SentStepCount, RecipientCount, NextStepDate, StartsOn, User } =
    sequence;
  const name = Name || 'No name yet';
  const problem = sequence.PausedBecause || sequence.NobodyJoinsBecause;
  const next =
    NextStepDate === null
      ? ''
      : `next step ${formatDay(NextStepDate, now, zone)} at ${formatTime(NextStepDate, zone)}`;
  const facts =
    Status === 'draft'
      ? [countOf(StepCount, 'step', 'steps'), `by ${User.Name}`]
      : [
          StartsOn === 'dates'
            ? `${SentStepCount} of ${countOf(StepCount, 'step', 'steps')} sent`
            : `${startWords[StartsOn]}, ${countOf(StepCount, 'step', 'steps')}`,
          countOf(RecipientCount, 'person', 'people'),
          next,
        ];
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        px: 2.5,
        minHeight: 64,
        borderTop: '1px solid',
        borderColor: 'line.hair',
        '&:first-of-type': { borderTop: 0 },
      }}
    >
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <RouterLink
          sx={{ fontWeight: 550, color: 'text.primary' }}
          {...(Status === 'draft'
            ? ({ to: '/drip-campaigns/new', search: { sequence: SequenceID } } as const)
            : ({ to: '/drip-campaigns/$sequenceId', params: { sequenceId: SequenceID } } as const))}
        >
          {name}
        </RouterLink>
        <Typography variant="body2" noWrap sx={{ color: 'text.secondary' }}>
          {facts.filter((fact) => fact !== '').join(' · ')}
        </Typography>
        {problem !== '' && (
          <Typography variant="body2" sx={{ color: 'warning.main' }}>
            {problem}
          </Typography>
        )}
      </Box>
      <Chip
        label={statusWords[Status]}
        color={Status === 'running' ? 'primary' : Status === 'paused' ? 'warning' : 'default'}
        variant="outlined"
      />
    </Box>
  );
}
