import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import {
  Ban,
  CircleSlash,
  Copy,
  Hash,
  type LucideIcon,
  PhoneOff,
  Repeat2,
  ShieldQuestion,
  TextCursorInput,
  UserMinus,
  UserX,
  WifiOff,
} from 'lucide-react';
import { useState } from 'react';
import {
  downloadLeftOut,
  listDraftContacts,
  setFrequencyAside,
} from '../../../../contract/addresses/drafts.gen.ts';
import type { ContactSummary, RecipientProblem } from '../../../../contract/draft-recipients.ts';
import type { Preflight } from '../../../../contract/drafts.ts';
import { type BroadcastType, placesCalls } from '../../../../contract/money/units.ts';
import { formatPhone } from '../../../../contract/phone/format-phone.ts';
import { recipientProblemLabels } from '../../../../contract/states/recipient-problem.ts';
import { shownMessage } from '../../../api.ts';
import { useCall, useCallPages } from '../../../queries/calls.ts';
import { fullName } from '../../../queries/current-user.ts';
import { Card } from '../../../ui/card.tsx';
import { DialogHead } from '../../../ui/dialog-parts.tsx';
import { downloadUrl } from '../../../ui/download-url.ts';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { countOf, formatCount } from '../../../ui/format.ts';
import { Notice } from '../../../ui/notice.tsx';
import { RetryNotice } from '../../../ui/retry-notice.tsx';
import { SkeletonRows } from '../../../ui/skeleton-rows.tsx';
import { showSnackbar } from '../../../ui/snackbar.tsx';
import { leftOutMessages } from './preflight-words.ts';

const icons: Record<RecipientProblem, LucideIcon> = {
  duplicate: Copy,
  opted_out: CircleSlash,
  not_opted_in: UserX,
  not_textable: PhoneOff,
  unreachable: WifiOff,
  invalid: Hash,
  not_verified: ShieldQuestion,
  excluded: UserMinus,
  too_long: TextCursorInput,
  invalid_field: Ban,
  missing_data: TextCursorInput,
  do_not_call: PhoneOff,
  too_often: Repeat2,
};

interface PreflightLeftOutProps {
  draftId: number;
  type: BroadcastType;
  summary: ContactSummary;
}

/** Counts the people who get nothing, says why, and lists them. */
export function PreflightLeftOut({ draftId, type, summary }: PreflightLeftOutProps) {
  const [shown, setShown] = useState<RecipientProblem>();
  const [isOpen, setOpen] = useState(false);
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down('sm'));
  const leftOut = summary.Total - summary.Good;
  const words = placesCalls(type) ? ' will not get this broadcast' : ' will not get this text';
  return (
    <Card
      title="Left out"
      count={
        leftOut === 0
          ? 'nobody'
          : `${formatCount(leftOut)} of ${formatCount(summary.Total)}${isPhone ? '' : words}`
      }
      action={
        leftOut > 0 && (
          <MuiLink
            href={downloadUrl(downloadLeftOut, { params: { DraftBroadcastID: draftId } })}
            download
            variant="body2"
            sx={{ whiteSpace: 'nowrap' }}
          >
            Download the list
          </MuiLink>
        )
      }
    >
      <Box component="ul" aria-label="Reasons" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {summary.LeftOut.map(({ Problem, Count }) => (
          <Reason
            key={Problem}
            problem={Problem}
            count={Count}
            onView={() => {
              setShown(Problem);
              setOpen(true);
            }}
          />
        ))}
        {leftOut === 0 && (
          <Box component="li" sx={{ px: 2.5, py: 1.5, color: 'text.secondary' }}>
            Everyone on the list gets it.
          </Box>
        )}
      </Box>
      <FrequencyNotice draftId={draftId} summary={summary} />
      <FormDialog isOpen={isOpen} onClose={() => setOpen(false)} width={560} isFullOnPhone>
        {shown && <LeftOutList draftId={draftId} problem={shown} onClose={() => setOpen(false)} />}
      </FormDialog>
    </Card>
  );
}

/**
 * In an emergency everybody gets it, however many broadcasts they have had. The user who chooses this is
 * recorded.
 */
function FrequencyNotice({ draftId, summary }: { draftId: number; summary: ContactSummary }) {
  const set = useCall(setFrequencyAside, {
    onError: (error) => showSnackbar(shownMessage(error, 'There was an error updating your broadcast.')),
  });
  const held = summary.LeftOut.find(({ Problem }) => Problem === 'too_often')?.Count ?? 0;
  if (held === 0 && !summary.IsFrequencySetAside) return null;
  const change = (IsSetAside: boolean) =>
    set.mutate({ params: { DraftBroadcastID: draftId }, body: { IsSetAside } });
  return (
    <Notice
      isBand
      kind={summary.IsFrequencySetAside ? 'warning' : 'info'}
      actions={
        <Button disabled={set.isPending} onClick={() => change(!summary.IsFrequencySetAside)}>
          {summary.IsFrequencySetAside ? 'Keep to the limit' : 'Send to them too'}
        </Button>
      }
    >
      {summary.IsFrequencySetAside
        ? 'This one goes to everybody, even past your limit of broadcasts for a person. The audit log shows who chose that.'
        : `Your limit leaves out ${countOf(held, 'person', 'people')}. In an emergency, you can send it to them too.`}
    </Notice>
  );
}

/** Says who isn't called, and why. */
export function NotCalled({ calls, total }: { calls: NonNullable<Preflight['Calls']>; total: number }) {
  const left = calls.LeftOut.reduce((sum, { Count }) => sum + Count, 0);
  return (
    <Card title="Not called" count={left === 0 ? 'nobody' : `${formatCount(left)} of ${formatCount(total)}`}>
      <Box component="ul" aria-label="Reasons not to call" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {calls.LeftOut.map(({ Problem, Count }) => (
          <Reason key={Problem} problem={Problem} count={Count} message={callMessages[Problem]} />
        ))}
        {left === 0 && (
          <Box component="li" sx={{ px: 2.5, py: 1.5, color: 'text.secondary' }}>
            Everyone who should be called is called.
          </Box>
        )}
      </Box>
    </Card>
  );
}

/** Set where the reason differs from that for texts. */
const callMessages: Partial<Record<RecipientProblem, string>> = {
  duplicate: 'One phone, one call. The first name in the group is used.',
  not_verified: 'During the free trial, you can call only verified numbers.',
};

interface ReasonProps {
  problem: RecipientProblem;
  count: number;
  message?: string | undefined;
  /** Shows who they are. */
  onView?: () => void;
}

function Reason({ problem, count, message = leftOutMessages[problem], onView }: ReasonProps) {
  const Icon = icons[problem];
  const label = recipientProblemLabels[problem];
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: {
          xs: '16px minmax(0, 1fr) auto auto',
          sm: '16px minmax(140px, 216px) minmax(0, 1fr) auto auto',
        },
        alignItems: 'center',
        columnGap: 1.5,
        minHeight: 40,
        py: { xs: 1, sm: 0.5 },
        px: 2.5,
        '& + &': { borderTop: '1px solid', borderColor: 'line.hair' },
      }}
    >
      <Box component={Icon} size={16} strokeWidth={1.75} aria-hidden sx={{ color: 'ink.two' }} />
      <Box component="span" sx={{ fontWeight: 520 }}>
        {label}
      </Box>
      <Typography
        variant="body2"
        component="span"
        sx={{ color: 'text.secondary', gridRow: { xs: 2, sm: 'auto' }, gridColumn: { xs: 2, sm: 'auto' } }}
      >
        {message}
      </Typography>
      <Box component="span" sx={{ fontWeight: 550, fontVariantNumeric: 'tabular-nums' }}>
        {formatCount(count)}
      </Box>
      {onView && (
        <MuiLink
          component="button"
          variant="body2"
          aria-label={`View ${label}`}
          onClick={onView}
          sx={{ minHeight: 24 }}
        >
          View
        </MuiLink>
      )}
    </Box>
  );
}

interface LeftOutListProps {
  draftId: number;
  problem: RecipientProblem;
  onClose: () => void;
}

function LeftOutList({ draftId, problem, onClose }: LeftOutListProps) {
  const list = useCallPages(listDraftContacts, {
    params: { DraftBroadcastID: draftId },
    query: { problem, pagesize: 50 },
  });
  const items = list.data?.pages.flatMap(({ Items }) => Items);
  return (
    <>
      <DialogHead title={recipientProblemLabels[problem]} onClose={onClose} />
      <Typography sx={{ px: { xs: 2, sm: 4 }, pb: 1.5, color: 'text.secondary' }}>
        {leftOutMessages[problem]}
      </Typography>
      <Box
        sx={{
          flex: 1,
          minHeight: 200,
          maxHeight: { sm: '60dvh' },
          overflowY: 'auto',
          borderTop: '1px solid',
          borderColor: 'line.hair',
        }}
      >
        {list.isError && !items && (
          <Box sx={{ p: 2.5 }}>
            <RetryNotice onRetry={() => void list.refetch()}>
              There was an error getting your recipients.
            </RetryNotice>
          </Box>
        )}
        {!items && !list.isError && <SkeletonRows rows={5} isTwoLine rowHeight={56} />}
        <Box component="ul" aria-label="People" sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {items?.map((person) => (
            <Box
              component="li"
              key={person.RecipientID}
              sx={{
                px: { xs: 2, sm: 4 },
                py: 1.25,
                '& + &': { borderTop: '1px solid', borderColor: 'line.hair' },
              }}
            >
              <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2 }}>
                <Box component="span" sx={{ fontWeight: 520, minWidth: 0, overflowWrap: 'anywhere' }}>
                  {fullName(person) || 'No name'}
                </Box>
                <Box component="span" sx={{ flex: 'none' }}>
                  {formatPhone(person.PrimaryPhone)}
                </Box>
              </Box>
              <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                {person.DuplicateOf ? `${person.DuplicateOf.Name || 'Someone'} gets it · ` : ''}
                {person.Source}
              </Typography>
            </Box>
          ))}
        </Box>
        {list.hasNextPage && (
          <Box sx={{ p: 2, textAlign: 'center' }}>
            <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              Show more
            </Button>
          </Box>
        )}
        {items && !list.hasNextPage && (
          <Typography variant="body2" sx={{ px: { xs: 2, sm: 4 }, py: 1.5, color: 'text.secondary' }}>
            {countOf(items.length, 'person', 'people')}
          </Typography>
        )}
      </Box>
    </>
  );
}
