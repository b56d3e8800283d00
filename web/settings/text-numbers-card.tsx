import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { Hash, Plus, Settings2 } from 'lucide-react';
import { useState } from 'react';
import type { z } from 'zod';
import { getMessagingLimits } from '../../contract/addresses/broadcasts.gen.ts';
import { listTextNumbers, listTextNumberUsage } from '../../contract/addresses/numbers.gen.ts';
import type { TextNumber, textNumberUsage } from '../../contract/numbers.ts';
import { formatPhone } from '../../contract/phone/format-phone.ts';
import { defaultPageSize, pageSizes } from '../../contract/reference/paging.ts';
import { blockedSentence, numberState } from '../pieces/numbers/number-state.ts';
import { textNumberName } from '../pieces/numbers/text-number-names.ts';
import { TollFreeCard } from '../pieces/numbers/toll-free-card.tsx';
import { ContactUs } from '../pieces/support/contact-us.tsx';
import { useCallQuery } from '../queries/calls.ts';
import { useAccount, useCan } from '../queries/current-user.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { countOf, formatCount } from '../ui/format.ts';
import { Pager } from '../ui/pager.tsx';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { RouterButton } from '../ui/router-button.tsx';
import { SkeletonRows } from '../ui/skeleton-rows.tsx';
import { RegistrationBand } from './registration-band.tsx';
import { ReleaseButton, ReleaseWords } from './release-number.tsx';
import { Row, Rows } from './rows.tsx';
import { TextNumberDialog } from './text-number-dialog.tsx';
import { TollFreeLimits } from './toll-free-limits.tsx';

/** The text numbers the user may use, with their usage and settings. */
export function TextNumbersCard() {
  const [page, setPage] = useState(1);
  const [isOpen, setOpen] = useState(false);
  const [openedId, setOpenedId] = useState<number>();
  const query = { page, pagesize: defaultPageSize };
  const { data, isError, refetch } = useCallQuery(listTextNumbers, { query }, { keepPrevious: true });
  const usage = useCallQuery(listTextNumberUsage, {
    query: { pagesize: pageSizes.textNumbersInNotifications },
  }).data?.Items;
  const numbers = data?.Items ?? [];
  const canGet = useCan('buyLocalNumber');
  const isOwner = useCan('setUpTexting');
  return (
    <Card
      title="Text numbers"
      count={data ? formatCount(data.Size) : undefined}
      action={
        data &&
        data.Size > 0 &&
        canGet && (
          <RouterButton size="small" startIcon={<Plus aria-hidden />} to="/get-registered-number">
            Get a number
          </RouterButton>
        )
      }
    >
      <RegistrationBand />
      {isError && !data && (
        <Box sx={{ p: 2.5 }}>
          <RetryNotice onRetry={() => void refetch()}>
            There was an error getting your text numbers.
          </RetryNotice>
        </Box>
      )}
      {!data && !isError && (
        <SkeletonRows rows={3} rowHeight={72} isTwoLine label="Loading your text numbers" />
      )}
      {data?.Size === 0 && (
        <EmptyState
          icon={Hash}
          title="You currently don't have access to any text numbers."
          action={
            isOwner && (
              <RouterButton variant="contained" color="primary" to="/text-setup">
                Set up texting
              </RouterButton>
            )
          }
        >
          {isOwner ? (
            'Get a number and register it to send your first text.'
          ) : (
            <>
              Please contact an account administrator for access, or support. <ContactUs />
            </>
          )}
        </EmptyState>
      )}
      {numbers.length > 0 && (
        <Rows label="Text numbers">
          {numbers.map((number) => (
            <NumberRow
              key={number.TextNumberID}
              number={number}
              usage={usage?.find(({ TextNumberID }) => TextNumberID === number.TextNumberID)}
              onOpen={() => {
                setOpenedId(number.TextNumberID);
                setOpen(true);
              }}
            />
          ))}
        </Rows>
      )}
      {isOwner && (
        <Box sx={{ p: 2, borderTop: '1px solid', borderColor: 'line.hair', '&:empty': { display: 'none' } }}>
          <TollFreeCard isBrief />
        </Box>
      )}
      {numbers.length > 0 && <DailyLimit isRegistered={numbers.some(isRegistered)} />}
      {data && <Pager page={page} pageSize={defaultPageSize} size={data.Size} onPage={setPage} />}
      <TextNumberDialog
        isOpen={isOpen}
        number={numbers.find(({ TextNumberID }) => TextNumberID === openedId)}
        onClose={() => setOpen(false)}
      />
    </Card>
  );
}

function isRegistered({ RegistrationStatus }: TextNumber): boolean {
  return RegistrationStatus === 'Registered';
}

/** Number of texts a day that carriers accept from the organization. */
function DailyLimit({ isRegistered }: { isRegistered: boolean }) {
  const { data: limits } = useCallQuery(getMessagingLimits, {});
  const perDay = (name: 'Standard' | 'Registered') =>
    formatCount(limits?.find(({ limitName }) => limitName === name)?.messagesPerDay ?? 0);
  return (
    <Typography
      variant="body2"
      sx={{ px: 2.5, py: 1.5, color: 'text.secondary', minHeight: 44, fontVariantNumeric: 'tabular-nums' }}
    >
      {limits &&
        (isRegistered
          ? `Carriers accept up to ${perDay('Registered')} texts a day from your organization.`
          : `Carriers accept up to ${perDay('Standard')} texts a day from your organization, and up to ${perDay('Registered')} once a number is registered.`)}
    </Typography>
  );
}

interface NumberRowProps {
  number: TextNumber;
  usage: z.output<typeof textNumberUsage> | undefined;
  onOpen: () => void;
}

const stateLooks = {
  good: { bgcolor: 'tint.success', color: 'success.main' },
  waiting: { bgcolor: 'tint.warning', color: 'warning.main' },
  bad: { bgcolor: 'tint.error', color: 'error.main' },
} as const;

function NumberRow({ number, usage, onOpen }: NumberRowProps) {
  const account = useAccount();
  if (!account) return null;
  const state = numberState(number, account, Date.now());
  return (
    <Row
      actions={
        <>
          <TollFreeLimits number={number} />
          <ReleaseButton number={number} />
          <Button
            size="small"
            startIcon={<Settings2 aria-hidden />}
            aria-label={`Settings for ${textNumberName(number)}`}
            onClick={onOpen}
          >
            Settings
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'flex', alignItems: 'center', flexWrap: 'wrap', columnGap: 1, rowGap: '4px' }}>
        <Typography component="span" sx={{ fontWeight: 550 }}>
          {textNumberName(number)}
        </Typography>
        {number.Name.trim() !== '' && (
          <Typography component="span" sx={{ color: 'text.secondary' }}>
            {formatPhone(number.TextPhoneNumber)}
          </Typography>
        )}
        {number.IsDefault && (
          <Chip label="Default" sx={{ bgcolor: 'tint.accent', color: 'tint.accentInk', fontWeight: 550 }} />
        )}
        <Chip label={state.word} sx={{ ...stateLooks[state.kind], fontWeight: 550 }} />
      </Box>
      {number.Description !== '' && (
        <Typography variant="body2" sx={{ mt: '2px' }}>
          {number.Description}
        </Typography>
      )}
      <ReleaseWords number={number} />
      {state.sentence && (
        <Typography variant="body2" sx={{ mt: '2px', color: stateLooks[state.kind].color }}>
          {state.sentence} {state.sentence === blockedSentence && <ContactUs />}
        </Typography>
      )}
      <Typography
        variant="body2"
        sx={{ mt: '2px', color: 'text.secondary', fontVariantNumeric: 'tabular-nums', minHeight: 18 }}
      >
        {usage && usageWords(usage)}
      </Typography>
      {usage && (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {peopleWords(usage)}
        </Typography>
      )}
    </Row>
  );
}

/** "Last 30 days: 1,204 sent, 18 failed, 311 received · 1,377 credits" */
function usageWords({ Sent, Failed, Received, Credits }: z.output<typeof textNumberUsage>): string {
  if (Sent === 0 && Received === 0) return 'Nothing sent or received in the last 30 days';
  const failed = Failed > 0 ? `, ${formatCount(Failed)} failed` : '';
  return `Last 30 days: ${formatCount(Sent)} sent${failed}, ${formatCount(Received)} received · ${countOf(Credits, 'credit', 'credits')}`;
}

/** "Used by Alicia Romero, Joanne Pruitt and 4 others, and by owners and admins" */
function peopleWords({ UserCount, UserNames }: z.output<typeof textNumberUsage>): string {
  if (UserCount === 0) return 'Used by owners and admins';
  const others = UserCount - UserNames.length;
  const last = others > 0 ? countOf(others, 'other', 'others') : UserNames.at(-1);
  const named = others > 0 ? UserNames : UserNames.slice(0, -1);
  const people = named.length === 0 ? last : `${named.join(', ')} and ${last}`;
  return `Used by ${people}, and by owners and admins`;
}
