import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { listMergedMessages, updateMergedMessages } from '../../../../contract/addresses/drafts.gen.ts';
import { formatPhone } from '../../../../contract/phone/format-phone.ts';
import type { MergedMessage, TemplateMerge } from '../../../../contract/template-merges.ts';
import { counterLabel, exceedsLength, textTooLong } from '../../../../contract/text/text-length.ts';
import { ApiError } from '../../../api.ts';
import { useCall, useCallPages } from '../../../queries/calls.ts';
import { fullName } from '../../../queries/current-user.ts';
import { DialogHead } from '../../../ui/dialog-parts.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { formatCount } from '../../../ui/format.ts';
import { Notice } from '../../../ui/notice.tsx';
import { RetryNotice } from '../../../ui/retry-notice.tsx';
import { SkeletonRows } from '../../../ui/skeleton-rows.tsx';
import { missingWords } from './merge-card.tsx';
import { keepMerge } from './merge-state.ts';

export type MergeFilter = 'invalid' | 'excluded';

interface MergeDialogProps {
  merge: TemplateMerge;
  /** The texts that it shows; closed if undefined. */
  filter: MergeFilter | undefined;
  limit: number;
  onFilter: (filter: MergeFilter | undefined) => void;
}

/** Texts that can't be sent, to be fixed one by one or left out, and those already left out. */
export function MergeDialog({ merge, filter, limit, onFilter }: MergeDialogProps) {
  const close = () => onFilter(undefined);
  return (
    <FormDialog isOpen={filter !== undefined} onClose={close} width={640} isFullOnPhone isKeptOnClickBeside>
      <DialogHead title="Personalized texts" onClose={close} />
      <Tabs
        value={filter ?? 'invalid'}
        onChange={(_, next: MergeFilter) => onFilter(next)}
        aria-label="Which texts"
        sx={{ flex: 'none', px: { xs: 1, sm: 3 }, borderBottom: '1px solid', borderColor: 'line.hair' }}
      >
        <Tab value="invalid" label={`Can’t be sent (${formatCount(merge.InvalidMessageCount)})`} />
        <Tab value="excluded" label={`Left out (${formatCount(merge.ExcludedMessageCount)})`} />
      </Tabs>
      {filter && <MergedList key={filter} merge={merge} filter={filter} limit={limit} />}
    </FormDialog>
  );
}

/** Shows why a change failed, with the server's message if there is one. */
const failed = 'There was an error updating your texts.';
const problemOf = (error: unknown) =>
  error instanceof ApiError && error.status === 409 ? (error.body.Message ?? failed) : failed;

interface MergedListProps {
  merge: TemplateMerge;
  filter: MergeFilter;
  limit: number;
}

function MergedList({ merge, filter, limit }: MergedListProps) {
  const { TemplateMergeID, InvalidMessageCount } = merge;
  const client = useQueryClient();
  const list = useCallPages(listMergedMessages, {
    params: { TemplateMergeID },
    query: { filter, pagesize: 20 },
  });
  const update = useCall(updateMergedMessages, { onSuccess: ({ Merge }) => keepMerge(client, Merge) });
  const items = list.data?.pages.flatMap(({ Items }) => Items);
  const change = (item: { MergedMessageID: number; TextMessage?: string; Exclude?: boolean }) =>
    update.mutate({ params: { TemplateMergeID }, body: { Items: [item] } });
  return (
    <>
      <Box sx={{ flex: 1, minHeight: 280, maxHeight: { sm: '60dvh' }, overflowY: 'auto' }}>
        {update.error && (
          <Notice isBand kind="error">
            {problemOf(update.error)}
          </Notice>
        )}
        {filter === 'invalid' && (
          <MissingFields
            merge={merge}
            isBusy={update.isPending}
            onAccept={(AcceptMissing) =>
              update.mutate({ params: { TemplateMergeID }, body: { AcceptMissing } })
            }
          />
        )}
        {list.isError && !items && (
          <Box sx={{ p: 2.5 }}>
            <RetryNotice onRetry={() => void list.refetch()}>
              There was an error getting your texts.
            </RetryNotice>
          </Box>
        )}
        {!items && !list.isError && <SkeletonRows rows={4} rowHeight={88} isTwoLine label="Loading texts" />}
        {items?.length === 0 && (
          <EmptyState
            icon={Check}
            title={filter === 'invalid' ? 'All texts can be sent' : 'Nobody was left out manually'}
          />
        )}
        <Box component="ul" aria-label="Texts" sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {items?.map((item) => (
            <MergedRow
              key={item.MergedMessageID}
              item={item}
              limit={limit}
              isBusy={update.isPending}
              onChange={(changed) => change({ MergedMessageID: item.MergedMessageID, ...changed })}
            />
          ))}
        </Box>
        {list.hasNextPage && (
          <Box sx={{ p: 2, textAlign: 'center' }}>
            <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              Show more
            </Button>
          </Box>
        )}
      </Box>
      {filter === 'invalid' && InvalidMessageCount > 1 && (
        <Box
          sx={{
            display: 'flex',
            alignItems: 'center',
            justifyContent: 'space-between',
            gap: 2,
            px: { xs: 2, sm: 4 },
            py: 1.5,
            borderTop: '1px solid',
            borderColor: 'line.hair',
          }}
        >
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            Anyone whose text you don’t fix gets nothing.
          </Typography>
          <Button
            disabled={update.isPending}
            onClick={() => update.mutate({ params: { TemplateMergeID }, body: { ExcludeAll: true } })}
          >
            Leave out all {formatCount(InvalidMessageCount)}
          </Button>
        </Box>
      )}
    </>
  );
}

interface MissingFieldsProps {
  merge: TemplateMerge;
  isBusy: boolean;
  onAccept: (isAccepted: boolean) => void;
}

/** The missing fields, and the actions for all of them at once. */
function MissingFields({
  merge: { MissingFields: missing, AcceptsMissing },
  isBusy,
  onAccept,
}: MissingFieldsProps) {
  if (AcceptsMissing)
    return (
      <Notice
        isBand
        kind="warning"
        actions={
          <Button size="small" disabled={isBusy} onClick={() => onAccept(false)}>
            Leave them out
          </Button>
        }
      >
        Texts with a missing value are sent with a blank in its place.
      </Notice>
    );
  if (missing.length === 0) return null;
  const [first] = missing;
  return (
    <Notice
      isBand
      kind="warning"
      actions={
        missing.every(({ Exists }) => Exists) && (
          <Button size="small" disabled={isBusy} onClick={() => onAccept(true)}>
            Send with blanks
          </Button>
        )
      }
    >
      {missingWords(missing)}{' '}
      {first?.Exists && `With a default, such as {{${first.Field}|friend}}, everyone gets a text.`}
    </Notice>
  );
}

interface MergedRowProps {
  item: MergedMessage;
  limit: number;
  isBusy: boolean;
  onChange: (changed: { TextMessage?: string; Exclude?: boolean }) => void;
}

function MergedRow({ item, limit, isBusy, onChange }: MergedRowProps) {
  const [text, setText] = useState(item.TextMessage);
  const phone = formatPhone(item.PhoneNumber);
  const name = fullName(item) || phone;
  const isTooLong = exceedsLength(text, limit);
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gap: 1,
        px: { xs: 2, sm: 4 },
        py: 2,
        borderBottom: '1px solid',
        borderColor: 'line.hair',
      }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', columnGap: 1 }}>
        <Typography sx={{ fontWeight: 520 }}>{name}</Typography>
        {name !== phone && (
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {phone}
          </Typography>
        )}
        {/* If it is too long, the field says so. */}
        {item.Error !== '' && !isTooLong && (
          <Typography variant="body2" sx={{ color: 'error.main', flexBasis: '100%' }}>
            {item.Error}
          </Typography>
        )}
      </Box>
      {item.Exclude ? (
        <Typography variant="body2" sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {item.TextMessage}
        </Typography>
      ) : (
        <TextField
          label={`Text to ${name}`}
          multiline
          minRows={2}
          maxRows={8}
          value={text}
          error={isTooLong ? textTooLong(limit) : undefined}
          aside={
            <Typography
              variant="caption"
              sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}
            >
              {counterLabel(text, limit)}
            </Typography>
          }
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <Box sx={{ display: 'flex', justifyContent: 'flex-end', gap: 1 }}>
        {item.Exclude ? (
          <Button size="small" disabled={isBusy} onClick={() => onChange({ Exclude: false })}>
            Put back
          </Button>
        ) : (
          <>
            <Button size="small" variant="text" disabled={isBusy} onClick={() => onChange({ Exclude: true })}>
              Leave out
            </Button>
            <Button
              size="small"
              variant="outlined"
              disabled={isBusy || isTooLong || text.trim() === '' || text === item.TextMessage}
              onClick={() => onChange({ TextMessage: text })}
            >
              Save this text
            </Button>
          </>
        )}
      </Box>
    </Box>
  );
}
