import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { History, Undo2 } from 'lucide-react';
import { useState } from 'react';
import {
  listIntegrationSyncs,
  listSyncChanges,
  undoSync,
} from '../../contract/addresses/integrations.gen.ts';
import type { Integration, IntegrationSync, SyncChange } from '../../contract/integrations.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { shownMessage } from '../api.ts';
import { useCall, useCallPages, useCallQuery } from '../queries/calls.ts';
import { fullName } from '../queries/current-user.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Card } from '../ui/card.tsx';
import { DialogBody, DialogHead } from '../ui/dialog-parts.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { countOf, formatCount } from '../ui/format.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { say } from '../ui/say.ts';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';
import { showSnackbar } from '../ui/snackbar.tsx';

/** The last syncs with their changes, and a way to undo the last one. */
export function SyncsCard({ integration }: { integration: Integration }) {
  const { IntegrationID } = integration;
  const { data, error, refetch } = useCallQuery(listIntegrationSyncs, { params: { IntegrationID } });
  const [shown, setShown] = useState<IntegrationSync>();
  const [asked, setAsked] = useState<IntegrationSync>();
  const undo = useCall(undoSync, {
    onError: (failure) => showSnackbar(shownMessage(failure, 'There was an error undoing the sync.')),
  });
  return (
    <Card title="Syncs">
      {error && (
        <Box sx={{ p: 2.5 }}>
          <RetryNotice onRetry={() => void refetch()}>
            {shownMessage(error, 'There was an error getting the syncs.')}
          </RetryNotice>
        </Box>
      )}
      {!data && !error && <SkeletonRows rows={3} rowHeight={48} label="Loading the syncs" />}
      {data && data.Items.length === 0 && (
        <EmptyState icon={History} title="No sync yet">
          The first one begins in a moment.
        </EmptyState>
      )}
      <Box component="ul" sx={{ listStyle: 'none', p: 0, m: 0 }}>
        {data?.Items.map((sync) => (
          <SyncRow
            key={sync.SyncID}
            sync={sync}
            onShow={() => setShown(sync)}
            onUndo={() => setAsked(sync)}
          />
        ))}
      </Box>
      <FormDialog isOpen={shown !== undefined} onClose={() => setShown(undefined)} width={600} isFullOnPhone>
        {shown && <Changes integration={integration} sync={shown} onClose={() => setShown(undefined)} />}
      </FormDialog>
      {asked !== undefined && (
        <AskDialog
          title="Undo this sync?"
          action="Undo"
          keep="Keep it"
          isHarmless
          isBusy={undo.isPending}
          onDo={() =>
            undo.mutate(
              { params: { IntegrationID, SyncID: asked.SyncID } },
              { onSettled: () => setAsked(undefined) },
            )
          }
          onClose={() => setAsked(undefined)}
        >
          People it added are taken out again, changed ones get their old values, and those who left come back
          into their groups. Your own changes since then stay. After that, nothing is synced until you press
          Sync now.
        </AskDialog>
      )}
    </Card>
  );
}

/** "3 added, 1 changed, 2 left". */
function wordsOf({ State, AddedCount, ChangedCount, LeftCount, ErrorMessage }: IntegrationSync): string {
  if (State === 'running') return 'Under way';
  if (State === 'undoing') return 'Being undone';
  if (State === 'failed') return ErrorMessage;
  if (State === 'held') return `Waits for an answer: ${countOf(LeftCount, 'person', 'people')} would leave`;
  if (State === 'declined') return 'Contacts were left as they were';
  const parts = [
    ...(AddedCount > 0 ? [`${formatCount(AddedCount)} added`] : []),
    ...(ChangedCount > 0 ? [`${formatCount(ChangedCount)} changed`] : []),
    ...(LeftCount > 0 ? [`${formatCount(LeftCount)} left`] : []),
  ];
  const all = parts.length === 0 ? 'Nothing had changed' : parts.join(', ');
  return State === 'undone' ? `Undone: ${all}` : all;
}

interface SyncRowProps {
  sync: IntegrationSync;
  onShow: () => void;
  onUndo: () => void;
}

function SyncRow({ sync, onShow, onUndo }: SyncRowProps) {
  const { State, StartTimestamp, UserName, SkippedCount, CanUndo } = sync;
  const hasChanges = State === 'done' && sync.AddedCount + sync.ChangedCount + sync.LeftCount > 0;
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 1.5,
        rowGap: 0.5,
        minHeight: 56,
        px: 2.5,
        py: 1,
        borderTop: '1px solid',
        borderColor: 'line.hair',
        '&:first-of-type': { borderTop: 0 },
      }}
    >
      <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
        <Typography
          sx={{
            fontWeight: 520,
            fontVariantNumeric: 'tabular-nums',
            color: State === 'failed' ? 'error.main' : 'text.primary',
          }}
        >
          {wordsOf(sync)}
        </Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          <RelativeTime at={StartTimestamp} /> · {UserName === '' ? 'Daily' : UserName}
          {SkippedCount > 0 &&
            ` · ${countOf(SkippedCount, 'person has', 'people have')} no phone that can be texted`}
        </Typography>
      </Box>
      {hasChanges && (
        <Button variant="text" onClick={onShow}>
          See changes
        </Button>
      )}
      {CanUndo && (
        <Button startIcon={<Undo2 aria-hidden />} onClick={onUndo}>
          Undo
        </Button>
      )}
    </Box>
  );
}

const kinds = { added: say('Added'), changed: say('Changed'), left: say('Left') } as const;

function Changes(props: { integration: Integration; sync: IntegrationSync; onClose: () => void }) {
  const { integration, sync, onClose } = props;
  const list = useCallPages(listSyncChanges, {
    params: { IntegrationID: integration.IntegrationID, SyncID: sync.SyncID },
  });
  const items = list.data?.pages.flatMap(({ Items }) => Items);
  return (
    <>
      <DialogHead title={wordsOf(sync)} onClose={onClose} />
      <DialogBody gap={2}>
        {list.error ? (
          <RetryNotice onRetry={() => void list.refetch()}>
            {shownMessage(list.error, 'There was an error getting the changes.')}
          </RetryNotice>
        ) : !items ? (
          <SkeletonRows rows={6} label="Loading the changes" />
        ) : (
          <Box component="ul" aria-label="Changes" sx={{ listStyle: 'none', p: 0, m: 0 }}>
            {items.map((change) => (
              <Box
                component="li"
                key={change.PersonID}
                sx={{ display: 'flex', gap: 2, py: 1, borderTop: '1px solid', borderColor: 'line.hair' }}
              >
                <Typography variant="body2" sx={{ width: 72, flex: 'none', color: 'text.secondary' }}>
                  {kinds[change.Kind]}
                </Typography>
                <Box sx={{ minWidth: 0 }}>
                  <Typography sx={{ fontWeight: 520, overflowWrap: 'anywhere' }}>
                    {fullName(change) || formatPhone(change.PrimaryPhone)}
                  </Typography>
                  <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
                    {detailsOf(change)}
                  </Typography>
                </Box>
              </Box>
            ))}
          </Box>
        )}
        {list.hasNextPage && (
          <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        )}
      </DialogBody>
    </>
  );
}

function detailsOf({ PrimaryPhone, Before, Joined, Left }: SyncChange): string {
  return [
    formatPhone(PrimaryPhone),
    ...(Before === '' ? [] : [`was ${Before}`]),
    ...(Joined.length === 0 ? [] : [`joined ${Joined.join(', ')}`]),
    ...(Left.length === 0 ? [] : [`left ${Left.join(', ')}`]),
  ].join(' · ');
}
